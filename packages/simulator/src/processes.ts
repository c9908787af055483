import { touchedDevices } from '@griddep/cuda';
import type { Call, CallOf, Kernel, Program } from '@griddep/program';

/** Host threads and devices that have nothing to do with other threads and devices, but for collectives. */
export interface Process {
  /** Indices of its host threads in the program, ascending. */
  readonly threads: readonly number[];
  /** Its devices, ascending. */
  readonly devices: readonly number[];
}

/** Distinct calls of each thread that are looked at before it is seen whether all threads already belong together. */
const AT_A_TIME = 64;

/**
 * Divides a program: threads belong together when they share a device, an object of CUDA's or a flag, and what belongs
 * together is one process, with a host actor of its own. Processes that share nothing need no promises from each other.
 * Devices that no thread names belong to the first.
 */
export function processesOf(program: Program, devices: number): readonly Process[] {
  const { threads } = program;
  const whole = [wholeProcess(program, devices)];
  if (threads.length < 2) return whole;
  const sets = new DisjointSets();
  const shares = new Shares(program, sets);
  for (const [i, { device }] of threads.entries()) sets.join(threadKey(i), deviceKey(device));
  for (let from = 0; threads.some(({ calls }) => calls.distinct > from); from += AT_A_TIME) {
    for (const [i, { calls }] of threads.entries()) {
      const until = Math.min(calls.distinct, from + AT_A_TIME);
      for (let shape = from; shape < until; shape++) shares.call(threadKey(i), calls.distinctCall(shape));
    }
    if (new Set(threads.map((_, i) => sets.of(threadKey(i)))).size === 1) return whole;
  }
  const found = new Map<string, { threads: number[]; devices: number[] }>();
  for (const i of threads.keys()) {
    const set = sets.of(threadKey(i));
    const process = found.get(set) ?? { threads: [], devices: [] };
    found.set(set, process);
    process.threads.push(i);
  }
  const processes = [...found.values()];
  for (let d = 0; d < devices; d++) (found.get(sets.of(deviceKey(d))) ?? processes[0])?.devices.push(d);
  return processes;
}

/** All threads and devices as one process. */
export function wholeProcess({ threads }: Program, devices: number): Process {
  return { threads: [...threads.keys()], devices: Array.from({ length: devices }, (_, d) => d) };
}

/** By device, the index of its process. */
export function processOfDevice(processes: readonly Process[], devices: number): number[] {
  const of = Array.from({ length: devices }, () => 0);
  for (const [i, process] of processes.entries()) for (const device of process.devices) of[device] = i;
  return of;
}

/** Joins a thread with what its calls name. */
class Shares {
  private readonly program: Program;
  private readonly sets: DisjointSets;
  /** By kernel, what it shares: flags, and the devices of buffers that it names itself. */
  private readonly kernels: ReadonlyMap<string, readonly string[]>;

  constructor(program: Program, sets: DisjointSets) {
    this.program = program;
    this.sets = sets;
    const device = (buffer: string): string[] => this.bufferKeys(buffer);
    this.kernels = new Map([...program.kernels].map(([name, kernel]) => [name, keysOfKernel(kernel, device)]));
    for (const [name, graph] of program.graphs) {
      for (const { call } of graph.nodes) this.call(`graph ${name}`, call);
    }
  }

  /** A thread makes a call, or a graph holds it. */
  call(who: string, call: Call): void {
    for (const key of this.keys(call)) this.sets.join(who, key);
  }

  private keys(call: Call): string[] {
    const { streams, events } = this.program;
    const keys: string[] = [];
    if ('stream' in call) keys.push(deviceKey(streams.get(call.stream)?.device ?? 0));
    for (const event of eventsOf(call)) keys.push(`event ${event}`, deviceKey(events.get(event)?.device ?? 0));
    if ('graph' in call) keys.push(`graph ${call.graph}`);
    if ('executable' in call) keys.push(`executable ${call.executable}`);
    if ('flag' in call) keys.push(`flag ${call.flag}`);
    if ('buffer' in call) keys.push(`buffer ${call.buffer}`, ...this.bufferKeys(call.buffer));
    switch (call.kind) {
      case 'launchKernel':
        keys.push(...(this.kernels.get(call.kernel) ?? []));
        for (const buffer of Object.values(call.args ?? {})) keys.push(...this.bufferKeys(buffer));
        // Without access to it, every call of the program fails from then on (rule 6.10).
        if (this.touchesPeer(call)) keys.push(...this.allThreads());
        break;
      case 'memcpy':
        for (const device of [call.sourceDevice, call.destinationDevice]) {
          if (device !== undefined) keys.push(deviceKey(device));
        }
        break;
      case 'setDevice':
        keys.push(deviceKey(call.device));
        break;
      case 'deviceEnablePeerAccess':
      case 'deviceDisablePeerAccess':
        keys.push(deviceKey(call.peer));
        break;
      case 'streamBeginCapture':
        // Forbids some calls to all threads of the program (rule 5.20).
        if (call.mode === 'global') keys.push(...this.allThreads());
        break;
      case 'freeHost':
        // Waits for all devices (rule 6.7).
        keys.push(...this.allThreads());
        break;
      default:
    }
    return keys;
  }

  private touchesPeer({ kernel, stream, args }: CallOf<'launchKernel'>): boolean {
    const { kernels, streams } = this.program;
    const launched = kernels.get(kernel);
    const touched = launched === undefined ? [] : [...touchedDevices(this.program, launched, args)];
    return touched.some((device) => device !== streams.get(stream)?.device);
  }

  private allThreads(): string[] {
    return this.program.threads.map((_, i) => threadKey(i));
  }

  private bufferKeys(name: string): string[] {
    const buffer = this.program.buffers.get(name);
    return buffer === undefined || buffer.space === 'host' ? [] : [deviceKey(buffer.device)];
  }
}

function eventsOf(call: Call): string[] {
  if (call.kind === 'launchKernel') {
    const { programmaticEvent, launchCompletionEvent } = call.attributes;
    return [programmaticEvent?.event, launchCompletionEvent?.event].filter((event) => event !== undefined);
  }
  if (call.kind === 'eventElapsedTime') return [call.start, call.end];
  return 'event' in call ? [call.event] : [];
}

function keysOfKernel({ body, parameters }: Kernel, devicesOf: (buffer: string) => string[]): string[] {
  const keys = parameters.flatMap(({ buffer }) => (buffer === undefined ? [] : devicesOf(buffer)));
  if (body.kind !== 'phases') return keys;
  for (const { phases } of body.roles) {
    for (const phase of phases) {
      if (phase.op === 'signal' || phase.op === 'await') keys.push(`flag ${phase.flag}`);
      if ((phase.op === 'load' || phase.op === 'store') && phase.range !== undefined) {
        keys.push(...devicesOf(phase.range.buffer));
      }
    }
  }
  return keys;
}

/** Union-find over names. */
class DisjointSets {
  private readonly parents = new Map<string, string>();

  /** The set that a name is in, by one of its names. */
  of(name: string): string {
    let root = name;
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root)) root = parent;
    for (let each = name; each !== root; ) {
      const parent = this.parents.get(each) as string;
      this.parents.set(each, root);
      each = parent;
    }
    return root;
  }

  join(a: string, b: string): void {
    const [one, other] = [this.of(a), this.of(b)];
    if (one !== other) this.parents.set(other, one);
  }
}

function threadKey(index: number): string {
  return `thread ${index}`;
}

function deviceKey(device: number): string {
  return `device ${device}`;
}
