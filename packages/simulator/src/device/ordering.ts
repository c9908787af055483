import type { Command, ExecutableNode } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';
import type { DeviceOperation, Work } from './operation.ts';

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
      operation.require(previous, 'complete', launch + switchLatency(previous.work, command, times), 'stream', now);
    }
  }
  for (const { op, cause } of command.after) {
    const earlier = operations.get(op);
    if (earlier !== undefined) operation.require(earlier, 'complete', times.eventSignal + launch, cause, now);
  }
  if (command.type === 'wait') awaitEvent(operation, command, operations, times, now);
  operation.eligible = Math.max(operation.eligible, now + launch);
}

function awaitEvent(operation: DeviceOperation, command: Command & { type: 'wait' }, operations: ReadonlyMap<number, DeviceOperation>, times: DeviceTimes, now: number): void {
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
      operation.require(on, 'complete', launch + switchLatency(on.work, work, times), 'graphEdge', now, times.eventWaiterSpacingGraph);
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
    case 'copy':
      return work.copy === 'deviceToDevice' ? times.copyStartWithin : 0;
    case 'hostFunction':
      return times.hostFunctionStart;
    case 'graph':
      return times.graphStart;
    default:
      return 0;
  }
}

/** Time to pass between the compute queues and a copy engine, in either direction (case families `kernel-copy-kernel-*`). */
function switchLatency(previous: Work, next: Work, times: DeviceTimes): number {
  const from = previous.type === 'copy' ? previous.copy : undefined;
  const to = next.type === 'copy' ? next.copy : undefined;
  if (from === 'deviceToDevice' && to === undefined) return times.copyCompleteWithin;
  const leaves = from !== undefined && from !== 'deviceToDevice';
  const enters = to !== undefined && to !== 'deviceToDevice';
  if (leaves && !enters && next.type !== 'record') return times.copyComplete;
  return enters && previous.type === 'kernel' ? times.copyStart : 0;
}
