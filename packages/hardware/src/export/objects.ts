import type { Program } from '@griddep/program';
import { ExportError } from './export-error.ts';

/** Numbers of a program's objects, in order of declaration: what the written program knows them by. */
export class Objects {
  readonly streams: ReadonlyMap<string, number>;
  readonly events: ReadonlyMap<string, number>;
  readonly buffers: ReadonlyMap<string, number>;
  readonly allocations: ReadonlyMap<string, number>;
  readonly graphs = new Map<string, number>();
  readonly executables = new Map<string, number>();
  private readonly flags = new Map<string, number>();
  private barrierCount = 0;

  constructor(program: Program) {
    this.streams = numbered(program.streams.keys());
    this.events = numbered(program.events.keys());
    this.buffers = numbered(program.buffers.keys());
    this.allocations = numbered(new Set([...program.buffers.values()].map((b) => b.allocation)));
    for (const name of program.graphs.keys()) numberOf(this.graphs, name);
    for (const { calls } of program.threads) {
      for (let i = 0; i < calls.distinct; i++) {
        const call = calls.distinctCall(i);
        if (call.kind === 'streamEndCapture') numberOf(this.graphs, call.graph);
        else if (call.kind === 'graphInstantiate') numberOf(this.executables, call.executable);
      }
    }
  }

  flag(name: string): number {
    const number = numberOf(this.flags, name);
    if (number >= 4096) throw new ExportError('more than 4096 flags');
    return number;
  }

  /** The counter of a barrier of its own. */
  barrier(): number {
    if (this.barrierCount >= 4096) throw new ExportError('more than 4096 launches with a grid barrier');
    return this.barrierCount++;
  }
}

/** The number of a name that a program declares. */
export function known(map: ReadonlyMap<string, number>, name: string): number {
  const number = map.get(name);
  if (number === undefined) throw new ExportError(`nothing is called "${name}"`);
  return number;
}

function numberOf(map: Map<string, number>, name: string): number {
  const number = map.get(name) ?? map.size;
  map.set(name, number);
  return number;
}

function numbered(names: Iterable<string>): ReadonlyMap<string, number> {
  return new Map([...names].map((name, i) => [name, i]));
}
