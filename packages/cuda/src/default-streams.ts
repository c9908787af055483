import type { Order } from './commands.ts';

/**
 * The implicit order between the legacy default stream of a device and its blocking streams (rules 5.1, 5.2): work in
 * the legacy stream comes after all earlier work in blocking streams, and later work in those after it.
 */
export class LegacyOrder {
  /** Newest operation of each blocking stream since the legacy stream's newest. */
  private readonly sinceLegacy = new Map<number, number>();
  private legacy = -1;
  /** Streams that the newest legacy operation has not yet been imposed on. */
  private readonly ordered = new Set<number>();

  /** Notes an operation and returns what it must come after. */
  note(stream: number, op: number, kind: 'blocking' | 'nonBlocking' | 'legacy' | 'perThread'): readonly Order[] {
    if (kind === 'nonBlocking') return [];
    if (kind === 'legacy') {
      const after = [...this.sinceLegacy.values()].map((earlier) => ({ op: earlier, cause: 'legacyStream' as const }));
      this.sinceLegacy.clear();
      this.ordered.clear();
      this.legacy = op;
      return after;
    }
    this.sinceLegacy.set(stream, op);
    if (this.legacy < 0 || this.ordered.has(stream)) return [];
    this.ordered.add(stream);
    return [{ op: this.legacy, cause: 'legacyStream' }];
  }
}
