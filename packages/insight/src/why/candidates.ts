import type { Constraint, Lift } from '@griddep/simulator';
import type { Operation, Timeline, Wait } from '@griddep/timeline';
import { ordinalOf } from './ordinal.ts';

/** Something that may have held an operation up, and what to lift to find out. */
export interface Candidate {
  readonly constraint: Constraint;
  readonly lifts: readonly Lift[];
  /** The wait that speaks of it, where one does. */
  readonly wait?: Wait;
  /** The operation that the constraint came from, by index. */
  readonly by?: number;
}

/** The single resources of an SM. */
export const ROOM = ['registers', 'sharedMemory', 'threads', 'blocks'] as const;
const FRONT_END = ['hardwareQueue', 'launchProcessing', 'residentGrids'] as const;
const PLACEMENT = [...ROOM, 'resources', 'carveOut', 'cluster', 'cooperative', 'priority'] as const;
const ORDER = [
  'stream',
  'trigger',
  'event',
  'programmaticEvent',
  'launchCompletion',
  'legacyStream',
  'implicitSync',
  'graphEdge',
  'flag',
  'collective',
] as const;

/** Every constraint that can be lifted for an operation itself. */
export const CONSTRAINTS: readonly Constraint[] = [...ORDER, ...FRONT_END, ...PLACEMENT, 'engine', 'queueFull', 'host'];

/**
 * What the record of an operation names: the kinds of its waits and of the cause of its start. Where one limit of a unit
 * held it up, others of the same unit may have stood behind it, and count too.
 */
export function candidatesOf(timeline: Timeline, index: number): Candidate[] {
  const operation = timeline.operations[index] as Operation;
  const { cause, waits } = operation;
  const kinds = new Set<string>([cause.kind, ...waits.map(({ kind }) => kind)]);
  const candidates: Candidate[] = [];
  const add = (constraint: Constraint, wait?: Wait, by = wait?.operation): void => {
    const { lifts } = liftOf(timeline, index, constraint);
    const one = { constraint, lifts, ...(wait === undefined ? {} : { wait }), ...(by === undefined ? {} : { by }) };
    if (!candidates.some((each) => each.constraint === constraint)) candidates.push(one);
  };
  const waitOf = (kind: string) => waits.findLast((wait) => wait.kind === kind);
  const byOf = (kind: string) => waitOf(kind)?.operation ?? (cause.kind === kind ? cause.operation : undefined);
  for (const kind of ORDER) {
    if (kinds.has(kind) && !(operation.device < 0)) add(kind, waitOf(kind), byOf(kind));
  }
  // The stream's order holds what its last waits for events held.
  for (const i of waitsBefore(timeline, index)) {
    const before = timeline.operations[i] as Operation;
    for (const wait of before.waits) {
      if ((wait.kind === 'event' || wait.kind === 'launchCompletion' || wait.kind === 'flag') && kinds.has('stream')) {
        add(wait.kind === 'flag' ? 'flag' : 'event', wait);
        add('stream', waitOf('stream'), byOf('stream'));
      }
    }
  }
  // In its queue it stands behind commands of its own stream, too.
  if (FRONT_END.some((kind) => kinds.has(kind))) {
    for (const kind of [...FRONT_END, 'stream'] as const) add(kind, waitOf(kind), byOf(kind));
  }
  if (kinds.has('resources') || kinds.has('carveOut') || kinds.has('priority')) {
    const room = waits.findLast(({ kind }) => kind === 'resources' || kind === 'carveOut' || kind === 'priority');
    for (const each of PLACEMENT) add(each, room);
  }
  if (kinds.has('engine')) add('engine', waitOf('engine'));
  if (kinds.has('queueFull')) add('queueFull', waitOf('queueFull'));
  add('host', undefined, cause.kind === 'host' ? cause.operation : undefined);
  const held = cause.kind === 'host' ? cause.operation : undefined;
  if (held !== undefined && timeline.operations[held]?.waits.some(({ kind }) => kind === 'synchronize')) {
    const lift = { ...ordinalOf(timeline, held), constraint: 'synchronize' as const };
    const wait = timeline.operations[held]?.waits.findLast(({ kind }) => kind === 'synchronize');
    candidates.push({ constraint: 'synchronize', lifts: [lift], by: held, ...(wait === undefined ? {} : { wait }) });
  }
  return candidates;
}

/** The lifting of a constraint for one operation alone. */
export function liftOf(timeline: Timeline, index: number, constraint: Constraint): Candidate {
  const own = ordinalOf(timeline, index);
  const all: readonly Constraint[] = constraint === 'resources' ? ROOM : [constraint];
  return { constraint, lifts: all.map((each) => ({ ...own, constraint: each })) };
}

/** Waits for events that came directly before an operation in its stream. */
function waitsBefore({ operations }: Timeline, index: number): number[] {
  const { stream, device } = operations[index] as Operation;
  const found: number[] = [];
  for (let i = index - 1; i >= 0; i--) {
    const other = operations[i] as Operation;
    if (other.stream !== stream || other.device !== device) continue;
    if (other.kind !== 'eventWait') break;
    found.push(i);
  }
  return found;
}
