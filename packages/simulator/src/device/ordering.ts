import type { Command, CopyWork, ExecutableNode } from '@griddep/cuda';
import type { CauseKind } from '@griddep/timeline';
import type { DeviceTimes } from './body.ts';
import type { Condition, DeviceOperation } from './operation.ts';
import type { Wake } from './waking.ts';
import { type Milestone, runsOnSms, usesCopyEngine, type Work } from './work.ts';

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
  /** Only records of events have come since: they go on with what that work's engine is at. */
  readonly goesOn: boolean;
}

/** The tail of a stream after a further operation. */
export function nextTail(operation: DeviceOperation, before: StreamTail | undefined): StreamTail {
  const { work } = operation;
  const worked = ofEvents(work) ? before?.worked : operation;
  const goesOn = work.type === 'record' ? (before?.goesOn ?? false) : work.type !== 'wait';
  if (work.type === 'record' && !work.timing) return { operation, kernel: before?.kernel, worked, goesOn };
  return { operation, kernel: work.type === 'kernel' ? operation : undefined, worked, goesOn };
}

/** Work that any queue does. */
function ofEvents(work: Work): boolean {
  return work.type === 'record' || work.type === 'wait';
}

/** What a stream's command waits for: its predecessor, implicit orders, and for a wait the event. */
export function conditionsOfCommand(
  operation: DeviceOperation,
  command: Command,
  tail: StreamTail | undefined,
  operations: ReadonlyMap<number, DeviceOperation>,
  times: DeviceTimes,
  now: number,
): void {
  const launch = startLatency(command, times, false);
  if (tail !== undefined) {
    const previous = tail.operation;
    if (command.type === 'record') operation.carrier = carrierOf(tail);
    operation.orderAfter(previous);
    const primary = command.type === 'kernel' && command.programmatic ? tail.kernel : undefined;
    if (primary !== undefined && !primary.isComplete) {
      operation.programmatic = true;
      operation.require(primary, after('triggered', times.programmaticLaunch, 'trigger', now));
    } else if (command.type !== 'wait') {
      const { worked } = tail;
      const entering = worked !== undefined && entersEngine(worked.work, command, times) ? times.copyStart : 0;
      const looks = worked !== undefined && seenByLooking(worked.work, command, times);
      if (looks) operation.require(worked, after('seen', launch, 'stream', now));
      operation.require(previous, after('complete', launch + entering, 'stream', now));
    }
  }
  for (const { op, cause } of command.after) {
    const earlier = operations.get(op);
    if (earlier !== undefined) operation.require(earlier, after('complete', times.eventSignal + launch, cause, now));
  }
  if (command.type === 'wait') awaitEvent(operation, command, operations, times, now);
  operation.eligible = Math.max(operation.eligible, now + launch);
}

function awaitEvent(
  operation: DeviceOperation,
  command: Command & { type: 'wait' },
  operations: ReadonlyMap<number, DeviceOperation>,
  times: DeviceTimes,
  now: number,
): void {
  const recorded = operations.get(command.on);
  if (recorded === undefined) return;
  if (command.milestone === 'started') {
    const latency = Math.max(0, times.launchCompletionSignal - times.kernelLaunch);
    operation.require(recorded, after('started', latency, 'launchCompletion', now));
    return;
  }
  const wake: Wake = { by: 'queue', spacing: times.eventWaiterSpacing, second: times.eventSecondWaiter };
  operation.require(recorded, { ...after('complete', times.eventSignal, 'event', now), wake });
}

/** The copy whose engine carries out a record that comes later in its stream, with something in between. */
function carrierOf({ worked, goesOn }: StreamTail): CopyWork | undefined {
  if (worked === undefined || (goesOn && !worked.isComplete)) return undefined;
  const { work } = worked;
  return work.type === 'copy' && usesCopyEngine(work) ? work : undefined;
}

/** What a graph's node waits for. Each further dependent of a node starts a little later (case families `fork-*-graph`). */
export function conditionsOfNode(
  operation: DeviceOperation,
  node: ExecutableNode,
  nodes: readonly DeviceOperation[],
  graph: DeviceOperation,
  times: DeviceTimes,
  now: number,
): void {
  const { work } = operation;
  const launch = startLatency(work, times, true);
  for (const edge of node.edges) {
    const on = nodes[edge.from] as DeviceOperation;
    if (edge.milestone === 'complete') {
      operation.orderAfter(on);
      const entering = entersEngine(on.work, work, times) ? times.copyStart : 0;
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
function entersEngine(previous: Work, next: Work, times: DeviceTimes): boolean {
  if (!usesCopyEngine(next) || travelsInCommand(next, times)) return false;
  return runsOnSms(previous) || (previous.type === 'copy' && next.type === 'copy' && previous.copy !== next.copy);
}

/** What runs on the SMs learns of a copy engine's completion only by looking for it now and then. */
function seenByLooking(previous: Work, next: Work, times: DeviceTimes): boolean {
  return usesCopyEngine(previous) && runsOnSms(next) && !travelsInCommand(previous, times);
}

/** Uploads of a few bytes need no copy engine (case `kernel-copy-kernel-h2d-256`). */
function travelsInCommand(work: Work, times: DeviceTimes): boolean {
  return work.type === 'copy' && work.copy === 'hostToDevice' && work.bytes <= times.copyInline;
}
