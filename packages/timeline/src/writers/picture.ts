import { assignLanes, type Lane } from '../lanes.ts';
import type { Operation } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

/** One timeline of a picture, and its title. */
export interface Panel {
  readonly title: string;
  readonly timeline: Timeline;
  /** What the timeline came from, such as a file and its settings; shown beside the title where there is room. */
  readonly subtitle?: string;
}

export interface PictureOptions {
  /** Part of virtual time to show, ps. Default: everything. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Whether host threads are shown. Default true. */
  readonly host?: boolean;
  /** Only these streams (and host threads), by name. Default: all. */
  readonly streams?: readonly string[];
  /** At most how many lanes of a panel are shown; how many are not is said. Default 120. */
  readonly mostLanes?: number;
}

export interface PreparedPanel extends Panel {
  readonly lanes: readonly Lane[];
  /** How many lanes are left out. */
  readonly hiddenLanes: number;
}

/** Panels with their lanes, and the range of time that they share, ps. */
export function prepare(panels: readonly Panel[], options: PictureOptions) {
  const { mostLanes = 120, streams } = options;
  // A stream's graphs have a lane of their own, named after it.
  const wanted = streams === undefined ? undefined : new Set(streams.flatMap((name) => [name, `${name} graph`]));
  const prepared = panels.map((panel): PreparedPanel => {
    const all = assignLanes(panel.timeline).filter(
      (lane) => (lane.device >= 0 || options.host !== false) && (wanted?.has(lane.stream) ?? true),
    );
    const lanes = all.slice(0, mostLanes);
    return { ...panel, lanes, hiddenLanes: all.length - lanes.length };
  });
  return { panels: prepared, ...(options.range ?? commonRange(prepared)) };
}

function commonRange(panels: readonly PreparedPanel[]): { from: number; to: number } {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { timeline, lanes } of panels) {
    for (const lane of lanes) {
      for (const { operation, start, end } of lane.slices) {
        from = Math.min(from, start);
        to = Math.max(to, end, (lane.device >= 0 && timeline.operations[operation]?.completion) || end);
      }
    }
  }
  if (!(from <= to)) return { from: 0, to: 1 };
  // Time 0 is shown where it is near, so that axes of different runs begin alike.
  if (from > 0 && from < (to - from) / 4) from = 0;
  return { from, to: to > from ? to : from + 1 };
}

/** The operations that have a part in the picture. */
export function shownOperations(panel: PreparedPanel, from: number, to: number): Operation[] {
  const shown = new Set<number>();
  for (const lane of panel.lanes) {
    if (lane.device < 0) continue;
    for (const { operation, start, end } of lane.slices) if (end >= from && start <= to) shown.add(operation);
  }
  return [...shown].flatMap((index) => panel.timeline.operations[index] ?? []);
}
