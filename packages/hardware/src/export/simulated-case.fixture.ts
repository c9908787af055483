import type { Machine } from '@griddep/machine';
import { writeProgram } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import type { Measurable } from './measurable.ts';

/** The file of cases that hardware would write that is exactly as simulated. */
export function caseFileOf({ program, observation, gated, copies }: Measurable, machine: Machine): string {
  const timeline = simulate(program, machine);
  const at = (id: string) => {
    const operation = timeline.operations.find((o) => o.id === id);
    if (operation === undefined) throw new Error(`no operation "${id}"`);
    return operation;
  };
  const zeroOperation = at(observation.zero.operation);
  const zero = observation.zero.at === 'end' ? zeroOperation.end : zeroOperation.callBegin;
  const ns = (ps: number) => Math.round((ps - zero) / 1000);
  const kernels = timeline.operations.filter(
    ({ kind, name }) => kind === 'kernel' && program.kernels.get(name)?.instrumented === true,
  );
  const stamped = copies.map(({ label, around }) => {
    const shift = at(around.base).start - at(around.baseEnd).end;
    return { label, start: ns(at(around.before).start - shift), end: ns(at(around.after).start - shift) };
  });
  const { zero: own, prefix, events } = observation;
  return JSON.stringify({
    schema: 'griddep/cases@1',
    device: { gpu: 'NVIDIA H200', driver: 13000, date: '2026-11-30' },
    cases: [
      {
        name: program.name,
        gated,
        program: writeProgram(program),
        observation: { zero: own, prefix, events: Object.fromEntries(events) },
        kernels: Object.fromEntries(
          [...program.kernels.values()].map(({ name, registersPerThread, staticSharedMemory }) => [
            name,
            { registersPerThread, staticSharedMemory },
          ]),
        ),
        measured: {
          ops: [...kernels.map(({ id, start, end }) => ({ label: id, start: ns(start), end: ns(end) })), ...stamped],
          calls: program.threads.map(() => []),
          hostObservedTotal: ns(timeline.hostTotal),
        },
      },
    ],
  });
}
