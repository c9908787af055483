import { compareTimelines, type TimelineComparison } from '@griddep/timeline';
import type { LoadedRun, Selection } from './model.ts';

const MOST_OPERATIONS = 200_000;

/** The first two runs compared, and which operation of one is which of the other. */
export interface Changes {
  readonly comparison: TimelineComparison;
  partner(of: Selection): Selection | undefined;
}

export function changesOf([a, b]: readonly LoadedRun[]): Changes | undefined {
  if (a === undefined || b === undefined || a.store.count + b.store.count > MOST_OPERATIONS) return undefined;
  const comparison = compareTimelines(a.store.timeline(), b.store.timeline());
  const forth = new Map(comparison.operations.map(({ before, after }) => [before, after]));
  const back = new Map(comparison.operations.map(({ before, after }) => [after, before]));
  return {
    comparison,
    partner({ run, operation }) {
      const other = (run === 0 ? forth : back).get(operation);
      return other === undefined ? undefined : { run: 1 - run, operation: other };
    },
  };
}
