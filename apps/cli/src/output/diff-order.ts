import type { OperationChange, Timeline, TimelineComparison } from '@griddep/timeline';

/**
 * What changed, where time was gained or lost first: work of devices by what it moved itself, then what it is only
 * shifted by, then host calls, which mostly wait for devices.
 */
export function changesByGain({ operations }: TimelineComparison, before: Timeline): OperationChange[] {
  const isHost = (change: OperationChange) => (before.operations[change.before]?.device ?? 0) < 0;
  const size = (ns: number) => (Number.isNaN(ns) ? Number.POSITIVE_INFINITY : Math.abs(ns));
  const larger = (x: number, y: number) => (x === y ? 0 : y > x ? 1 : -1);
  return operations
    .filter(({ relative }) => relative > 0)
    .sort(
      (x, y) =>
        Number(isHost(x)) - Number(isHost(y)) ||
        larger(size(x.own), size(y.own)) ||
        larger(size(x.gap), size(y.gap)) ||
        larger(size(x.start), size(y.start)) ||
        x.before - y.before,
    );
}
