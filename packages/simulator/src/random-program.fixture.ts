import {
  fma,
  type HostThreadBuilder,
  load,
  type PhaseInput,
  type Program,
  type ProgramBuilder,
  programBuilder,
  ramp,
  spin,
  store,
  trigger,
  wait,
} from '@griddep/program';
import fc from 'fast-check';

/**
 * Random programs over everything that one device does: kernels that spin, compute, stream and ramp, of one and of
 * many waves, with and without PDL, events, copies, memsets, host functions, priorities, default streams, graphs.
 */
export function randomProgram(): fc.Arbitrary<Program> {
  return fc
    .record({
      kernels: fc.array(kernelArbitrary, { minLength: 1, maxLength: 5 }),
      streams: fc.array(
        fc.record({
          kind: fc.constantFrom('blocking' as const, 'nonBlocking' as const),
          priority: fc.constantFrom(0, 0, -2, -5),
        }),
        { minLength: 1, maxLength: 10 },
      ),
      calls: fc.array(callArbitrary, { minLength: 1, maxLength: 40 }),
      graph: fc.boolean(),
    })
    .map(({ kernels, streams, calls, graph }) => {
      const p = programBuilder('random');
      p.buffer('data', { bytes: 3000 << 14 });
      for (const [i, k] of kernels.entries()) p.kernel(`k${i}`, { ...k, parameters: DATA });
      for (const [i, s] of streams.entries()) p.stream(`s${i}`, graph ? { ...s, kind: 'nonBlocking' } : s);
      const host = p.hostThread('main');
      const names = (n: number): string => `s${n % streams.length}`;
      if (graph) replay(p, host, calls, kernels.length, streams.length);
      else for (const [i, c] of calls.entries()) perform(p, host, c, i, kernels.length, { names, legacy: 'legacy' });
      host.deviceSynchronize();
      return p.build();
    });
}

/** Few different durations, too, so that blocks of different grids end in one instant. */
const duration = fc.oneof(fc.integer({ min: 0, max: 6000 }), fc.constantFrom(0, 1000, 2000)).map((ns) => `${ns}ns`);
const phase: fc.Arbitrary<PhaseInput> = fc.oneof(
  { weight: 4, arbitrary: duration.map((d) => spin(d)) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2000 }).map((n) => fma(n)) },
  { weight: 2, arbitrary: fc.integer({ min: 16, max: 1 << 18 }).map((n) => load(n)) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 16, max: 1 << 14 }).map((n) => load(n, { buffer: '$data', blockStride: n })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 16, max: 1 << 16 }).map((n) => store(n)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 7 }))
      .map(([ns, m]) => ramp(`${ns}ns`, m)),
  },
  { weight: 3, arbitrary: fc.constant(wait()) },
  { weight: 3, arbitrary: fc.constant(trigger()) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 5 }).map((modulus) => trigger({ modulus, residue: 1 })) },
  { weight: 1, arbitrary: fc.constant({ op: 'blockBarrier' as const }) },
);
/** The parameter that stands for the buffer `data`, of device 0, or for `data` and the number of another device. */
export const DATA = [{ name: 'data', buffer: 'data' }];
const phases = fc.array(phase, { minLength: 1, maxLength: 5 });
export const kernelArbitrary = fc.record({
  grid: fc.constantFrom(1, 3, 32, 131, 132, 133, 200, 264, 700, 1500, 3000),
  block: fc.constantFrom(64, 96, 128, 256, 512, 1024),
  registersPerThread: fc.constantFrom(16, 26, 40, 64),
  dynamicSharedMemory: fc.constantFrom(0, 0, 0, 16 << 10, 48 << 10, 100 << 10, 200 << 10),
  instrumented: fc.boolean(),
  roles: fc.oneof(
    { weight: 3, arbitrary: phases.map((p) => [{ name: 'all', phases: p }]) },
    {
      weight: 1,
      arbitrary: fc.tuple(phases, phases).map(([a, b]) => [
        { name: 'producer', warps: 1, phases: a },
        { name: 'consumer', phases: b },
      ]),
    },
  ),
});

export type RandomCall = {
  readonly what: number;
  readonly kernel: number;
  readonly stream: number;
  readonly other: number;
  readonly bytes: number;
  readonly pdl: boolean;
};
export const callArbitrary: fc.Arbitrary<RandomCall> = fc.record({
  what: fc.integer({ min: 0, max: 99 }),
  kernel: fc.nat(100),
  stream: fc.nat(100),
  other: fc.nat(100),
  bytes: fc.constantFrom(16, 4096, 1 << 16, 1 << 20, 1 << 24),
  pdl: fc.boolean(),
});

/** The streams that a call may use: by number, and the legacy stream, or none in a capture. */
interface Streams {
  names(n: number): string;
  readonly legacy?: string;
  readonly device?: number;
}

export function perform(
  p: ProgramBuilder,
  host: HostThreadBuilder,
  call: RandomCall,
  i: number,
  kernels: number,
  { names, legacy, device = 0 }: Streams,
): void {
  const eager = legacy !== undefined;
  const stream = legacy !== undefined && call.stream % 23 === 0 ? legacy : names(call.stream);
  const { what } = call;
  if (what < 55) {
    const kernel = `k${call.kernel % kernels}`;
    const passed = device === 0 ? {} : { args: { data: `data${device}` } };
    host.launchKernel(kernel, stream, { programmaticStreamSerialization: call.pdl && stream !== legacy }, passed);
  } else if (what < 70) {
    const event = p.event(`e${i}`, { device, timing: eager && call.pdl });
    host.eventRecord(event, stream);
    host.streamWaitEvent(names(call.other), event);
  } else if (what < 82) {
    const copy = (['hostToDevice', 'deviceToHost', 'deviceToDevice'] as const)[call.other % 3];
    host.memcpyAsync(copy ?? 'deviceToDevice', call.bytes, stream, {
      hostMemory: eager && call.pdl ? 'pageable' : 'pinned',
    });
  } else if (what < 88) host.memsetAsync(call.bytes, stream);
  else if (what < 91) host.launchHostFunc(stream, '3us');
  else if (!eager) return;
  else if (what < 94) host.streamSynchronize(stream);
  else if (what < 97) host.hostCompute(`${call.bytes % 40}us`);
  else host.streamQuery(stream);
}

/** The same calls, captured with every stream forked from the first and joined back, replayed twice. */
function replay(
  p: ProgramBuilder,
  host: HostThreadBuilder,
  calls: readonly RandomCall[],
  kernels: number,
  streams: number,
): void {
  p.event('fork', { timing: false });
  host.streamBeginCapture('s0', 'threadLocal');
  host.eventRecord('fork', 's0');
  for (let i = 1; i < streams; i++) host.streamWaitEvent(`s${i}`, 'fork');
  const names = (n: number): string => `s${n % streams}`;
  for (const [i, c] of calls.entries()) perform(p, host, c, i, kernels, { names });
  for (let i = 1; i < streams; i++) {
    p.event(`join${i}`, { timing: false });
    host.eventRecord(`join${i}`, `s${i}`);
    host.streamWaitEvent('s0', `join${i}`);
  }
  host.streamEndCapture('s0', 'g');
  host.graphInstantiate('g', 'x');
  host.graphLaunch('x', 's0');
  host.graphLaunch('x', 's0');
}
