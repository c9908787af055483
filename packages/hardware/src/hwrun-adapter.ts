import {
  type CallOptions,
  type HostThreadBuilder,
  type Program,
  type ProgramBuilder,
  programBuilder,
  ramp,
  spin,
  store,
  trigger,
  wait,
} from '@griddep/program';
import type { HwrunCase, HwrunOp } from './hwrun-format.ts';
import type { MeasuredCase, MeasuredOperation, Observation } from './measured-case.ts';

/** What the measuring program is, beyond the case: facts of its source. */
const REGISTERS = 26;
const STATIC_SHARED_MEMORY = 4;
const SLOT_BYTES = 16384;
const SLOTS = 64;
/** Places, of 16 bytes each, among which the data of launches begin. */
const DATA_PLACES = 2 ** 24;
/** A check of a slot loads four bytes a thread at a time, each after the one before, from L2: 190 ns each. */
const GET_RATE = 21_000_000;
/** Its loop spends this between two calls (clock reads and look-ups). */
const CALL_GAP = '180ns';
const SETTLE = '50us';

const GATE = 'gate';
const GATE_EVENT = 'gate open';
const BASE = 'gate base';
const FLAG = 'release';
const STREAM_KIND = { blocking: 'blocking', nonblocking: 'nonBlocking', legacy: 'legacy', ptds: 'perThread' } as const;
const COPY = {
  h2d: 'hostToDevice',
  d2h: 'deviceToHost',
  d2d: 'deviceToDevice',
  h2dpage: 'hostToDevice',
  d2hpage: 'deviceToHost',
  h2dsync: 'hostToDevice',
} as const;

/** A measured case of the measuring program as program, measurement, and how the two are compared. */
export function caseFromHwrun(source: HwrunCase, measuredBy: string): MeasuredCase {
  const adapter = new Adapter(source);
  const program = adapter.build();
  return {
    name: source.name,
    program,
    measuredBy,
    operations: source.measured.ops.flatMap((o): MeasuredOperation[] => {
      if (o.start === undefined || o.end === undefined) return [];
      const { label, start, end } = o;
      return [
        {
          label,
          start,
          end,
          startLo: o.startLo ?? start,
          startHi: o.startHi ?? start,
          endLo: o.endLo ?? end,
          endHi: o.endHi ?? end,
          stale: o.stale ?? 0,
        },
      ];
    }),
    hostTotal: source.measured.hostObservedTotal ?? Number.NaN,
    observation: adapter.observation(),
  };
}

/**
 * Writes the measuring program's run of a case as a program. In a gated run a one-thread kernel holds an event back
 * until the host, having enqueued everything, raises a flag.
 */
class Adapter {
  private readonly source: HwrunCase;
  private readonly p: ProgramBuilder;
  private readonly events = new Map<string, { before: string; after: string }>();
  private first: string | undefined;
  private readonly graph: boolean;
  private device = 0;

  constructor(source: HwrunCase) {
    this.source = source;
    this.graph = source.mode === 'graph';
    this.p = programBuilder(source.name);
  }

  build(): Program {
    const { source, p } = this;
    this.declare();
    const host = p.hostThread('main', { callGap: CALL_GAP });
    if (source.gated) this.openGate(host);
    else this.passGate(host);
    if (this.graph) this.replay(host);
    else for (const op of source.ops) this.perform(host, op);
    if (source.gated) {
      host.hostCompute(SETTLE);
      host.hostSignal(FLAG);
    }
    for (let d = 0; d < source.devices; d++) {
      this.use(host, d);
      host.deviceSynchronize();
    }
    return p.build();
  }

  observation(): Observation {
    const zero = this.source.gated
      ? ({ operation: GATE, at: 'end' } as const)
      : ({ operation: this.first ?? 'launch', at: 'callBegin' } as const);
    return {
      zero,
      events: this.events,
      base: this.graph ? undefined : { record: BASE, baseEnd: GATE },
      prefix: this.graph ? 'replay/' : '',
    };
  }

  private declare(): void {
    const { source, p } = this;
    p.buffer('slots', { bytes: SLOTS * SLOT_BYTES });
    this.declareData();
    for (const [id, { grid, block, smem, phases }] of Object.entries(source.kernels)) {
      p.kernel(id, {
        grid,
        block,
        registersPerThread: REGISTERS,
        staticSharedMemory: STATIC_SHARED_MEMORY,
        dynamicSharedMemory: smem,
        griddepcontrol: true,
        instrumented: true,
        ...(this.usesData(id) ? { parameters: [{ name: 'data' }] } : {}),
        phases: phases.map(([name, argument]) => this.phase(name, argument ?? 0, grid)),
      });
    }
    p.kernel(GATE, {
      grid: 1,
      block: 1,
      registersPerThread: REGISTERS,
      phases: [{ op: 'await', flag: FLAG, value: 1 }],
    });
    for (const { id, device, kind, priority } of source.streams)
      p.stream(id, { device, kind: STREAM_KIND[kind], priority });
    p.stream(GATE, { kind: 'nonBlocking' });
    for (const { id, device, timing } of source.events) p.event(id, { device, timing });
    p.event(GATE_EVENT, { timing: false });
    p.event(BASE, { timing: true });
    for (const op of source.ops) {
      if (op.op === 'malloc' || op.op === 'mallocasync') p.buffer(pointer(op), { bytes: op.bytes ?? 0 });
      if (op.op === 'copy' && op.untimed !== true && !this.graph) {
        p.event(`before ${op.label}`, { timing: true, device: this.deviceOf(op.stream) });
        p.event(`after ${op.label}`, { timing: true, device: this.deviceOf(op.stream) });
      }
    }
  }

  private usesData(kernel: string): boolean {
    return this.source.kernels[kernel]?.phases.some(([name]) => name === 'load' || name === 'store') === true;
  }

  /** Every launch has its own place in one large allocation, by the index of its operation. */
  private declareData(): void {
    const { source, p } = this;
    const most = Object.values(source.kernels).map(({ grid, phases }) =>
      Math.max(0, ...phases.map(([name, bytes = 0]) => (name === 'load' || name === 'store' ? grid * bytes : 0))),
    );
    source.ops.forEach((op, i) => {
      if (op.op !== 'launch' || !this.usesData(need(op.kernel))) return;
      const offset = 16 * (((i + 1) * 7919 * 1024) % DATA_PLACES);
      const device = this.deviceOf(op.stream);
      p.buffer(dataName(i), { bytes: Math.max(...most), allocation: `data ${device}`, offset, device });
    });
  }

  private phase(name: string, argument: number, grid: number) {
    switch (name) {
      case 'spin':
        return spin(`${argument}ns`);
      case 'ramp':
        return ramp(`${Math.floor(argument / 256)}ns`, argument % 256);
      case 'fma':
        return { op: 'fma' as const, iterations: argument };
      case 'load':
        return streaming('load', argument);
      case 'store':
        return streaming('store', argument);
      case 'trigger':
        return trigger();
      case 'wait':
        return wait();
      case 'put': {
        const bytes = Math.ceil(SLOT_BYTES / grid);
        return store(bytes, {
          buffer: 'slots',
          offset: argument * SLOT_BYTES,
          bytes: Math.floor(SLOT_BYTES / grid),
          blockStride: Math.floor(SLOT_BYTES / grid),
        });
      }
      case 'get':
        return {
          op: 'load' as const,
          bytes: SLOT_BYTES,
          range: { buffer: 'slots', offset: argument * SLOT_BYTES, bytes: SLOT_BYTES, blockStride: 0 },
          threadRate: GET_RATE,
        };
      default:
        throw new Error(`case "${this.source.name}": unknown phase "${name}"`);
    }
  }

  private openGate(host: HostThreadBuilder): void {
    host.launchKernel(GATE, GATE, undefined, { label: GATE });
    host.eventRecord(GATE_EVENT, GATE);
    host.eventRecord(BASE, GATE, { label: BASE });
    if (this.graph) return;
    for (const { id, device } of this.source.streams) {
      this.use(host, device);
      host.streamWaitEvent(id, GATE_EVENT);
    }
  }

  private passGate(host: HostThreadBuilder): void {
    host.hostSignal(FLAG);
    host.launchKernel(GATE, GATE, undefined, { label: GATE });
    host.eventRecord(BASE, GATE, { label: BASE });
    host.streamSynchronize(GATE);
  }

  /** Captures all streams, forked from the first and joined back, and launches the graph once. */
  private replay(host: HostThreadBuilder): void {
    const { p } = this;
    const [origin, ...others] = this.source.streams.map((s) => s.id);
    if (origin === undefined) return;
    p.event('fork', { timing: false });
    host.streamBeginCapture(origin, 'threadLocal');
    if (others.length > 0) host.eventRecord('fork', origin);
    for (const stream of others) host.streamWaitEvent(stream, 'fork');
    for (const op of this.source.ops) this.perform(host, op);
    for (const stream of others) {
      p.event(`join ${stream}`, { timing: false });
      host.eventRecord(`join ${stream}`, stream);
      host.streamWaitEvent(origin, `join ${stream}`);
    }
    host.streamEndCapture(origin, 'graph');
    host.graphInstantiate('graph', 'executable');
    host.graphUpload('executable', origin);
    host.streamSynchronize(origin);
    if (this.source.gated) host.streamWaitEvent(origin, GATE_EVENT);
    host.graphLaunch('executable', origin, { label: 'replay' });
    this.first = 'replay';
  }

  private perform(host: HostThreadBuilder, op: HwrunOp): void {
    const { stream } = op;
    if (stream !== undefined) this.use(host, this.deviceOf(stream));
    const options: CallOptions = op.label === undefined ? {} : { label: op.label };
    this.first ??= op.label;
    switch (op.op) {
      case 'launch':
        host.launchKernel(need(op.kernel), need(stream), attributes(op.attrs ?? []), {
          ...options,
          ...(this.usesData(need(op.kernel)) ? { args: { data: dataName(this.source.ops.indexOf(op)) } } : {}),
        });
        break;
      case 'record':
        host.eventRecord(need(op.event), need(stream));
        break;
      case 'wait':
        host.streamWaitEvent(need(stream), need(op.event));
        break;
      case 'copy':
        this.copy(host, op, need(stream), options);
        break;
      case 'memset':
        host.memsetAsync(op.bytes ?? 0, need(stream), options);
        break;
      case 'syncstream':
        host.streamSynchronize(need(stream));
        break;
      case 'syncevent':
        host.eventSynchronize(need(op.event));
        break;
      case 'syncdev':
        this.use(host, op.device ?? 0);
        host.deviceSynchronize();
        break;
      case 'hostspin':
        host.hostCompute(`${op.ns}ns`);
        break;
      case 'hostfunc':
        host.launchHostFunc(need(stream), `${op.ns}ns`, options);
        break;
      case 'query':
        host.streamQuery(need(stream));
        break;
      case 'malloc':
        host.malloc(pointer(op));
        break;
      case 'free':
        host.free(pointer(op));
        break;
      case 'mallocasync':
        host.mallocAsync(pointer(op), need(stream));
        break;
      case 'freeasync':
        host.freeAsync(pointer(op), need(stream));
        break;
      case 'release':
        host.hostSignal(FLAG);
        break;
      case 'elapsed':
        break;
      default:
        throw new Error(`case "${this.source.name}": unknown operation "${op.op}"`);
    }
  }

  private copy(host: HostThreadBuilder, op: HwrunOp, stream: string, options: CallOptions): void {
    const kind = op.kind ?? '';
    const bytes = op.bytes ?? 0;
    const timed = op.untimed !== true && !this.graph;
    const before = `before ${op.label}`;
    const after = `after ${op.label}`;
    if (timed) {
      host.eventRecord(before, stream, { label: before });
      this.events.set(need(op.label), { before, after });
    }
    if (kind === 'p2pread' || kind === 'p2pwrite') {
      const [here, there] = [this.deviceOf(stream), op.peer ?? 0];
      const [from, to] = kind === 'p2pread' ? [there, here] : [here, there];
      host.memcpyPeerAsync(to, from, bytes, stream, options);
    } else {
      const hostMemory = kind.endsWith('page') ? 'pageable' : 'pinned';
      const direction = COPY[kind as keyof typeof COPY];
      if (direction === undefined) throw new Error(`case "${this.source.name}": unknown copy "${kind}"`);
      if (kind === 'h2dsync') host.memcpy(direction, bytes, { ...options, stream, hostMemory });
      else host.memcpyAsync(direction, bytes, stream, { ...options, hostMemory });
    }
    if (timed) host.eventRecord(after, stream, { label: after });
  }

  private deviceOf(stream: string | undefined): number {
    return this.source.streams.find((s) => s.id === stream)?.device ?? 0;
  }

  private use(host: HostThreadBuilder, device: number): void {
    if (device !== this.device) host.setDevice(device);
    this.device = device;
  }
}

function attributes(names: readonly string[]) {
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const [key, event = ''] = name.split('=');
    if (key === 'pdl') result.programmaticStreamSerialization = true;
    else if (key === 'pev' || key === 'pevb') result.programmaticEvent = { event, triggerAtBlockStart: key === 'pevb' };
    else if (key === 'lce') result.launchCompletionEvent = { event };
    else if (key === 'coop') result.cooperative = true;
    else throw new Error(`unknown launch attribute "${name}"`);
  }
  return result;
}

function pointer(op: HwrunOp): string {
  return String(op.ptr ?? op.id ?? '');
}

function need(value: string | undefined): string {
  if (value === undefined) throw new Error('an operation lacks a field');
  return value;
}

function dataName(index: number): string {
  return `data of ${index}`;
}

/** Its loads and stores carry the streaming hint. */
function streaming(op: 'load' | 'store', bytes: number) {
  return { op, bytes, range: { buffer: '$data', bytes, blockStride: bytes }, evictFirst: true };
}
