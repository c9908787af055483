import type { Machine } from '@griddep/machine';
import { type Program, programBuilder } from '@griddep/program';
import type { ProfilerOffsets } from '@griddep/timeline';
import { clockOffsets } from './build/align-clocks.ts';
import { matchCollectives } from './build/collectives.ts';
import { Devices, Streams } from './build/devices.ts';
import { gridOverheads } from './build/grid-overheads.ts';
import { Kernels } from './build/kernels.ts';
import { machineTimes } from './build/machine-times.ts';
import { profilerMargin } from './build/profiler-margin.ts';
import { withoutLostCalls } from './build/trace-index.ts';
import { TraceWriter } from './build/trace-writer.ts';
import { type Finding, Findings } from './findings.ts';
import { Names, nameFrom } from './names.ts';
import { withStepRanges } from './steps.ts';
import type { Trace } from './trace.ts';

/** A program made of traces, and what it could not take from them. */
export interface ImportedProgram {
  readonly program: Program;
  readonly traces: readonly Trace[];
  readonly findings: readonly Finding[];
  /** Of each trace, what its times were moved by so that all count from one instant, ps. */
  readonly offsets: readonly number[];
  /** How much longer than its blocks the profiler reported a kernel. */
  readonly margin: ProfilerOffsets;
  /** Devices of the program that each trace ran on. */
  readonly devices: readonly (readonly number[])[];
}

export interface ImportOptions {
  /** What calls cost and early launches take, so that the rest of the trace's time is the host's own. */
  readonly machine: Machine;
  readonly name?: string;
  /** The program as it runs without a profiler: what profiling cost calls of the host, and the time between, is taken out. */
  readonly isUnprofiled?: boolean;
  /** How many equal steps each trace holds, where it is known. */
  readonly steps?: number;
  /** Whether waits of streams that only the order of calls makes likely are taken as such; true if left out. */
  readonly assumesWaits?: boolean;
}

/**
 * Makes one program of the traces of one run: one, or one for each rank. Order comes from threads, streams, events and
 * correlation; when a device ran something is used for how long it took and how long the host was busy, never for what
 * came after what.
 */
export function importTraces(given: readonly Trace[], options: ImportOptions): ImportedProgram {
  const complete = given.map(withoutLostCalls);
  const traces =
    options.isUnprofiled === true ? complete.map((trace) => withStepRanges(trace, options.steps)) : complete;
  const findings = new Findings();
  const name = nameFrom(options.name ?? traces.map(({ file }) => file.replace(/^.*[/\\]/, '')).join(', '));
  const builder = programBuilder(name, { description: `imported from ${traces.map(({ file }) => file).join(', ')}` });
  const devices = new Devices(traces);
  const times = machineTimes(options.machine);
  const seen = profilerMargin(traces, times.graphGap);
  const margin = options.isUnprofiled === true ? profilerMargin(traces, times.graphGap, { isUnprofiled: true }) : seen;
  const shared = {
    builder,
    times,
    findings,
    devices,
    streams: new Streams(builder, devices, findings),
    kernels: new Kernels(builder, times, findings, margin, gridOverheads(traces, options.machine)),
    collectives: matchCollectives(traces, findings, { isUsual: options.isUnprofiled === true }),
    usualGap: times.graphGap - seen.lead - seen.tail,
    graphNames: new Names(),
    labels: new Names(),
    threadNames: new Names(),
    isUnprofiled: options.isUnprofiled === true,
    assumesWaits: options.assumesWaits !== false,
  };
  const offsets = clockOffsets(traces, findings);
  const writers = traces.map((trace, i) => new TraceWriter(trace, i, offsets[i] as number, shared));
  const preparation = Math.max(...writers.map((writer) => writer.preparation));
  for (const writer of writers) writer.write(-preparation);
  const used = traces.map((trace, i) => [...new Set(trace.operations.map(({ device }) => devices.index(i, device)))]);
  return { program: builder.build(), traces, findings: findings.list(), offsets, margin, devices: used };
}
