import type { DeviceOperation } from './operation.ts';
import type { Clock } from './unit-context.ts';

/** By direction, seen from the device. */
export type EngineName = 'up' | 'down' | 'peer';

/** Something that an engine does from `start` until it is told that it has ended. */
export interface Turn {
  readonly engine: EngineName;
  /** The operation that it is done for; also a part of one. */
  readonly operation: DeviceOperation;
  start(clock: Clock): void;
}

interface Engine {
  readonly name: EngineName;
  readonly capacity: number;
  readonly running: Set<Turn>;
  readonly waiting: { readonly turn: Turn; readonly since: number }[];
}

/**
 * Copy engines of a device: copies of one direction take turns, in the order in which they became ready, and with none
 * for downloads those of both directions (rule 6.11).
 */
export class CopyEngines {
  private readonly engines: Readonly<Record<EngineName, Engine>>;

  constructor(counts: Readonly<Record<EngineName, number>>) {
    const engine = (name: EngineName): Engine => ({ name, capacity: counts[name], running: new Set(), waiting: [] });
    const up = engine('up');
    this.engines = { up, down: counts.down === 0 ? up : engine('down'), peer: engine('peer') };
  }

  /** A turn whose order holds: it starts now, or when it is the first in line. */
  take(turn: Turn, clock: Clock): void {
    const engine = this.engines[turn.engine];
    if (engine.running.size >= engine.capacity && !turn.operation.lifts.has('engine')) {
      engine.waiting.push({ turn, since: clock.now });
      return;
    }
    engine.running.add(turn);
    turn.start(clock);
  }

  /** A turn has ended; the next takes its place. */
  leave(turn: Turn, clock: Clock): void {
    const engine = this.engines[turn.engine];
    engine.running.delete(turn);
    if (engine.running.size >= engine.capacity) return;
    const next = engine.waiting.shift();
    if (next === undefined) return;
    next.turn.operation.heldUntil('engine', turn.operation.op, next.since, clock.now, engine.name);
    engine.running.add(next.turn);
    next.turn.start(clock);
  }
}
