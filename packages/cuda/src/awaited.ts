import type { Command, EnqueuedOperation, Milestone } from './commands.ts';

/** An operation that a command waits for beyond its own stream's order, and how far it must have come. */
export interface Awaited extends EnqueuedOperation {
  readonly milestone: Milestone;
}

/** What a command waits for beyond its own stream's order: implicit orders, and the event of a wait. */
export function awaitedBy(command: Command): readonly Awaited[] {
  const orders = command.after.map(({ op, stream, device }) => ({
    op,
    stream,
    device,
    milestone: 'complete' as const,
  }));
  if (command.type !== 'wait' || command.on === undefined) return orders;
  return [...orders, { ...command.on, milestone: command.milestone }];
}
