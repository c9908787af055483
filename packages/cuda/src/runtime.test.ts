import { type Call, programBuilder } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { awaitedBy } from './awaited.ts';
import { HOST, play, RULES } from './runtime.fixture.ts';
import { CudaRuntime } from './runtime.ts';

const STREAMS = ['a', 'b', 'n', 'legacy', 'own', 'far'];
const EVENTS = ['e', 'f', 'u', 'farEvent'];
const BUFFERS = ['small', 'large', 'onFar', 'pinned'];

function program() {
  const builder = programBuilder('random');
  builder.kernel('k', { grid: 1, block: 32, phases: [{ op: 'spin', duration: '1us' }] });
  builder.kernel('huge', { grid: 100_000, block: 1024, phases: [{ op: 'spin', duration: '1us' }] });
  for (const name of ['a', 'b', 'legacy']) builder.stream(name);
  builder.stream('n', { kind: 'nonBlocking' });
  builder.stream('own', { kind: 'perThread' });
  builder.stream('far', { device: 1 });
  for (const name of ['e', 'f']) builder.event(name);
  builder.event('u', { timing: false });
  builder.event('farEvent', { device: 1, timing: false });
  builder.buffer('small', { bytes: 4096 });
  builder.buffer('large', { bytes: 60 * 2 ** 30 });
  builder.buffer('onFar', { bytes: 4096, device: 1 });
  builder.buffer('pinned', { bytes: 4096, space: 'host', hostMemory: 'pinned' });
  const graphCall = { launchKernel: { kernel: 'k', stream: 'a' } };
  builder.graph(
    'made',
    ['x', 'y'].map((id) => ({ id, call: graphCall })),
    [['x', 'y', 'programmatic']],
  );
  builder.hostThread('one').mallocAsync('small', 'a');
  builder.hostThread('two');
  return builder.build();
}

const stream = fc.constantFrom(...STREAMS);
const event = fc.constantFrom(...EVENTS);
const buffer = fc.constantFrom(...BUFFERS);
const graph = fc.constantFrom('made', 'captured', 'never');
const node = fc.constantFrom('x', 'y', 'z', 'kernel#0', 'k#1');
const executable = fc.constantFrom('x', 'y');
const bytes = fc.constantFrom(0, 1, 65_536, 2 ** 30);
const is = <K extends Call['kind']>(...kinds: K[]) => fc.constantFrom(...kinds);

/** Any call, of declared names. */
const anyCall: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: is('launchKernel'),
      kernel: fc.constantFrom('k', 'k', 'huge'),
      stream,
      attributes: fc.record(
        {
          programmaticStreamSerialization: fc.boolean(),
          programmaticEvent: fc.record({ event, triggerAtBlockStart: fc.boolean() }),
          launchCompletionEvent: fc.record({ event }),
          cooperative: fc.boolean(),
          priority: fc.integer(),
          deviceUpdatable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  fc.record({
    kind: is('memcpy'),
    copy: fc.constantFrom('hostToDevice', 'deviceToHost', 'deviceToDevice', 'hostToHost', 'peer'),
    bytes,
    stream,
    async: fc.boolean(),
    hostMemory: fc.constantFrom('pinned', 'pageable'),
  }),
  fc.record({ kind: is('memset'), bytes, stream, async: fc.boolean() }),
  { weight: 2, arbitrary: fc.record({ kind: is('eventRecord'), event, stream, external: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: is('streamWaitEvent'), event, stream, external: fc.boolean() }) },
  fc.record({ kind: is('streamSynchronize', 'streamQuery'), stream }),
  fc.record({ kind: is('eventSynchronize', 'eventQuery'), event }),
  fc.record({ kind: is('eventElapsedTime'), start: event, end: event }),
  fc.record({ kind: is('deviceSynchronize', 'rangePop') }),
  fc.record(
    { kind: is('launchHostFunc'), stream, duration: fc.nat(), calls: fc.constant('cudaMalloc') },
    { requiredKeys: ['kind', 'stream', 'duration'] },
  ),
  fc.record({ kind: is('streamWaitValue', 'streamWriteValue'), stream, flag: fc.constant('flag'), value: fc.nat(3) }),
  fc.record({ kind: is('streamGetCaptureInfo'), stream, edgeData: fc.boolean() }),
  fc.record({ kind: is('graphGetEdges'), graph, edgeData: fc.boolean() }),
  fc.record({
    kind: is('graphNodeGetDependencies', 'graphNodeGetDependentNodes'),
    graph,
    node,
    edgeData: fc.boolean(),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: is('graphAddDependencies', 'graphRemoveDependencies'),
      graph,
      from: node,
      to: node,
      fromPort: fc.constantFrom('default', 'programmatic', 'launchCompletion'),
      type: fc.constantFrom('full', 'programmatic'),
      toPort: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  fc.record({ kind: is('malloc', 'free', 'mallocHost', 'freeHost'), buffer }),
  fc.record({ kind: is('mallocAsync', 'freeAsync'), buffer, stream }),
  fc.record({ kind: is('setDevice'), device: fc.nat(2) }),
  fc.record({ kind: is('deviceEnablePeerAccess', 'deviceDisablePeerAccess'), peer: fc.nat(2) }),
  fc.record({ kind: is('streamBeginCapture'), stream, mode: fc.constantFrom('global', 'threadLocal', 'relaxed') }),
  fc.record({
    kind: is('threadExchangeStreamCaptureMode'),
    mode: fc.constantFrom('global', 'threadLocal', 'relaxed'),
  }),
  { weight: 2, arbitrary: fc.record({ kind: is('streamEndCapture'), stream, graph: fc.constant('captured') }) },
  fc.record({ kind: is('graphInstantiate', 'graphExecUpdate'), graph, executable }),
  fc.record({ kind: is('graphUpload', 'graphLaunch'), executable, stream }),
  fc.record({ kind: is('hostCompute'), duration: fc.nat() }),
  fc.record({ kind: is('hostSignal', 'hostAwait'), flag: fc.constant('flag'), value: fc.nat(3) }),
);
const sequence = fc.array(fc.tuple(fc.nat(1), anyCall), { maxLength: 120 });

describe('any sequence of calls', () => {
  test('does not throw; CUDA errors are values with their number', () => {
    fc.assert(
      fc.property(sequence, (calls) => {
        const runtime = new CudaRuntime(program(), RULES, HOST);
        for (const [thread, call] of calls) {
          const { cost, error, commands } = runtime.issue(thread, call);
          expect(Number.isInteger(cost) && cost >= 0).toBe(true);
          if (error !== undefined) expect([commands.length, error.code > 0]).toEqual([0, true]);
        }
      }),
    );
  });

  test('has operation numbers that are unique and increasing, graph nodes included', () => {
    fc.assert(
      fc.property(sequence, (calls) => {
        const runtime = new CudaRuntime(program(), RULES, HOST);
        let next = 0;
        for (const [thread, call] of calls) {
          const { op, graph: launched } = runtime.issue(thread, call);
          expect(op).toBe(next);
          next = op + 1 + (launched?.nodes.length ?? 0);
        }
      }),
    );
  });

  test('orders only after earlier operations, and waits only for those of the stream named', () => {
    fc.assert(
      fc.property(sequence, (calls) => {
        const runtime = new CudaRuntime(program(), RULES, HOST);
        const enqueued = new Map<number, number>();
        const nodes = new Set<number>();
        for (const [thread, call] of calls) {
          const { op, commands, block, graph: launched } = runtime.issue(thread, call);
          for (const { command, device } of commands) {
            expect(command.op).toBe(op);
            expect(runtime.streams[command.stream]?.device).toBe(device);
            for (const earlier of command.after) expect(enqueued.has(earlier.op)).toBe(true);
            const isKnown = (awaited: number) => enqueued.has(awaited) || nodes.has(awaited);
            for (const awaited of awaitedBy(command)) expect(isKnown(awaited.op)).toBe(true);
            enqueued.set(op, command.stream);
          }
          launched?.nodes.forEach((_, i) => {
            nodes.add(op + 1 + i);
          });
          if (block?.on !== 'streams') continue;
          for (const [on, last] of block.until) expect(on < 0 ? nodes.has(last) : enqueued.get(last) === on).toBe(true);
        }
      }),
    );
  });

  test('is answered the same twice', () => {
    fc.assert(
      fc.property(sequence, (calls) => {
        const answers = () => {
          const runtime = new CudaRuntime(program(), RULES, HOST);
          return calls.map(([thread, call]) => runtime.issue(thread, call));
        };
        expect(answers()).toEqual(answers());
      }),
      { numRuns: 30 },
    );
  });
});

describe('unknown names', () => {
  const runtime = () => new CudaRuntime(program(), RULES, HOST);
  test.each<[Call, string]>([
    [{ kind: 'streamSynchronize', stream: 'z' }, 'unknown stream "z"'],
    [{ kind: 'eventQuery', event: 'z' }, 'unknown event "z"'],
    [{ kind: 'eventRecord', event: 'z', stream: 'a' }, 'unknown event "z"'],
    [{ kind: 'launchKernel', kernel: 'z', stream: 'a', attributes: {} }, 'unknown kernel "z"'],
    [{ kind: 'malloc', buffer: 'z' }, 'unknown buffer "z"'],
  ])('%o', (call, message) => {
    expect(() => runtime().issue(0, call)).toThrow(message);
  });
});

describe('calls that wait', () => {
  test('for a stream, for a device, for a flag', () => {
    const { issued, runtime } = play((host) => {
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'n');
      host.streamSynchronize('a');
      host.streamSynchronize('b');
      host.deviceSynchronize();
      host.hostAwait('ready', 2);
    });
    const [a, n] = ['a', 'n'].map((name) => runtime.stream(0, name).index);
    expect(issued.slice(2).map((i) => i.block)).toEqual([
      { on: 'streams', until: [[a, 0]] },
      { on: 'streams', until: [] },
      {
        on: 'streams',
        until: [
          [a, 0],
          [n, 1],
        ],
      },
      { on: 'flag', flag: 'ready', value: 2 },
    ]);
  });
});
