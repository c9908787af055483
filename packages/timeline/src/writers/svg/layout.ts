import type { Lane } from '../../lanes.ts';
import type { PreparedPanel } from '../picture.ts';
import { textWidth } from './text.ts';

const LANE_HEIGHT = 28;
const HOST_LANE_HEIGHT = 22;
export const CURVE_HEIGHT = 44;
const HEADING_HEIGHT = 44;
const GROUP_HEIGHT = 24;
const CURVE_GAP = 10;
const AXIS_HEIGHT = 34;
const MARGIN = 24;

/** Horizontal place of virtual time. */
export interface Scale {
  readonly left: number;
  readonly right: number;
  readonly from: number;
  readonly to: number;
  /** px of an instant in ps; outside the plot if it is outside the range. */
  x(time: number): number;
}

export interface Row {
  readonly lane: Lane;
  readonly top: number;
  readonly height: number;
}

/** The lanes of one device, or of the host, and their busy-SM curve. */
interface Group {
  readonly device: number;
  readonly top: number;
  readonly rows: readonly Row[];
  readonly curveTop: number | undefined;
}

export interface PanelLayout extends PreparedPanel {
  readonly top: number;
  readonly groups: readonly Group[];
  readonly plotTop: number;
  readonly plotBottom: number;
  readonly bottom: number;
}

export function makeScale(panels: readonly PreparedPanel[], width: number, from: number, to: number): Scale {
  const names = panels.flatMap((panel) => panel.lanes.map((lane) => lane.stream));
  const widest = names.reduce((most, name) => Math.max(most, textWidth(name)), 60);
  const left = MARGIN + Math.min(200, widest) + 16;
  const right = width - MARGIN;
  const perPs = (right - left) / (to - from);
  return { left, right, from, to, x: (time) => left + (time - from) * perPs };
}

/** Stacks groups and lanes of one panel from `top` down. */
export function layOut(panel: PreparedPanel, top: number): PanelLayout {
  const plotTop = top + HEADING_HEIGHT;
  let y = plotTop;
  const groups: Group[] = [];
  for (const device of new Set(panel.lanes.map((lane) => lane.device))) {
    const groupTop = y;
    y += GROUP_HEIGHT;
    const rows: Row[] = [];
    for (const lane of panel.lanes) {
      if (lane.device !== device) continue;
      const height = device < 0 ? HOST_LANE_HEIGHT : LANE_HEIGHT;
      rows.push({ lane, top: y, height });
      y += height;
    }
    let curveTop: number | undefined;
    if (device >= 0) {
      curveTop = y + CURVE_GAP;
      y = curveTop + CURVE_HEIGHT;
    }
    y += 6;
    groups.push({ device, top: groupTop, rows, curveTop });
  }
  return { ...panel, top, groups, plotTop, plotBottom: y, bottom: y + AXIS_HEIGHT };
}
