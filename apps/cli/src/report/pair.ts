import type { Timeline } from '@griddep/timeline';
import { InputError } from '../input/input-error.ts';

/** The two grids that were asked for, or the first two of a stream that overlap, or that follow each other. */
export function pairOf(timeline: Timeline, ids: readonly string[] | undefined): readonly [number, number] | undefined {
  if (ids !== undefined) {
    const [first = -1, second = -1] = ids.map((id) => indexOf(timeline, id));
    return [first, second];
  }
  const last = new Map<string, number>();
  let follows: readonly [number, number] | undefined;
  for (const [index, { kind, device, stream, start, end }] of timeline.operations.entries()) {
    if (kind !== 'kernel' || !(start <= end)) continue;
    const key = `${device} ${stream}`;
    const before = last.get(key);
    last.set(key, index);
    if (before === undefined) continue;
    if (start < (timeline.operations[before]?.end ?? 0)) return [before, index];
    follows ??= [before, index];
  }
  return follows;
}

function indexOf({ operations }: Timeline, id: string): number {
  const index = operations.findIndex((operation) => operation.id === id);
  if (index < 0) throw new InputError(`--pair: there is no operation "${id}"`);
  const { kind, start, end } = operations[index] ?? {};
  if (kind !== 'kernel' || !((start ?? Number.NaN) <= (end ?? Number.NaN))) {
    throw new InputError(`--pair: "${id}" is no kernel that ran`);
  }
  return index;
}
