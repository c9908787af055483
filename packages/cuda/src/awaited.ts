import type { Command, EnqueuedOperation, ExecutableGraph, Milestone } from './commands.ts';

/** An operation that a command waits for beyond its own stream's order, and how far it must have come. */
export interface Awaited extends EnqueuedOperation {
  readonly milestone: Milestone;
  /** Device of the graph's node that waits, if it is not the command itself. */
  readonly waiter?: number;
}

/** What a command waits for beyond its own stream's order: implicit orders, and the events of a wait or of a graph's wait nodes. */
export function awaitedBy(command: Command): readonly Awaited[] {
  const orders = command.after.map(({ op, stream, device }) => ({
    op,
    stream,
    device,
    milestone: 'complete' as const,
  }));
  if (command.type === 'graph') return [...orders, ...awaitedByNodes(command.graph)];
  if (command.type !== 'wait' || command.on === undefined) return orders;
  return [...orders, { ...command.on, milestone: command.milestone }];
}

function awaitedByNodes({ nodes }: ExecutableGraph): Awaited[] {
  const awaited: Awaited[] = [];
  for (const { device, work } of nodes) {
    if (work.type === 'wait' && work.on !== undefined) {
      awaited.push({ ...work.on, milestone: work.milestone, waiter: device });
    }
  }
  return awaited;
}
