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
  private readonly words = new Map<string, number>();
  private readonly hostFlags: ReadonlySet<string>;

  constructor(program: Program) {
    this.streams = numbered(program.streams.keys());
    this.events = numbered(program.events.keys());
    this.buffers = numbered(program.buffers.keys());
    this.allocations = numbered(new Set([...program.buffers.values()].map((b) => b.allocation)));
    this.hostFlags = flagsOfHost(program);
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

  /** Whether kernels of one device alone use a flag, so that it is in the device's memory. */
  onDevice(name: string): boolean {
    return !this.hostFlags.has(name);
  }

  /** A word in the memory of its device: a flag, or the counter of a barrier. */
  word(name: string): number {
    const number = numberOf(this.words, name);
    if (number >= 4096) throw new ExportError('more than 4096 flags and grid barriers');
    return number;
  }
}

/** Flags that the host, a stream or kernels of several devices use: they are in the host's memory. */
function flagsOfHost(program: Program): Set<string> {
  const flags = new Set<string>();
  const devices = new Map<string, number>();
  const launched = (kernel: string, stream: string) => {
    const body = program.kernels.get(kernel)?.body;
    const device = program.streams.get(stream)?.device ?? 0;
    for (const phase of body?.kind === 'phases' ? body.roles.flatMap(({ phases }) => phases) : []) {
      if (phase.op !== 'signal' && phase.op !== 'await') continue;
      if ((devices.get(phase.flag) ?? device) !== device) flags.add(phase.flag);
      devices.set(phase.flag, device);
    }
  };
  for (const { nodes } of program.graphs.values()) {
    for (const { call } of nodes) if (call.kind === 'launchKernel') launched(call.kernel, call.stream);
  }
  for (const { calls } of program.threads) {
    for (let i = 0; i < calls.distinct; i++) {
      const call = calls.distinctCall(i);
      if (call.kind === 'launchKernel') launched(call.kernel, call.stream);
      else if ('flag' in call) flags.add(call.flag);
    }
  }
  return flags;
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
