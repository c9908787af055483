import type { HostRecord } from './host-record.ts';

/** Gives the records of calls that have returned, each once, to those who look on while the simulation runs. */
export class FinishedCalls {
  /** Records that have been looked at. */
  private looked = 0;
  /** Records of calls that had not returned then. */
  private open: HostRecord[] = [];

  /**
   * @param records of all calls, to which new ones are appended
   * @param waiting those of calls that have not returned
   * @returns undefined for none
   */
  take(records: readonly HostRecord[], waiting: ReadonlySet<HostRecord>): HostRecord[] | undefined {
    const candidates = [...this.open, ...records.slice(this.looked)];
    this.looked = records.length;
    this.open = candidates.filter((record) => waiting.has(record));
    const returned = candidates.filter((record) => !waiting.has(record));
    return returned.length === 0 ? undefined : returned;
  }
}
