import type { ValueCommand } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';
import type { AwaitedFlag, Flags } from './flags.ts';
import { DeviceOperation } from './operation.ts';
import type { Clock } from './unit-context.ts';

/** A wait of a stream or a graph for a value in memory. */
interface Waiter {
  readonly op: number;
  readonly flag: string;
  readonly value: number;
  /** Stands for the value: complete once the flag is as high. */
  readonly reached: DeviceOperation;
}

/**
 * Waits of streams for values in memory (docs/RULES.md 5.13). The queue of the waiter looks at the value as it looks for
 * events, and nothing says who will write it.
 */
export class StreamValues {
  private readonly flags: Flags;
  private readonly times: Pick<DeviceTimes, 'eventSignal'>;
  private readonly complete: (reached: DeviceOperation, clock: Clock) => void;
  private waiting: Waiter[] = [];

  constructor(
    flags: Flags,
    times: Pick<DeviceTimes, 'eventSignal'>,
    complete: (reached: DeviceOperation, clock: Clock) => void,
  ) {
    this.flags = flags;
    this.times = times;
    this.complete = complete;
  }

  /** Makes an operation that waits for a value do so. */
  require(operation: DeviceOperation, { flag, value }: Pick<ValueCommand, 'flag' | 'value'>, now: number): void {
    if (operation.lifts.has('flag') || this.flags.holds(flag, value)) return;
    const reached = new DeviceOperation(NOBODY, -1, VALUE, false, now);
    const latency = this.times.eventSignal;
    operation.require(reached, { milestone: 'complete', latency, cause: 'flag', from: now, wake: undefined });
    this.waiting.push({ op: operation.op, flag, value, reached });
  }

  /** A flag has risen: waits that it satisfies are over. */
  raised(flag: string, clock: Clock): void {
    const over = this.waiting.filter((w) => w.flag === flag && this.flags.holds(flag, w.value));
    if (over.length === 0) return;
    this.waiting = this.waiting.filter((w) => !over.includes(w));
    for (const { reached } of over) this.complete(reached, clock);
  }

  /** Values that are still awaited. */
  awaited(): AwaitedFlag[] {
    return this.waiting.map(({ op, flag, value }) => ({ op, flag, value }));
  }
}

/** No operation is known that will bring it about. */
const NOBODY = -1;
const VALUE = { type: 'empty' } as const;
