import type { Operation, Timeline } from '@griddep/timeline';
import type { EventsAround, MeasuredCase } from './measured-case.ts';

/** A case whose simulated run lacks what was measured. */
export class UnobservableError extends Error {
  override readonly name = 'UnobservableError';
}

/** A simulated operation as the measuring program would have seen it: ns from the zero of the case. */
export interface SimulatedInterval {
  readonly label: string;
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * What the measuring program would have written down of a simulated run: block time stamps for kernels, elapsed times
 * between the events around copies.
 *
 * @throws UnobservableError if an operation of the case is missing or never ended.
 */
export function observe(timeline: Timeline, measured: MeasuredCase): SimulatedInterval[] {
  const { observation } = measured;
  const find = finder(timeline);
  const zero = zeroOf(measured, find);
  return measured.operations.map(({ label }) => {
    const around = observation.events.get(label);
    const [start, end] = around === undefined ? ownInstants(find(observation.prefix + label)) : stamps(around);
    if (!Number.isFinite(start) || !Number.isFinite(end)) throw new UnobservableError(`"${label}" never ended`);
    return { label, startNs: (start - zero) / 1000, endNs: (end - zero) / 1000 };
  });

  function stamps({ before, after, base, baseEnd }: EventsAround): [number, number] {
    // The stamp of `base` stands for the end of what it followed, as the measuring program takes it.
    const shift = find(base).start - find(baseEnd).end;
    return [find(before).start - shift, find(after).start - shift];
  }
}

/** The host's time from the zero of the case to the return of its last synchronise, ns. Throws as `observe` does. */
export function observeHostTotal(timeline: Timeline, measured: MeasuredCase): number {
  return (timeline.hostTotal - zeroOf(measured, finder(timeline))) / 1000;
}

type Find = (id: string) => Operation;

function finder(timeline: Timeline): Find {
  const byId = new Map(timeline.operations.map((o) => [o.id, o]));
  return (id) => {
    const operation = byId.get(id);
    if (operation === undefined) throw new UnobservableError(`no operation "${id}" in the timeline`);
    return operation;
  };
}

function zeroOf({ observation: { zero } }: MeasuredCase, find: Find): number {
  const operation = find(zero.operation);
  return zero.at === 'end' ? operation.end : operation.callBegin;
}

function ownInstants(operation: Operation): [number, number] {
  return [operation.start, operation.end];
}
