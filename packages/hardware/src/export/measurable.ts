import {
  type Call,
  CallTable,
  type Event,
  type HostThread,
  type Kernel,
  type Picoseconds,
  type Program,
  SOLE_ROLE,
  type Stream,
} from '@griddep/program';
import type { EventsAround, Observation } from '../measured-case.ts';
import { CallWriter } from './call-writer.ts';
import { Captures } from './captures.ts';
import { ExportError } from './export-error.ts';
import { gatePlace, preparingCalls } from './gateable.ts';
import { Labels } from './labels.ts';
import { lastWork, WORK } from './last-work.ts';
import { measurableKernels } from './measurable-kernels.ts';

/** A program as it runs on hardware, with the measuring around it, and what of it is measured. */
export interface Measurable {
  readonly program: Program;
  readonly observation: Observation;
  readonly gated: boolean;
  /** Index of the call of the first thread whose begin is the zero of a case without a gate. */
  readonly zeroCall: number;
  readonly devices: number;
  readonly gateKernel: string;
  /** The flag that opens the gate. */
  readonly gateFlag: string;
  /** Copies with the events around them, and the event that their stamps count from. */
  readonly copies: readonly { readonly label: string; readonly device: number; readonly around: EventsAround }[];
}

export interface MeasurableOptions {
  /** Whether the host enqueues everything before the device begins: where that is possible (auto), or never. */
  readonly gate?: 'auto' | 'never';
  /** Labels of copies without events around them, since those would change what a program shows. */
  readonly untimed?: ReadonlySet<string>;
}

/** What the host lets pass before it opens the gate: the last call's work reaches the device. */
const SETTLE = 50_000_000 as Picoseconds;

/**
 * Puts the measuring around a program: kernels that stamp their phases, a gate that holds the streams until all calls were
 * made, events around copies, and what brings each stream to the engine that the repetition before left it at.
 *
 * @throws ExportError for what cannot run as CUDA C++
 */
export function measurable(
  source: Program,
  { gate = 'auto', untimed = new Set() }: MeasurableOptions = {},
): Measurable {
  return new Measuring(measurableKernels(source), gate, untimed).make();
}

class Measuring {
  private readonly source: Program;
  private readonly untimed: ReadonlySet<string>;
  private readonly place: ReturnType<typeof gatePlace>;
  private readonly devices: number;
  private readonly streams: Map<string, Stream>;
  private readonly events: Map<string, Event>;
  private readonly kernels: Map<string, Kernel>;
  private readonly labels: Labels;
  private readonly names: { readonly kernel: string; readonly flag: string; readonly start: string };
  private readonly around = new Map<string, EventsAround>();
  private readonly copies: { label: string; device: number; around: EventsAround }[] = [];

  constructor(source: Program, gate: 'auto' | 'never', untimed: ReadonlySet<string>) {
    this.untimed = untimed;
    this.source = source;
    this.place = gate === 'never' ? undefined : gatePlace(source);
    this.devices = devicesOf(source);
    this.streams = new Map(source.streams);
    this.events = new Map(source.events);
    this.kernels = new Map(source.kernels);
    this.labels = new Labels(source);
    const kernel = fresh('gate', this.kernels);
    this.names = { kernel, flag: 'measuring: release', start: 'measuring: start' };
    this.kernels.set(kernel, gateKernel(kernel, this.names.flag));
  }

  make(): Measurable {
    const { source, names } = this;
    const gates = Array.from({ length: this.devices }, (_, device) => this.declareGate(device));
    const threads = source.threads.map((thread, i) => this.thread(thread, i, gates));
    const [first] = threads;
    if (first === undefined) throw new ExportError(`${source.name}: no host thread`);
    const gated = this.place !== undefined;
    const zeroCall = gated ? 0 : first.zero;
    const zeroLabel = gated ? (gates[0] as Gate).stream : first.table.label(zeroCall);
    return {
      program: {
        ...source,
        kernels: this.kernels,
        streams: this.streams,
        events: this.events,
        threads: threads.map(({ thread, table }) => ({ ...thread, calls: table })),
      },
      observation: {
        zero: { operation: zeroLabel ?? '', at: gated ? 'end' : 'callBegin' },
        events: this.around,
        prefix: '',
      },
      gated,
      zeroCall,
      devices: this.devices,
      gateKernel: names.kernel,
      gateFlag: names.flag,
      copies: this.copies,
    };
  }

  private declareGate(device: number): Gate {
    const suffix = device === 0 ? '' : ` ${device}`;
    const stream = fresh(`gate${suffix}`, this.streams);
    const open = fresh(`gate open${suffix}`, this.events);
    const base = fresh(`gate base${suffix}`, this.events);
    this.streams.set(stream, { name: stream, device, kind: 'nonBlocking', priority: 0 });
    this.events.set(open, { name: open, device, timing: false, interprocess: false });
    this.events.set(base, { name: base, device, timing: true, interprocess: false });
    return { device, stream, open, base };
  }

  private thread(thread: HostThread, index: number, gates: readonly Gate[]): ThreadMade {
    const table = new CallTable(thread.calls.file);
    const writer = new CallWriter(table, thread.device);
    const captures = new Captures();
    const begins = this.place?.close ?? preparingCalls(thread);
    let zero = -1;
    if (index > 0) writer.push({ kind: 'hostAwait', flag: this.names.start, value: 1 });
    for (let i = 0; i <= thread.calls.length; i++) {
      if (i === begins && index === 0) this.prelude(writer, gates);
      if (i === this.place?.open) this.openGate(writer);
      if (i === thread.calls.length) break;
      const call = thread.calls.at(i);
      const captured = captures.follow(call);
      const label = this.labels.of(index, i) ?? thread.calls.label(i);
      if (call.kind === 'setDevice') writer.device = call.device;
      if (
        isTimed(call) &&
        !captured &&
        !this.untimed.has(label ?? '') &&
        label !== undefined &&
        (index > 0 || i >= begins)
      ) {
        const at = this.timedCopy(call, label, writer, gates);
        if (zero < 0) zero = at;
        continue;
      }
      const at = writer.push(call, label);
      if (zero < 0 && i >= begins && !captured && isZero(call)) zero = at;
    }
    if (index === 0) {
      for (const { device } of gates) {
        writer.use(device);
        writer.push({ kind: 'deviceSynchronize' });
      }
    }
    return { thread, table, zero };
  }

  /** Runs before the program's own work, in the first thread. */
  private prelude(writer: CallWriter, gates: readonly Gate[]): void {
    const own = writer.device;
    this.leaveEngines(writer);
    const gated = this.place !== undefined;
    if (!gated) writer.push({ kind: 'hostSignal', flag: this.names.flag, value: 1 });
    for (const { device, stream, open, base } of gates) {
      writer.use(device);
      writer.push({ kind: 'launchKernel', kernel: this.names.kernel, stream, attributes: {} }, stream);
      if (gated) writer.push({ kind: 'eventRecord', event: open, stream });
      writer.push({ kind: 'eventRecord', event: base, stream }, base);
      if (!gated) writer.push({ kind: 'streamSynchronize', stream });
    }
    if (gated) {
      for (const { name, device } of this.source.streams.values()) {
        const gate = gates[device];
        if (gate === undefined) continue;
        writer.use(device);
        writer.push({ kind: 'streamWaitEvent', stream: name, event: gate.open });
      }
    }
    writer.use(own);
    if (this.source.threads.length > 1) writer.push({ kind: 'hostSignal', flag: this.names.start, value: 1 });
  }

  private openGate(writer: CallWriter): void {
    writer.push({ kind: 'hostCompute', duration: SETTLE });
    writer.push({ kind: 'hostSignal', flag: this.names.flag, value: 1 });
  }

  /** The repetition before left each stream with the engine of its last work. */
  private leaveEngines(writer: CallWriter): void {
    const last = lastWork(this.source);
    for (const { name, device } of this.source.streams.values()) {
      const call = last.get(name);
      if (call === undefined) continue;
      writer.use(device);
      writer.push(call);
    }
    for (let device = 0; device < this.devices; device++) {
      writer.use(device);
      writer.push({ kind: 'deviceSynchronize' });
    }
  }

  private timedCopy(
    call: Call & { readonly stream: string },
    label: string,
    writer: CallWriter,
    gates: readonly Gate[],
  ): number {
    const device = this.streams.get(call.stream)?.device ?? 0;
    const gate = gates[device] as Gate;
    const [before, after] = [fresh(`before ${label}`, this.events), fresh(`after ${label}`, this.events)];
    for (const name of [before, after]) this.events.set(name, { name, device, timing: true, interprocess: false });
    const around = { before, after, base: gate.base, baseEnd: gate.stream };
    this.around.set(label, around);
    this.copies.push({ label, device, around });
    writer.push({ kind: 'eventRecord', event: before, stream: call.stream }, before);
    const at = writer.push(call, label);
    writer.push({ kind: 'eventRecord', event: after, stream: call.stream }, after);
    return at;
  }
}

interface Gate {
  readonly device: number;
  /** Its stream, which is also the label of its kernel's launch. */
  readonly stream: string;
  readonly open: string;
  readonly base: string;
}
interface ThreadMade {
  readonly thread: HostThread;
  readonly table: CallTable;
  readonly zero: number;
}

function isTimed(call: Call): call is Call & { readonly kind: 'memcpy' } {
  return call.kind === 'memcpy' && call.async && call.bytes > 0;
}

function isZero(call: Call): boolean {
  return (WORK.has(call.kind) && !(call.kind === 'memcpy' && !call.async)) || call.kind === 'graphLaunch';
}

function devicesOf({ streams, events, buffers, threads }: Program): number {
  const named = [...streams.values(), ...events.values(), ...buffers.values(), ...threads].map(({ device }) => device);
  return Math.max(0, ...named) + 1;
}

function fresh(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  while (taken.has(free)) free += "'";
  return free;
}

function gateKernel(name: string, flag: string): Kernel {
  return {
    name,
    grid: [1, 1, 1],
    block: [1, 1, 1],
    registersPerThread: 10,
    staticSharedMemory: 0 as never,
    dynamicSharedMemory: 0 as never,
    parameters: [],
    griddepcontrol: false,
    instrumented: false,
    body: { kind: 'phases', roles: [{ name: SOLE_ROLE, phases: [{ op: 'await', flag, value: 1 }] }] },
    accesses: [],
  };
}
