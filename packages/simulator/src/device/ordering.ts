import type { Command, CopyWork, EnqueuedOperation, ExecutableNode, Milestone as Reached } from '@griddep/cuda';
import type { CauseKind } from '@griddep/timeline';
import type { DeviceTimes } from './body.ts';
import type { Condition, DeviceOperation } from './operation.ts';
import type { Wake } from './waking.ts';
import { isWait, type Milestone, readsOther, runsOnSms, travelsInCommand, usesCopyEngine, type Work } from './work.ts';

/** The newest operation of a stream. */
export interface StreamTail {
  readonly operation: DeviceOperation;
  /**
   * The kernel that a programmatic launch may overlap: directly before it. A record of an event without timing in
   * between does not break that, everything else does (docs/RULES.md 1.15, case families `between-*`).
   */
  readonly kernel: DeviceOperation | undefined;
  /** The last work before it, past records of events and waits: a copy that follows has to leave the queue that did it. */
  readonly worked: DeviceOperation | undefined;
  /** Waits for events that came last, one after another, and what was before them. */
  readonly waits: readonly DeviceOperation[];
  readonly beforeWaits: DeviceOperation | undefined;
  /** Only records of events have come since: they go on with what that work's engine is at. */
  readonly goesOn: boolean;
}

const NONE: readonly DeviceOperation[] = [];

/** The tail of a stream after a further operation. */
export function nextTail(operation: DeviceOperation, before: StreamTail | undefined): StreamTail {
  const { work } = operation;
  const worked = ofEvents(work) ? before?.worked : operation;
  const goesOn = work.type === 'record' ? (before?.goesOn ?? false) : !isWait(work);
  const waits = isWait(work) ? [...(before?.waits ?? []), operation] : NONE;
  const beforeWaits = isWait(work) ? before?.beforeWaits : operation;
  const common = { operation, worked, goesOn, waits, beforeWaits };
  if (work.type === 'record' && !work.timing) return { ...common, kernel: before?.kernel };
  return { ...common, kernel: work.type === 'kernel' ? operation : undefined };
}

/** Work that any queue does. */
function ofEvents(work: Work): boolean {
  return work.type === 'record' || work.type === 'writeValue' || isWait(work);
}

/** The operations of a program as one device sees them. */
export interface KnownOperations {
  readonly device: number;
  /** Also one that is not here yet: a node of a graph that has not begun. */
  readonly own: { expect(op: number): DeviceOperation };
  /** Makes an operation wait for one of another device. */
  requireRemote(operation: DeviceOperation, on: EnqueuedOperation, milestone: Reached, condition: Condition): void;
}

/** What a stream's command waits for: its predecessor, implicit orders, and for a wait the event. */
export function conditionsOfCommand(
  operation: DeviceOperation,
  command: Command,
  tail: StreamTail | undefined,
  known: KnownOperations,
  times: DeviceTimes,
  now: number,
): void {
  const launch = startLatency(command, times, false);
  // First of all: what was satisfied too early to matter beside the command's own arrival is no cause.
  operation.eligible = Math.max(operation.eligible, now + launch);
  const require = (on: EnqueuedOperation, milestone: Reached, condition: Condition): void => {
    if (on.device !== known.device) known.requireRemote(operation, on, milestone, condition);
    else operation.require(known.own.expect(on.op), condition);
  };
  if (tail !== undefined) {
    const previous = tail.operation;
    if (command.type === 'record') operation.carrier = carrierOf(tail, known.device, times);
    operation.orderAfter(previous);
    const primary = command.type === 'kernel' && command.programmatic ? tail.kernel : undefined;
    if (primary !== undefined && !primary.isComplete) {
      operation.programmatic = true;
      operation.require(primary, after('triggered', times.programmaticLaunch, 'trigger', now));
    } else if (!isWait(command)) {
      if (operation.lifts.has('stream')) requireEvents(operation, tail, known, times, launch, now);
      const before = liftsWaits(operation, tail) ? tail.beforeWaits : previous;
      const reading = command.type === 'record' && readsOther(previous.work, known.device) ? times.eventLookRead : 0;
      const { worked } = tail;
      const looks = worked !== undefined && seenByLooking(worked.work, command, times);
      if (looks) operation.require(worked, after('seen', launch, 'stream', now));
      const entering = readsOther(command, known.device)
        ? times.peerReadStart
        : worked !== undefined && entersEngine(worked.work, command)
          ? engineStart(command, times)
          : 0;
      operation.entersEngine = worked !== undefined && awaitsPickUp(worked.work, command, times);
      if (before !== undefined)
        operation.require(before, after('complete', launch + entering + reading, 'stream', now));
    }
  }
  for (const order of command.after) {
    require(order, 'complete', after('complete', times.eventSignal + launch, order.cause, now));
  }
  requireEvent(operation, known, times, now);
}

/** Waits directly before an operation whose event a question takes away. */
function liftsWaits({ lifts }: DeviceOperation, { waits }: StreamTail): boolean {
  if (lifts.size === 0) return false;
  return waits.some(({ work }) =>
    work.type === 'wait' ? work.on !== undefined && lifts.has('event') : lifts.has('flag'),
  );
}

/** Without the order of the stream, what is left of it: the events that it waited for directly before. */
function requireEvents(
  operation: DeviceOperation,
  { waits }: StreamTail,
  known: KnownOperations,
  times: DeviceTimes,
  launch: number,
  now: number,
): void {
  for (const { work } of waits) {
    if (work.type !== 'wait' || work.on === undefined) continue;
    const { on, milestone } = work;
    const condition = eventCondition(milestone, times, now);
    const later = { ...condition, latency: condition.latency + launch };
    if (on.device === known.device) operation.require(known.own.expect(on.op), later);
    else known.requireRemote(operation, on, milestone, later);
  }
}

/** Makes a wait, of a stream or a graph, wait for its event. */
export function requireEvent(
  operation: DeviceOperation,
  known: KnownOperations,
  times: DeviceTimes,
  now: number,
): void {
  const { work } = operation;
  if (work.type !== 'wait' || work.on === undefined) return;
  const { on, milestone } = work;
  const condition = eventCondition(milestone, times, now);
  if (on.device === known.device) operation.require(known.own.expect(on.op), condition);
  else known.requireRemote(operation, on, milestone, condition);
}

function eventCondition(milestone: Reached, times: DeviceTimes, now: number): Condition {
  if (milestone === 'started') {
    const latency = Math.max(0, times.launchCompletionSignal - times.kernelLaunch);
    return after('started', latency, 'launchCompletion', now);
  }
  const wake: Wake = { by: 'queue', spacing: times.eventWaiterSpacing, second: times.eventSecondWaiter };
  return { ...after('complete', times.eventSignal, 'event', now), wake };
}

/** The copy whose engine carries out a record that comes later in its stream, with something in between. */
function carrierOf({ worked, goesOn }: StreamTail, device: number, times: DeviceTimes): CopyWork | undefined {
  if (worked === undefined || (goesOn && !worked.isComplete)) return undefined;
  const { work } = worked;
  if (work.type !== 'copy' || !usesCopyEngine(work) || travelsInCommand(work, times)) return undefined;
  return work.staging !== undefined || readsOther(work, device) ? undefined : work;
}

/** Makes a node wait for one of another device, by its index. */
export type RequireRemote = (node: number, milestone: Reached, condition: Condition) => void;

/** What a graph's node waits for. Each further dependent of a node starts a little later (case families `fork-*-graph`). */
export function conditionsOfNode(
  operation: DeviceOperation,
  node: ExecutableNode,
  nodes: readonly (DeviceOperation | undefined)[],
  graph: DeviceOperation,
  times: DeviceTimes,
  now: number,
  requireRemote: RequireRemote,
): void {
  const { work } = operation;
  const launch = startLatency(work, times, true);
  for (const edge of node.edges) {
    const on = nodes[edge.from];
    if (on === undefined) {
      requireRemote(edge.from, edge.milestone, after('complete', launch, 'graphEdge', now));
      continue;
    }
    if (edge.milestone === 'complete') {
      operation.orderAfter(on);
      const entering = entersEngine(on.work, work) ? engineStart(work, times) : 0;
      operation.entersEngine ||= awaitsPickUp(on.work, work, times);
      const milestone = seenByLooking(on.work, work, times) ? 'seen' : 'complete';
      const wake: Wake = { by: 'order', spacing: times.eventWaiterSpacingGraph };
      operation.require(on, { ...after(milestone, launch + entering, 'graphEdge', now), wake });
    } else {
      if (edge.programmatic) {
        operation.orderAfter(on);
        operation.programmatic = true;
      }
      const started = edge.milestone === 'started';
      const latency = started ? times.launchCompletionSignalGraph : times.programmaticLaunchGraph;
      operation.require(on, after(edge.milestone, latency, started ? 'launchCompletion' : 'trigger', now));
    }
  }
  if (node.edges.length === 0) {
    operation.cause = graph.cause;
    operation.causeOp = graph.op;
  }
  operation.eligible = Math.max(operation.eligible, now + launch);
}

/** A condition whose waiters all wake at once. */
function after(milestone: Milestone, latency: number, cause: CauseKind, from: number): Condition {
  return { milestone, latency, cause, from, wake: undefined };
}

/** Order satisfied to the start of the work, ps. */
function startLatency(work: Work, times: DeviceTimes, inGraph: boolean): number {
  switch (work.type) {
    case 'kernel':
    case 'collective':
      return inGraph ? times.kernelLaunchGraph : times.kernelLaunch;
    case 'memset':
      return times.memsetStart;
    case 'hostFunction':
      return times.hostFunctionStart;
    case 'graph':
      return times.graphStart;
    default:
      return 0;
  }
}

/** A copy engine takes up work that follows work elsewhere (case families `kernel-copy-kernel-*`). */
function entersEngine(previous: Work, next: Work): boolean {
  return runsOnSms(previous) || (previous.type === 'copy' && next.type === 'copy' && previous.copy !== next.copy);
}

/** The engine of an upload or download has to notice that work elsewhere is over (case families `copy-chain-*`). */
function awaitsPickUp(previous: Work, next: Work, times: DeviceTimes): boolean {
  return (
    entersEngine(previous, next) &&
    next.type === 'copy' &&
    next.copy !== 'peer' &&
    usesCopyEngine(next) &&
    !travelsInCommand(next, times)
  );
}

/** Order satisfied to the start of work on a copy engine that follows work elsewhere, ps. */
function engineStart(work: Work, times: DeviceTimes): number {
  if (!usesCopyEngine(work) || work.type !== 'copy' || travelsInCommand(work, times)) return 0;
  return work.copy === 'peer' ? times.peerStart : times.copyStart;
}

/** What runs on the SMs learns of a copy engine's completion only by looking for it now and then. */
function seenByLooking(previous: Work, next: Work, times: DeviceTimes): boolean {
  return usesCopyEngine(previous) && runsOnSms(next) && !travelsInCommand(previous, times);
}
