import { assignLanes, type Lane } from '../lanes.ts';
import type { Timeline } from '../timeline.ts';

/** One timeline of a picture, and its title. */
export interface Panel {
  readonly title: string;
  readonly timeline: Timeline;
}

export interface PictureOptions {
  /** Part of virtual time to show, ps. Default: everything. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Whether host threads are shown. Default true. */
  readonly host?: boolean;
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
  const { mostLanes = 120 } = options;
  const prepared = panels.map(({ title, timeline }): PreparedPanel => {
    const all = assignLanes(timeline).filter((lane) => lane.device >= 0 || options.host !== false);
    const lanes = all.slice(0, mostLanes);
    return { title, timeline, lanes, hiddenLanes: all.length - lanes.length };
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
