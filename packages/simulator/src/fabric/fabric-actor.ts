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
  /** Number of the timer that ends it at its present rate. */
  ending: number;
}

const RESHARE = 1;
const END = 2;
const NOBODY: ReadonlySet<Transfer> = new Set();

/** What a fabric knows of its ports. */
export interface FabricSpec {
  readonly name: string;
  /** Capacity of a port, bytes per second, given which ports are in use (both directions of a link may interfere). */
  capacity(port: string, busy: ReadonlySet<string>): number;
  /** Capacities depend on nothing: what shares no port with a change goes on as it is. */
  readonly portsAreIndependent?: boolean;
  /** Time after which the devices at both ends of a transfer feel it in their memory, ps. */
  readonly loadDelay: number;
}

/** A switch, PCIe root or network: owns the transfers that meet there and shares its ports max-min among them. */
export class FabricActor implements Actor<FabricInbound> {
  readonly name: string;
  private readonly spec: FabricSpec;
  private readonly transfers = new Set<Transfer>();
  private readonly byPort = new Map<string, Set<Transfer>>();
  private readonly byMemory = new Map<number, Set<Transfer>>();
  private readonly byEnding = new Map<number, Transfer>();
  private endings = 0;
  private reshareAt = -1;
  /** Ports of transfers that have come or gone, and actors whose memory they load, since rates were computed. */
  private changedPorts = new Set<string>();
  private changedMemories = new Set<number>();
  /** By device actor, what it was last told of the load on its memory, bytes per second. */
  private readonly told = new Map<number, number>();

  constructor(spec: FabricSpec) {
    this.name = spec.name;
    this.spec = spec;
  }

  /** A transfer begins. */
  receive(message: FabricInbound, source: number, context: Context): void {
    const { id, ports, limit, bytes, answerDelay, loads } = message;
    const transfer: Transfer = {
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
      ending: -1,
    };
    this.transfers.add(transfer);
    for (const port of ports) setOf(this.byPort, port).add(transfer);
    for (const { actor } of loads) setOf(this.byMemory, actor).add(transfer);
    this.changed(transfer, context);
  }

  /** Rates are computed anew, or a transfer ends. */
  timer(code: number, argument: number, context: Context): void {
    if (code === RESHARE) {
      this.reshare(context);
      return;
    }
    const transfer = this.byEnding.get(argument);
    this.byEnding.delete(argument);
    if (transfer?.ending === argument) this.end(transfer, context);
  }

  private changed({ ports, loads }: Transfer, context: Context): void {
    for (const port of ports) this.changedPorts.add(port);
    for (const { actor } of loads) this.changedMemories.add(actor);
    if (this.reshareAt === context.now) return;
    this.reshareAt = context.now;
    context.timer(context.now, 2, RESHARE, 0);
  }

  private end(transfer: Transfer, context: Context): void {
    const { id, ports, loads, limit, bytes, began, asker, answerDelay } = transfer;
    const idle = new Set<string>();
    const alone = Math.min(limit, ...ports.map((p) => this.spec.capacity(p, idle)));
    const actual = context.now - began;
    const message: TransferDoneMessage = { type: 'transferDone', id, actual, alone: Math.ceil((bytes / alone) * 1e12) };
    context.send(asker, answerDelay, message);
    this.transfers.delete(transfer);
    for (const port of ports) this.byPort.get(port)?.delete(transfer);
    for (const { actor } of loads) this.byMemory.get(actor)?.delete(transfer);
    this.changed(transfer, context);
  }

  private reshare(context: Context): void {
    this.reshareAt = -1;
    const { now } = context;
    const affected = this.affected();
    for (const t of affected) {
      t.remaining = Math.max(0, t.remaining - (t.rate * (now - t.settled)) / 1e12);
      t.settled = now;
    }
    const busy = new Set(affected.flatMap((t) => t.ports));
    shareMaxMin(affected, (port) => this.spec.capacity(port, busy));
    for (const t of affected) {
      this.byEnding.delete(t.ending);
      t.ending = this.endings++;
      this.byEnding.set(t.ending, t);
      context.timer(now + Math.ceil((t.remaining / t.rate) * 1e12), 1, END, t.ending);
      for (const { actor } of t.loads) this.changedMemories.add(actor);
    }
    this.tellLoads(context);
  }

  /** Transfers that share ports with what has changed, directly or through others, in a fixed order. */
  private affected(): Transfer[] {
    const ports = this.changedPorts;
    this.changedPorts = new Set();
    if (this.spec.portsAreIndependent !== true) return inOrder(this.transfers);
    const found = new Set<Transfer>();
    // The set grows while it is gone through.
    for (const port of ports) {
      for (const transfer of this.byPort.get(port) ?? NOBODY) {
        if (found.has(transfer)) continue;
        found.add(transfer);
        for (const other of transfer.ports) ports.add(other);
      }
    }
    return inOrder(found);
  }

  /** Devices whose memory is read or written more or less than before learn of it. */
  private tellLoads(context: Context): void {
    const actors = [...this.changedMemories].sort((a, b) => a - b);
    this.changedMemories = new Set();
    for (const actor of actors) {
      let bytesPerSecond = 0;
      for (const { rate, loads } of inOrder(this.byMemory.get(actor) ?? NOBODY)) {
        for (const load of loads) if (load.actor === actor) bytesPerSecond += rate * load.perByte;
      }
      if (bytesPerSecond === (this.told.get(actor) ?? 0)) continue;
      this.told.set(actor, bytesPerSecond);
      const message: MemoryLoadMessage = { type: 'memoryLoad', bytesPerSecond };
      context.send(actor, this.spec.loadDelay, message);
    }
  }
}

function inOrder(transfers: ReadonlySet<Transfer>): Transfer[] {
  return [...transfers].sort((a, b) => a.asker - b.asker || a.id - b.id);
}

function setOf<K>(map: Map<K, Set<Transfer>>, key: K): Set<Transfer> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<Transfer>();
  map.set(key, made);
  return made;
}
