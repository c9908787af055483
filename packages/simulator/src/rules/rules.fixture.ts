import { type Machine, machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type PhaseInput, type ProgramBuilder, programBuilder, spin } from '@griddep/program';
import type { Operation, Timeline } from '@griddep/timeline';
import type { SimulateOptions } from '../options.ts';
import { simulate } from '../simulate.ts';

export const H200 = machineByName('h200');
export const H200_X2 = machineByName('h200x2');
export const SMS = H200.devices[0]?.limits.sms ?? Number.NaN;
export const KIB = 2 ** 10;
export const MIB = 2 ** 20;
/** Bytes of shared memory that leave an SM room for one block alone. */
export const WHOLE_SM = 200 * KIB;
/** Attribute 6 of a launch. */
export const PDL = { programmaticStreamSerialization: true } as const;

export interface Run {
  readonly timeline: Timeline;
  /** CUDA's numbers of the errors, in order. */
  readonly codes: readonly number[];
  /** @throws Error if the timeline has no operation of that id. */
  of(id: string): Operation;
  /** An instant of an operation, us. */
  at(
    id: string,
    instant: 'start' | 'lastStart' | 'end' | 'completion' | 'callBegin' | 'callEnd' | 'lastTrigger',
  ): number;
  /** When the last griddepcontrol.wait of an operation returned, us. */
  released(id: string): number;
  /** Time from the call to its return, us. */
  call(id: string): number;
  /** Whether two operations were under way at one time. */
  overlap(a: string, b: string): boolean;
  /** Names of the operations that an operation waited for, by the kind of wait. */
  waits(id: string): readonly string[];
}

/** What a program of one host thread does on a machine; streams `s` and `t` are non-blocking ones of device 0. */
export function run(
  make: (host: HostThreadBuilder, program: ProgramBuilder) => void,
  machine: Machine = H200,
  options: SimulateOptions = {},
): Run {
  const program = programBuilder('rules');
  for (const name of ['s', 't']) program.stream(name, { kind: 'nonBlocking' });
  make(program.hostThread('main'), program);
  return seen(simulate(program.build(), machine, options));
}

/** Questions to a timeline. */
export function seen(timeline: Timeline): Run {
  const of = (id: string): Operation => {
    const operation = timeline.operations.find((o) => o.id === id);
    if (operation === undefined) throw new Error(`no operation "${id}"`);
    return operation;
  };
  return {
    timeline,
    codes: timeline.errors.map(({ code }) => code),
    of,
    at: (id, instant) => of(id)[instant] / 1e6,
    released: (id) => of(id).lastRelease / 1e6,
    call: (id) => (of(id).callEnd - of(id).callBegin) / 1e6,
    overlap: (a, b) => of(a).start < of(b).end && of(b).start < of(a).end,
    waits: (id) =>
      of(id).waits.map(({ kind, operation }) => {
        return operation === undefined ? kind : `${kind} ${timeline.operations[operation]?.id}`;
      }),
  };
}

/** A kernel of a few blocks. */
export function small(phases: readonly PhaseInput[], grid = 8) {
  return { grid, block: 128, phases };
}

/** A kernel whose blocks each fill an SM. */
export function filling(phases: readonly PhaseInput[], grid = SMS) {
  return { grid, block: 128, dynamicSharedMemory: WHOLE_SM, phases };
}

/** Kernel `k` of one block that takes so many microseconds. */
export function takes(us: number) {
  return small([spin(`${us}us`)], 1);
}
