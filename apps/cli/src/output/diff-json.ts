import { statistics, type Timeline, type TimelineComparison, whyChanged } from '@griddep/timeline';
import type { TimelineInput } from '../input/simulated.ts';
import { differingConstants } from './basis.ts';
import { changesByGain } from './diff-order.ts';

/** Times in ns; a `relative` of null is an operation that ran in only one of the two. `a` and `b` are the two inputs. */
export function diffJson(comparison: TimelineComparison, inputs: readonly [TimelineInput, TimelineInput]): string {
  const [a, b] = inputs;
  const ids = (timeline: Timeline, indices: readonly number[]) =>
    indices.map((index) => timeline.operations[index]?.id);
  const { makespan, largest, onlyBefore, onlyAfter } = comparison;
  const changed = changesByGain(comparison, a.timeline).map((change) => {
    const { id, name, matchedBy, start, end, duration, gap, own, relative } = change;
    const why = whyChanged(a.timeline, b.timeline, change).map((each) => ({
      fact: each.fact,
      a: each.before,
      b: each.after,
    }));
    return {
      ...{ id, name, matchedBy, startNs: start, endNs: end, durationNs: duration, gapNs: gap, ownNs: own, relative },
      why,
    };
  });
  const { before, after, change, relative } = makespan;
  return `${JSON.stringify({
    makespan: { beforeNs: before, afterNs: after, changeNs: change, relative },
    largest,
    changed,
    onlyBefore: ids(a.timeline, onlyBefore),
    onlyAfter: ids(b.timeline, onlyAfter),
    basis: {
      a: a.timeline.basis,
      b: b.timeline.basis,
      differing: differingConstants([a.machine, b.machine], [a.timeline, b.timeline]),
    },
    stats: { a: statistics(a.timeline, { pairs: 0 }), b: statistics(b.timeline, { pairs: 0 }) },
    warnings: { a: a.warnings, b: b.warnings },
  })}\n`;
}
