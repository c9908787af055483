import type { Order } from './commands.ts';

/**
 * The implicit order between the legacy default stream of a device and its blocking streams (rules 5.1, 5.2): work in
 * the legacy stream comes after all earlier work in blocking streams, and later work in those after it. The same order
 * is that of a call that no work of different streams overlaps across (rule 6.6), whichever stream it is in.
 */
export class LegacyOrder {
  private readonly device: number;
  private readonly cause: Order['cause'];
  /** Newest operation of each blocking stream since the legacy stream's newest. */
  private readonly sinceLegacy = new Map<number, number>();
  private legacy: Order | undefined;
  /** Streams that the newest legacy operation has not yet been imposed on. */
  private readonly ordered = new Set<number>();

  constructor(device: number, cause: Order['cause']) {
    this.device = device;
    this.cause = cause;
  }

  /** Notes an operation and returns what it must come after. */
  note(stream: number, op: number, kind: 'blocking' | 'nonBlocking' | 'legacy' | 'perThread'): readonly Order[] {
    if (kind === 'nonBlocking') return [];
    if (kind === 'legacy') {
      this.sinceLegacy.delete(stream);
      const after = [...this.sinceLegacy].map(([of, earlier]) => this.order(earlier, of));
      // What came between is after the newest of another stream already.
      if (after.length === 0 && this.legacy !== undefined && this.legacy.stream !== stream) after.push(this.legacy);
      this.sinceLegacy.clear();
      this.ordered.clear();
      this.ordered.add(stream);
      this.legacy = this.order(op, stream);
      return after;
    }
    this.sinceLegacy.set(stream, op);
    if (this.legacy === undefined || this.ordered.has(stream)) return [];
    this.ordered.add(stream);
    return [this.legacy];
  }

  private order(op: number, stream: number): Order {
    return { op, stream, device: this.device, cause: this.cause };
  }
}
