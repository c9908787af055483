import type { Actor, Context } from '@griddep/engine';
import type { FabricInbound, MemoryLoad, MemoryLoadMessage, TransferDoneMessage } from '../messages.ts';
import { type Share, shareMaxMin } from './max-min.ts';

interface Transfer extends Share {
  readonly id: number;
  readonly asker: number;
  readonly answerDelay: number;
  readonly loads: readonly MemoryLoad[];
  readonly began: number;
  readonly bytes: number;
  /** Bytes left at `settled`. */
  remaining: number;
  settled: number;
  finish: number;
}

const RESHARE = 1;
const NEXT_END = 2;

/** What a fabric knows of its ports. */
export interface FabricSpec {
  readonly name: string;
  /** Capacity of a port, bytes per second, given which ports are in use (both directions of a link may interfere). */
  capacity(port: string, busy: ReadonlySet<string>): number;
  /** Time after which the devices at both ends of a transfer feel it in their memory, ps. */
  readonly loadDelay: number;
}

/** A switch, PCIe root or network: owns the transfers that meet there and shares its ports max-min among them. */
export class FabricActor implements Actor<FabricInbound> {
  readonly name: string;
  private readonly spec: FabricSpec;
  private transfers: Transfer[] = [];
  private reshareAt = -1;
  private version = 0;
  /** By device actor, what it was last told of the load on its memory, bytes per second. */
  private readonly told = new Map<number, number>();

  constructor(spec: FabricSpec) {
    this.name = spec.name;
    this.spec = spec;
  }

  /** A transfer begins. */
  receive(message: FabricInbound, source: number, context: Context): void {
    const { id, ports, limit, bytes, answerDelay, loads } = message;
    this.transfers.push({
      id,
      ports,
      limit,
      bytes,
      answerDelay,
      loads,
      asker: source,
      rate: 0,
      began: context.now,
      remaining: bytes,
      settled: context.now,
      finish: Number.POSITIVE_INFINITY,
    });
    this.requestReshare(context);
  }

  /** Rates are computed anew, or the next transfer ends. */
  timer(code: number, argument: number, context: Context): void {
    if (code === RESHARE) this.reshare(context);
    else if (argument === this.version) this.finishDue(context);
  }

  private requestReshare(context: Context): void {
    if (this.reshareAt === context.now) return;
    this.reshareAt = context.now;
    context.timer(context.now, 2, RESHARE, 0);
  }

  private finishDue(context: Context): void {
    const { now } = context;
    const done = this.transfers.filter((t) => t.finish <= now);
    this.transfers = this.transfers.filter((t) => t.finish > now);
    const idle = new Set<string>();
    for (const t of done) {
      const alone = Math.min(t.limit, ...t.ports.map((p) => this.spec.capacity(p, idle)));
      const message: TransferDoneMessage = {
        type: 'transferDone',
        id: t.id,
        actual: now - t.began,
        alone: Math.ceil((t.bytes / alone) * 1e12),
      };
      context.send(t.asker, t.answerDelay, message);
    }
    this.requestReshare(context);
  }

  private reshare(context: Context): void {
    this.reshareAt = -1;
    const { now } = context;
    for (const t of this.transfers) {
      t.remaining = Math.max(0, t.remaining - (t.rate * (now - t.settled)) / 1e12);
      t.settled = now;
    }
    const busy = new Set(this.transfers.flatMap((t) => t.ports));
    this.transfers.sort((a, b) => a.asker - b.asker || a.id - b.id);
    shareMaxMin(this.transfers, (port) => this.spec.capacity(port, busy));
    let next = Number.POSITIVE_INFINITY;
    for (const t of this.transfers) {
      t.finish = now + Math.ceil((t.remaining / t.rate) * 1e12);
      next = Math.min(next, t.finish);
    }
    this.version++;
    if (next < Number.POSITIVE_INFINITY) context.timer(next, 1, NEXT_END, this.version);
    this.tellLoads(context);
  }

  /** Devices whose memory is read or written more or less than before learn of it. */
  private tellLoads(context: Context): void {
    const loads = new Map<number, number>();
    for (const actor of this.told.keys()) loads.set(actor, 0);
    for (const { rate, loads: own } of this.transfers) {
      for (const { actor, perByte } of own) loads.set(actor, (loads.get(actor) ?? 0) + rate * perByte);
    }
    for (const [actor, bytesPerSecond] of [...loads].sort((a, b) => a[0] - b[0])) {
      if (bytesPerSecond === (this.told.get(actor) ?? 0)) continue;
      this.told.set(actor, bytesPerSecond);
      const message: MemoryLoadMessage = { type: 'memoryLoad', bytesPerSecond };
      context.send(actor, this.spec.loadDelay, message);
    }
  }
}
