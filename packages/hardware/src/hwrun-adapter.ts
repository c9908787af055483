import { type HostThreadBuilder, type Program, type ProgramBuilder, programBuilder } from '@griddep/program';
import { declareCase } from './hwrun-declarations.ts';
import type { HwrunCase } from './hwrun-format.ts';
import { baseOf, deviceOf, devicesUsed, eventsAround, FLAG, GATE, gateEventOf, gateOf } from './hwrun-names.ts';
import { OperationWriter } from './hwrun-operations.ts';
import type { EventsAround, MeasuredCase, MeasuredOperation, Observation } from './measured-case.ts';

/** The measuring program's loop spends this between two calls (clock reads and look-ups). */
const CALL_GAP = '180ns';
/** It lets this pass before it opens the gate. */
const SETTLE = '50us';

/** Operations that streams end in, other than those of events. */
const WORK = new Set(['launch', 'copy', 'memset', 'hostfunc']);
/** Size of what stands for the last work of the repetition before. */
const LAST_BYTES = 4096;

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
  private readonly graph: boolean;

  constructor(source: HwrunCase) {
    this.source = source;
    this.graph = source.mode === 'graph';
    this.p = programBuilder(source.name);
  }

  build(): Program {
    const { source, p } = this;
    declareCase(source, p);
    const host = p.hostThread('main', { callGap: CALL_GAP });
    const writer = new OperationWriter(source, host);
    if (source.peerAccess !== false) this.enablePeerAccess(host, writer);
    if (!this.graph) this.leaveEngines(host, writer);
    if (source.gated) this.closeGates(host, writer);
    else this.passGates(host, writer);
    if (this.graph) this.replay(host, writer);
    else for (const op of source.ops) writer.perform(op);
    if (source.gated) {
      host.hostCompute(SETTLE);
      host.hostSignal(FLAG);
    }
    for (let d = 0; d < source.devices; d++) {
      writer.use(d);
      host.deviceSynchronize();
    }
    return p.build();
  }

  observation(): Observation {
    const { source } = this;
    const first = this.graph ? 'replay' : source.ops.find((o) => o.label !== undefined)?.label;
    const zero = source.gated
      ? ({ operation: GATE, at: 'end' } as const)
      : ({ operation: first ?? 'launch', at: 'callBegin' } as const);
    const events = new Map<string, EventsAround>();
    for (const op of source.ops) {
      const around = eventsAround(source, op);
      if (around === undefined || op.label === undefined) continue;
      const device = deviceOf(source, op.stream);
      events.set(op.label, { ...around, base: baseOf(device), baseEnd: gateOf(device) });
    }
    return {
      zero,
      events,
      prefix: this.graph ? 'replay/' : '',
    };
  }

  /** The repetition before left each stream with the engine of its last work: a small copy or memset stands for it. */
  private leaveEngines(host: HostThreadBuilder, writer: OperationWriter): void {
    for (const { id, device } of this.source.streams) {
      const last = this.source.ops.findLast((op) => op.stream === id && WORK.has(op.op));
      if (last === undefined) continue;
      writer.use(device);
      if (last.op !== 'copy' || last.kind === 'd2d') host.memsetAsync(LAST_BYTES, id);
      else writer.perform({ ...last, bytes: LAST_BYTES, label: undefined, untimed: true });
    }
    for (let d = 0; d < this.source.devices; d++) {
      writer.use(d);
      host.deviceSynchronize();
    }
  }

  private enablePeerAccess(host: HostThreadBuilder, writer: OperationWriter): void {
    const used = devicesUsed(this.source);
    for (const device of used) {
      for (const peer of used) {
        if (peer === device) continue;
        writer.use(device);
        host.deviceEnablePeerAccess(peer);
      }
    }
  }

  private closeGates(host: HostThreadBuilder, writer: OperationWriter): void {
    for (let device = 0; device < this.source.devices; device++) {
      const gate = gateOf(device);
      writer.use(device);
      host.launchKernel(GATE, gate, undefined, { label: gate });
      host.eventRecord(gateEventOf(device), gate);
      host.eventRecord(baseOf(device), gate, { label: baseOf(device) });
    }
    if (this.graph) return;
    for (const { id, device } of this.source.streams) {
      writer.use(device);
      host.streamWaitEvent(id, gateEventOf(device));
    }
  }

  private passGates(host: HostThreadBuilder, writer: OperationWriter): void {
    host.hostSignal(FLAG);
    for (let device = 0; device < this.source.devices; device++) {
      const gate = gateOf(device);
      writer.use(device);
      host.launchKernel(GATE, gate, undefined, { label: gate });
      host.eventRecord(baseOf(device), gate, { label: baseOf(device) });
      host.streamSynchronize(gate);
    }
  }

  /** Captures all streams, forked from the first and joined back, and launches the graph once. */
  private replay(host: HostThreadBuilder, writer: OperationWriter): void {
    const { p } = this;
    const [origin, ...others] = this.source.streams.map((s) => s.id);
    if (origin === undefined) return;
    const use = (stream: string): void => writer.use(deviceOf(this.source, stream));
    use(origin);
    p.event('fork', { timing: false, device: deviceOf(this.source, origin) });
    host.streamBeginCapture(origin, 'threadLocal');
    if (others.length > 0) host.eventRecord('fork', origin);
    for (const stream of others) host.streamWaitEvent(stream, 'fork');
    for (const op of this.source.ops) writer.perform(op);
    for (const stream of others) {
      p.event(`join ${stream}`, { timing: false, device: deviceOf(this.source, stream) });
      use(stream);
      host.eventRecord(`join ${stream}`, stream);
      use(origin);
      host.streamWaitEvent(origin, `join ${stream}`);
    }
    host.streamEndCapture(origin, 'graph');
    host.graphInstantiate('graph', 'executable');
    host.graphUpload('executable', origin);
    host.streamSynchronize(origin);
    if (this.source.gated) host.streamWaitEvent(origin, gateEventOf(this.source.streams[0]?.device ?? 0));
    host.graphLaunch('executable', origin, { label: 'replay' });
  }
}
