import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { type Constraint, simulate, simulateWithout } from '@griddep/simulator';
import type { Operation, Timeline, Wait } from '@griddep/timeline';
import { type Candidate, candidatesOf } from './candidates.ts';
import { criticalPath, type Stretch } from './chain.ts';
import { indexOf, ordinalOf } from './ordinal.ts';
import { type Untriggered, untriggered } from './untriggered.ts';

/** What would have become of an operation's start without a constraint. */
export interface Removal {
  readonly constraint: Constraint;
  /** The operation that the constraint came from, by index. */
  readonly by?: number;
  /** What the record says of it: the resource, and on how many SMs. */
  readonly detail?: string;
  /** When it would have begun without that alone, ps. */
  readonly earliest: number;
  /** So much earlier than it did, ps; 0 where something else would have held it as long. */
  readonly gain: number;
}

export interface Why {
  readonly timeline: Timeline;
  /** Index of the operation in the timeline. */
  readonly operation: number;
  /** When it began, ps; NaN if it never did. */
  readonly start: number;
  /** What it waited for, one after the other, the call's own waits first. */
  readonly waits: readonly Wait[];
  /** What held it up, that which gains most first; what gains nothing alone comes last. */
  readonly removals: readonly Removal[];
  /** The way to its start, from time 0. */
  readonly path: readonly Stretch[];
  /** Where it waited for a trigger. */
  readonly untriggered?: Untriggered;
}

/** A question about an operation that is none of the program's. */
export class UnknownOperation extends Error {
  override readonly name = 'UnknownOperation';
}

/**
 * Why an operation began when it did, and the earliest it could have begun without each of its causes. Each is found by
 * simulating the program again with that constraint lifted for this operation alone; all else stays as it is, but `host`,
 * which lifts what the calls of its thread cost until then.
 *
 * @param id of the operation in the timeline
 * @throws UnknownOperation, ProgramError, SimulationLimit
 */
export function why(program: Program, machine: Machine, id: string): Why {
  return whyIn(program, machine, simulate(program, machine, { recordBlocks: true }), operationById, id);
}

function operationById({ operations }: Timeline, id: string): number {
  return operations.findIndex((operation) => operation.id === id);
}

/** The same of a timeline that has been simulated, with blocks. */
export function whyIn(
  program: Program,
  machine: Machine,
  timeline: Timeline,
  find: (timeline: Timeline, id: string) => number,
  id: string,
): Why {
  const index = find(timeline, id);
  const operation = timeline.operations[index];
  if (operation === undefined) throw new UnknownOperation(`no operation is called ${id}`);
  const start = startOf(operation);
  const removals = Number.isNaN(start)
    ? []
    : candidatesOf(timeline, index).map((each) => removalOf(program, machine, timeline, index, each));
  const waitedFor = operation.waits.find(({ kind }) => kind === 'trigger')?.operation;
  const primary = waitedFor ?? (operation.cause.kind === 'trigger' ? operation.cause.operation : undefined);
  const blocks = primary === undefined ? undefined : untriggered(timeline, primary, program);
  return {
    timeline,
    operation: index,
    start,
    waits: operation.waits.filter(({ until }) => !(until > start)),
    removals: named(removals),
    path: criticalPath(timeline, index).filter(({ until }) => until <= start || Number.isNaN(start)),
    ...(blocks === undefined ? {} : { untriggered: blocks }),
  };
}

/** When an operation without one of its constraints would have begun, ps. */
export function startWithout(
  program: Program,
  machine: Machine,
  timeline: Timeline,
  index: number,
  { lifts }: Pick<Candidate, 'lifts'>,
): number {
  const without = simulateWithout(program, machine, lifts);
  const moved = without.operations[indexOf(without, ordinalOf(timeline, index))];
  return moved === undefined ? Number.NaN : startOf(moved);
}

function removalOf(
  program: Program,
  machine: Machine,
  timeline: Timeline,
  index: number,
  candidate: Candidate,
): Removal {
  const earliest = startWithout(program, machine, timeline, index, candidate);
  const { constraint, by, wait } = candidate;
  const detail = wait?.detail;
  return {
    constraint,
    ...(by === undefined ? {} : { by }),
    ...(detail === undefined ? {} : { detail }),
    earliest,
    gain: startOf(timeline.operations[index] as Operation) - earliest,
  };
}

/** Of what gains nothing only that which the record speaks of itself; all resources together only where no single one gains. */
function named(removals: readonly Removal[]): Removal[] {
  const gains = removals.filter(({ gain }) => gain !== 0);
  const single = gains.some(({ constraint }) => SINGLE.has(constraint));
  const kept = removals.filter(({ constraint, gain, by, detail }) => {
    if (constraint === 'resources') return gain !== 0 && !single;
    return gain !== 0 || ((by !== undefined || detail !== undefined) && !SINGLE.has(constraint));
  });
  return kept.sort((a, b) => b.gain - a.gain);
}

const SINGLE: ReadonlySet<Constraint> = new Set(['registers', 'sharedMemory', 'threads', 'blocks']);

function startOf(operation: Operation): number {
  return operation.device < 0 ? operation.callBegin : operation.start;
}
