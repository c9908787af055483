import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CallInput, KernelInput, PhaseInput, Program } from './index.ts';
import {
  programBuilder,
  programFromDocument,
  readProgram,
  writeProgram,
  writeProgramJson,
  writeProgramYaml,
} from './index.ts';

const anyText = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 6, unit: 'binary' }),
    fc.constantFrom('constructor', '0', '10', `$\{x}`, '~', 'null', '1e3'),
  )
  .filter((s) => s !== '__proto__' && !s.includes('\0'));
/** What can be a name. */
const text = anyText.filter((s) => !/\p{Cc}/u.test(s));
const size = fc.oneof(
  fc.integer({ min: 1, max: 2 ** 40 }),
  fc.integer({ min: 1, max: 999 }).map((n) => `${n}KiB`),
);
const time = fc.oneof(
  fc.nat(1e9),
  fc.nat(1e6).map((n) => `${n}ns`),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const phase: fc.Arbitrary<PhaseInput> = fc.oneof(
  time.map((duration) => ({ op: 'spin' as const, duration })),
  fc.record({ op: fc.constant('ramp' as const), duration: time, modulus: fc.integer({ min: 1, max: 9 }) }),
  fc.nat(1000).map((iterations) => ({ op: 'fma' as const, iterations })),
  fc.record({ op: fc.constantFrom('load' as const, 'store' as const), bytes: size }),
  fc.constantFrom<PhaseInput>(
    { op: 'trigger' },
    { op: 'wait' },
    { op: 'gridBarrier' },
    { op: 'fence', scope: 'system' },
  ),
  fc.constant<PhaseInput>({ op: 'trigger', when: { modulus: 4, residue: 3 } }),
  fc.record({ op: fc.constantFrom('signal' as const, 'await' as const), flag: text, value: fc.nat(9) }),
);
const phases = fc.array(phase, { maxLength: 5 });
const body: fc.Arbitrary<Partial<KernelInput>> = fc.oneof(
  fc.record({ phases }),
  fc.record({
    roles: fc.tuple(phases, phases).map(([a, b]) => [
      { name: 'all', warps: 1, phases: a },
      { name: 'b', phases: b },
    ]),
  }),
  fc.record({ duration: time, observer: fc.constantFrom('blocks' as const, 'profiler' as const) }),
  fc.record({ ptx: fc.record({ file: text, entry: text, duration: optional(time) }) }),
  fc.record({ collective: fc.record({ operation: fc.constant('allReduce' as const), group: text, bytes: size }) }),
);
const kernel: fc.Arbitrary<KernelInput> = fc
  .record({
    grid: fc.oneof(fc.integer({ min: 1, max: 999 }), fc.constant([2, 3, 4])),
    block: fc.constantFrom(64, [8, 8], [4, 4, 4]),
    registersPerThread: optional(fc.integer({ min: 1, max: 255 })),
    dynamicSharedMemory: optional(size),
    griddepcontrol: optional(fc.boolean()),
    instrumented: optional(fc.boolean()),
    target: optional(text),
    launchBounds: optional(fc.constant({ maxThreadsPerBlock: 128 })),
  })
  .chain((head) => body.map((b) => ({ ...head, ...b }) as KernelInput));

const program: fc.Arbitrary<Program> = fc
  .record({
    name: text,
    description: fc.string(),
    params: fc.dictionary(fc.constantFrom('n', 'm', 'constructor'), fc.oneof(fc.integer(), fc.boolean(), anyText)),
    kernels: fc.uniqueArray(fc.tuple(text, kernel), { minLength: 1, maxLength: 3, selector: ([n]) => n }),
    streams: fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
    events: fc.uniqueArray(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 3, selector: ([n]) => n }),
    buffers: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
    threads: fc.uniqueArray(fc.tuple(fc.oneof(text, fc.constant('main')), fc.nat(3), time), {
      maxLength: 2,
      selector: ([n]) => n,
    }),
    calls: fc.array(fc.tuple(fc.nat(22), fc.nat(9), size, time, optional(text), fc.nat(1)), { maxLength: 20 }),
  })
  .map((given) => {
    const { name, description, params } = given;
    const p = programBuilder(name, { description, params });
    for (const [i, b] of given.buffers.entries())
      p.buffer(b, { bytes: 2 ** 41, space: i === 1 ? 'host' : 'device', offset: i, device: i });
    for (const [n, k] of given.kernels) p.kernel(n, k);
    for (const [i, s] of given.streams.entries()) p.stream(s, { device: i % 2, priority: -i });
    for (const [n, timing] of given.events) p.event(n, { timing });
    const [kernelName] = given.kernels[0] as [string, KernelInput];
    const [event] = given.events[0] as [string, boolean];
    const pick = (i: number, bytes: string | number, duration: string | number, k: number): CallInput => {
      const stream = given.streams[i % given.streams.length] as string;
      const buffer = given.buffers[i % given.buffers.length] as string;
      const [onDevice = '', onHost] = given.buffers;
      const from = onHost === undefined ? {} : { source: onHost };
      const calls: CallInput[] = [
        { launchKernel: { kernel: kernelName, stream } },
        { launchKernel: { kernel: kernelName, stream, attributes: { programmaticEvent: event, clusterDimension: 2 } } },
        { memcpyAsync: { copy: 'hostToDevice', bytes, stream, ...from } },
        { memcpy: { copy: 'deviceToHost', bytes, source: { buffer: onDevice, blockStride: 5, wrap: '64TiB' } } },
        { memcpyPeerAsync: { destinationDevice: 1, sourceDevice: 0, bytes, stream } },
        { memset: { bytes } },
        { eventRecord: { event, stream, external: true } },
        { launchHostFunc: { stream, duration } },
        { hostCompute: { duration } },
        { hostRead: { range: buffer } },
        { collective: { operation: 'broadcast', group: 'g', bytes, stream } },
        { setDevice: { device: i } },
        { hostSignal: { flag: 'f', value: i } },
        { deviceSynchronize: {} },
        { launchKernel: { kernel: kernelName, stream, attributes: { clusterDimension: 2, deviceUpdatable: true } } },
        { launchHostFunc: { stream, duration, calls: 'cudaMalloc' } },
        { streamWaitValue: { stream, flag: 'f', value: i } },
        { streamWriteValue: { stream, flag: 'f' } },
        { streamGetCaptureInfo: { stream, edgeData: true } },
        { graphGetEdges: { graph: `$\{g}` } },
        { graphNodeGetDependencies: { graph: `$\{g}`, node: '0', edgeData: true } },
        { graphAddDependencies: { graph: `$\{g}`, from: '0', to: 'x', type: 'programmatic' } },
        { graphRemoveDependencies: { graph: `$\{g}`, from: '1', to: '0', fromPort: 'launchCompletion', toPort: i } },
      ];
      return calls[k] as CallInput;
    };
    p.graph(
      `$\{g}`,
      [
        { id: '1', call: pick(0, 1, 1, 0) },
        { id: '0', call: pick(0, 1, 1, 14) },
      ],
      [['1', '0', 'programmatic']],
    );
    const labels = new Set<string>();
    for (const [n, device, callGap] of given.threads) {
      const h = p.hostThread(n, { device, callGap });
      for (const [k, i, bytes, duration, label, inRange] of given.calls) {
        const fresh = label !== undefined && !labels.has(label) ? label : undefined;
        if (fresh !== undefined) labels.add(fresh);
        const push = () =>
          h.call(k === 3 ? pick(i, bytes, duration, 2) : pick(i, bytes, duration, k), { label: fresh });
        if (inRange === 1) h.range(`r${i}`, push);
        else push();
      }
    }
    return p.build();
  });

/** All that a program says, but for places in files. */
function content(p: Program): unknown {
  const threads = p.threads.map(({ calls, ...thread }) => ({
    ...thread,
    calls: Array.from({ length: calls.length }, (_, i) => [calls.at(i), calls.label(i), calls.path(i)]),
  }));
  return { ...p, streams: [...p.streams], events: [...p.events], threads };
}

it('reads back what it writes', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(program, (p) => {
      const expected = content(p);
      expect(content(programFromDocument(writeProgram(p)))).toEqual(expected);
      expect(content(readProgram(writeProgramJson(p), { file: 'p.json' }))).toEqual(expected);
      expect(content(readProgram(writeProgramYaml(p), { file: 'p.yaml' }))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});
