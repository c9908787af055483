import type { Machine } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import { makeOperation, makeTimeline, type Operation, PS_PER_NS, type Timeline } from '@griddep/timeline';
import { least } from './comparison.ts';
import { observe, type SimulatedInterval } from './intervals.ts';
import type { MeasuredCase } from './measured-case.ts';

/** A case as two timelines that begin at the same instant: of the operations that were measured, with only starts and ends. */
export interface ComparedTimelines {
  readonly measured: Timeline;
  readonly simulated: Timeline;
  readonly intervals: readonly SimulatedInterval[];
}

/**
 * Simulates a case and puts what was measured beside it. Each begins with its own first start.
 *
 * @throws UnobservableError where the simulated run lacks what was measured; ProgramError or MachineError for a program
 *   that the machine cannot run
 */
export function comparedTimelines(measured: MeasuredCase, machine: Machine): ComparedTimelines {
  const timeline = simulate(measured.program, machine, { maxEvents: 5_000_000 });
  const intervals = observe(timeline, measured);
  const byId = new Map(timeline.operations.map((operation) => [operation.id, operation]));
  const like = measured.operations.map(({ label }) => byId.get(measured.observation.prefix + label));
  const only = (times: readonly (readonly [number, number])[]): Timeline => {
    const first = least(times.map(([start]) => start));
    const operations = times.map(([start, end], i) =>
      shown(like[i], measured.operations[i]?.label ?? '', (start - first) * PS_PER_NS, (end - first) * PS_PER_NS),
    );
    return makeTimeline(operations, {
      program: measured.name,
      machine: timeline.machine,
      devices: timeline.devices,
      hostTotal: operations.reduce((last, { end }) => Math.max(last, end), 0),
    });
  };
  return {
    measured: only(measured.operations.map(({ start, end }) => [start, end])),
    simulated: only(intervals.map(({ startNs, endNs }) => [startNs, endNs])),
    intervals,
  };
}

function shown(like: Operation | undefined, id: string, start: number, end: number): Operation {
  const { kind = 'kernel', name = id, device = 0, stream = '', thread = '', bytes = 0, blocks = 0 } = like ?? {};
  return makeOperation({
    id,
    kind,
    name,
    device,
    stream,
    thread,
    bytes,
    blocks,
    start: Math.round(start),
    end: Math.round(end),
    completion: Math.round(end),
  });
}
