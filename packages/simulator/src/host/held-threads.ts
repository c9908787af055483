import type { HostRecord } from './host-record.ts';

/** Which call held a host thread before another. */
export class HeldThreads {
  private readonly newest = new Map<string, HostRecord>();

  /** The operation whose call held the thread for longer than it then took to come to this one, or -1. To be asked in order. */
  before(record: HostRecord): number {
    const { thread, callBegin, waitedFor } = record;
    const before = this.newest.get(thread);
    if (waitedFor !== undefined) this.newest.set(thread, record);
    const wait = before?.waitedFor?.at(-1);
    if (before === undefined || wait === undefined) return -1;
    return callBegin - before.callEnd < wait.until - wait.from ? before.op : -1;
  }
}
