import type { DeviceTimes } from './body.ts';
import type { HardwareQueue } from './hardware-queue.ts';
import type { DeviceOperation } from './operation.ts';

/**
 * The front end holds only so many hardware queues at a time; a kernel launch from another has it loaded first, in
 * place of the one used longest ago. A wait loads its queue while it waits, and a programmatic launch has been handed
 * on together with its primary (case families `parallel-chains-*`, `parallel-pdl-chains-*`).
 */
export class Channels {
  private readonly times: DeviceTimes;
  private readonly slots: { queue: HardwareQueue | undefined; freeAt: number; usedAt: number }[];

  constructor(times: DeviceTimes) {
    this.times = times;
    this.slots = Array.from({ length: times.channelSlots }, () => ({ queue: undefined, freeAt: 0, usedAt: -1 }));
  }

  /** A queue is loaded. */
  holds(queue: HardwareQueue): boolean {
    return this.slots.some((slot) => slot.queue === queue);
  }

  /** Uses a queue for an operation; returns the time until it can act, ps. */
  use(queue: HardwareQueue, operation: DeviceOperation, now: number): number {
    const loaded = this.slots.find((s) => s.queue === queue);
    if (loaded !== undefined) {
      loaded.usedAt = now;
      return Math.max(0, loaded.freeAt - now);
    }
    const [slot] = [...this.slots].sort((a, b) => a.usedAt - b.usedAt);
    if (slot === undefined) return 0;
    const empty = slot.queue === undefined;
    const free = empty || operation.programmatic || operation.work.type === 'wait';
    const ready = free ? now : Math.max(now, slot.freeAt) + this.times.channelLoad;
    Object.assign(slot, { queue, freeAt: ready, usedAt: ready });
    return ready - now;
  }
}
