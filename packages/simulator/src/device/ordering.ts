import type { Command, ExecutableNode } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';
import { type DeviceOperation, runsOnSms, usesCopyEngine, type Work } from './operation.ts';

/** The newest operation of a stream, and the one before it where that one still matters. */
export interface StreamTail {
  readonly operation: DeviceOperation;
  readonly before: StreamTail | undefined;
}

/**
 * What a stream's command waits for: its predecessor, implicit orders, and for a wait the event. The early launch
 * needs a kernel directly before; a record of an event without timing in between does not break it, everything else
 * does (docs/RULES.md 1.15, case families `between-*`).
 */
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
    operation.orderAfter(previous);
    const primary = command.type === 'kernel' && command.programmatic ? directKernel(tail) : undefined;
    if (primary !== undefined && !primary.isComplete) {
      operation.programmatic = true;
      operation.require(primary, 'triggered', times.programmaticLaunch, 'trigger', now);
    } else if (command.type !== 'wait') {
      const milestone = seenByPolling(previous.work, command, times) ? 'seen' : 'complete';
      const entering = entersEngine(previous.work, command, times) ? times.copyStart : 0;
      operation.require(previous, milestone, launch + entering, 'stream', now);
    }
  }
  for (const { op, cause } of command.after) {
    const earlier = operations.get(op);
    if (earlier !== undefined) operation.require(earlier, 'complete', times.eventSignal + launch, cause, now);
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
    operation.require(recorded, 'started', latency, 'launchCompletion', now);
  } else operation.require(recorded, 'complete', times.eventSignal, 'event', now, times.eventWaiterSpacing, false);
}

/** The kernel that a programmatic launch may overlap: directly before, records without timing aside. */
function directKernel(tail: StreamTail): DeviceOperation | undefined {
  let at: StreamTail | undefined = tail;
  while (at !== undefined && at.operation.work.type === 'record' && !at.operation.work.timing) at = at.before;
  return at?.operation.work.type === 'kernel' ? at.operation : undefined;
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
      const milestone = seenByPolling(on.work, work, times) ? 'seen' : 'complete';
      operation.require(on, milestone, launch + entering, 'graphEdge', now, times.eventWaiterSpacingGraph);
    } else {
      if (edge.programmatic) operation.orderAfter(on);
      operation.programmatic = true;
      const started = edge.milestone === 'started';
      const latency = started ? times.launchCompletionSignalGraph : times.programmaticLaunchGraph;
      operation.require(on, edge.milestone, latency, started ? 'launchCompletion' : 'trigger', now);
    }
  }
  if (node.edges.length === 0) {
    operation.cause = graph.cause;
    operation.causeOp = graph.op;
  }
  operation.eligible = Math.max(operation.eligible, now + launch);
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
function seenByPolling(previous: Work, next: Work, times: DeviceTimes): boolean {
  return usesCopyEngine(previous) && runsOnSms(next) && !travelsInCommand(previous, times);
}

/** Uploads of a few bytes need no copy engine (case `kernel-copy-kernel-h2d-256`). */
function travelsInCommand(work: Work, times: DeviceTimes): boolean {
  return work.type === 'copy' && work.copy === 'hostToDevice' && work.bytes <= times.copyInline;
}
