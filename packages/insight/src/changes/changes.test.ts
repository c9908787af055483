import { machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type Program, type ProgramBuilder, programBuilder } from '@griddep/program';
import { checkProgram, simulate } from '@griddep/simulator';
import type { Operation } from '@griddep/timeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { devices } from './devices.ts';
import { withEarlyLaunches } from './early-launches.ts';
import { fuse } from './fuse.ts';
import { graph } from './graph.ts';
import { pinned, pinningTime } from './pinned.ts';
import { remove } from './remove.ts';
import { scale } from './scale.ts';
import { selectKernels } from './select-kernels.ts';
import { dealable, streams } from './streams.ts';

const machine = machineByName('h200x2');
const MIB = 1 << 20;

function run(program: Program): { work: Operation[]; makespan: number } {
  checkProgram(program, machine);
  const timeline = simulate(program, machine);
  expect(timeline.stuck).toEqual([]);
  expect(timeline.errors).toEqual([]);
  const work = timeline.operations.filter(({ kind }) => kind === 'kernel' || kind === 'copy' || kind === 'memset');
  const makespan = Math.max(...work.map(({ end }) => end)) - Math.min(...work.map(({ start }) => start));
  return { work, makespan };
}

function withKernels(name = 'p'): ProgramBuilder {
  const builder = programBuilder(name);
  builder.kernel('a', { grid: 32, block: 128, duration: '2us' });
  builder.kernel('b', { grid: 64, block: 128, duration: '3us' });
  builder.stream('s', { kind: 'nonBlocking' });
  builder.stream('t', { kind: 'nonBlocking' });
  return builder;
}

/** A chain of a and b that the host launches slowly. */
function slowChain(length = 6): Program {
  const builder = withKernels();
  const host = builder.hostThread();
  for (let i = 0; i < length; i++) {
    host.hostCompute('10us');
    host.launchKernel(i % 2 === 0 ? 'a' : 'b', 's');
  }
  host.deviceSynchronize();
  return builder.build();
}

/** Chunks copied up, computed with and copied down in one stream. */
function chunks(count: number, hostMemory: 'pinned' | 'pageable' = 'pinned'): Program {
  const builder = withKernels();
  const host = builder.hostThread();
  for (let i = 0; i < count; i++) {
    host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory });
    host.launchKernel('a', 's');
    host.memcpyAsync('deviceToHost', MIB, 's', { hostMemory });
  }
  host.streamSynchronize('s');
  return builder.build();
}

describe('as a graph', () => {
  it('a chain no longer waits for the host', () => {
    const [before, after] = [run(slowChain()), run(graph(slowChain()))];
    expect(after.work.map(({ name }) => name)).toEqual(before.work.map(({ name }) => name));
    expect(before.makespan).toBeGreaterThan(50e6);
    expect(after.makespan).toBeLessThan(25e6);
  });

  it('a stream that waits for events of before and of within keeps its order, and so does who waits outside', () => {
    const builder = withKernels();
    for (const name of ['e', 'f', 'g']) builder.event(name, { timing: false });
    const host = builder.hostThread();
    host.launchKernel('b', 't');
    host.eventRecord('e', 't');
    host.streamSynchronize('s');
    host.streamWaitEvent('s', 'e');
    host.launchKernel('a', 's');
    host.eventRecord('f', 's');
    host.streamWaitEvent('t', 'f');
    host.launchKernel('b', 't');
    host.eventRecord('g', 't');
    host.eventSynchronize('g');
    host.launchKernel('a', 's');
    host.deviceSynchronize();
    const { work } = run(graph(builder.build()));
    const sorted = [...work].sort((x, y) => x.start - y.start);
    expect(sorted.map(({ name }) => name)).toEqual(['b', 'a', 'b', 'a']);
    for (let i = 1; i < sorted.length; i++) {
      expect(sorted[i]?.start).toBeGreaterThan(sorted[i - 1]?.end as number);
    }
  });

  it('each named step is a graph of its own', () => {
    const builder = withKernels();
    const host = builder.hostThread();
    for (const step of [1, 2, 3]) {
      host.rangePush(`step ${step}`);
      host.launchKernel('a', 's');
      host.launchKernel('b', 's');
      host.rangePop();
    }
    host.deviceSynchronize();
    const calls = graph(builder.build()).threads[0]?.calls;
    const kinds = Array.from({ length: calls?.length ?? 0 }, (_, i) => calls?.at(i).kind);
    expect(kinds.filter((kind) => kind === 'graphLaunch')).toHaveLength(3);
  });

  it('what a capture refuses stays: the legacy stream, and streams of several threads', () => {
    const builder = withKernels();
    builder.stream('legacy');
    const host = builder.hostThread();
    for (const stream of ['legacy', 'legacy']) host.launchKernel('a', stream);
    host.deviceSynchronize();
    for (const name of ['one', 'two']) {
      const thread = builder.hostThread(name);
      thread.launchKernel('a', 's');
      thread.launchKernel('b', 's');
    }
    const program = builder.build();
    expect(run(graph(program)).makespan).toBe(run(program).makespan);
  });

  it('random programs run the same work without an error, each stream in its order', { timeout: 60_000 }, () => {
    const op = fc.record({
      what: fc.constantFrom('a', 'b', 'copy', 'memset', 'tie', 'sync', 'compute', 'device'),
      stream: fc.constantFrom('s', 't'),
    });
    fc.assert(
      fc.property(fc.array(op, { minLength: 1, maxLength: 20 }), (ops) => {
        const builder = withKernels();
        const host = builder.hostThread();
        ops.forEach(({ what, stream }, i) => {
          const label = `${stream}${i}`;
          if (what === 'a' || what === 'b') host.launchKernel(what, stream, {}, { label });
          else if (what === 'copy') host.memcpyAsync('hostToDevice', 4096, stream, { hostMemory: 'pinned', label });
          else if (what === 'memset') host.memsetAsync(4096, stream, { label });
          else if (what === 'sync') host.streamSynchronize(stream);
          else if (what === 'compute') host.hostCompute('3us');
          else if (what === 'device') host.setDevice(0);
          else {
            builder.event(`e${i}`, { timing: false });
            host.eventRecord(`e${i}`, stream);
            host.streamWaitEvent(stream === 's' ? 't' : 's', `e${i}`);
          }
        });
        host.deviceSynchronize();
        const program = builder.build();
        const order = (work: readonly Operation[], stream: string) =>
          [...work]
            .sort((x, y) => x.start - y.start)
            .map(({ id }) => id.replace(/^.*\//, ''))
            .filter((id) => id.startsWith(stream));
        const [before, after] = [run(program), run(graph(program))];
        expect(after.work).toHaveLength(before.work.length);
        for (const stream of ['s', 't']) expect(order(after.work, stream)).toEqual(order(before.work, stream));
      }),
      { numRuns: 100 },
    );
  });
});

describe('on a pool of streams', () => {
  it('chunks overlap, and what follows waits for all', () => {
    const program = chunks(8);
    expect(dealable(program)).toEqual([{ stream: 's', repetitions: 8 }]);
    const [before, after] = [run(program), run(streams(program, { count: 4 }))];
    expect(after.work).toHaveLength(before.work.length);
    expect(new Set(after.work.map(({ stream }) => stream)).size).toBe(4);
    expect(after.makespan).toBeLessThan(0.8 * before.makespan);
  });

  it('a chain of kernels, and chunks that others tie in between, stay', () => {
    expect(dealable(slowChain())).toEqual([]);
    const builder = withKernels();
    builder.event('e', { timing: false });
    const host = builder.hostThread();
    host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory: 'pinned' });
    host.eventRecord('e', 's');
    host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory: 'pinned' });
    expect(dealable(builder.build())).toEqual([]);
  });

  it('one stream changes nothing', () => {
    const program = chunks(3);
    expect(streams(program, { count: 1 })).toBe(program);
  });
});

it('page-locked, copies are asynchronous and quicker, and locking is charged per copy', () => {
  const program = chunks(4, 'pageable');
  expect(run(pinned(program)).makespan).toBeLessThan(0.6 * run(program).makespan);
  const { mallocHost, mallocHostPerByte } = machine.host.timing;
  const expected = 8 * mallocHost.value * 1e3 + ((8 * MIB) / mallocHostPerByte.value) * 1e12;
  expect(pinningTime(program, machine)).toBeCloseTo(expected, -3);
  expect(pinningTime(pinned(program), machine)).toBe(0);
});

describe('kernels', () => {
  it('scaled take as many times as long', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (percent) => {
        const program = slowChain();
        const changed = scale(program, { kernel: 'a', factor: percent / 100 });
        expect(changed.kernels.get('a')?.body).toMatchObject({ duration: 20_000 * percent });
        expect(changed.kernels.get('b')).toBe(program.kernels.get('b'));
      }),
    );
  });

  it('removed are gone from threads and graphs, where what followed them follows what they followed', () => {
    const builder = withKernels();
    const launch = (kernel: string) => ({ launchKernel: { kernel, stream: 's' } });
    builder.graph(
      'g',
      [
        { id: '1', call: launch('a') },
        { id: '2', call: launch('b') },
        { id: '3', call: launch('a') },
      ],
      [
        ['1', '2'],
        ['2', '3'],
      ],
    );
    const host = builder.hostThread();
    host.graphInstantiate('g', 'x');
    host.launchKernel('b', 's');
    host.graphLaunch('x', 's');
    host.deviceSynchronize();
    const changed = remove(builder.build(), { kernel: 'b' });
    expect(changed.graphs.get('g')?.edges).toEqual([{ from: '1', to: '3', fromPort: 'default', type: 'full' }]);
    const { work } = run(changed);
    expect(work.map(({ name }) => name)).toEqual(['a', 'a']);
    expect(work[1]?.start).toBeGreaterThan(work[0]?.end as number);
  });

  it('fused are one launch that takes the time of both, without the pause between', () => {
    const { work } = run(fuse(slowChain(), { first: 'a', second: 'b' }));
    expect(work.map(({ name }) => name)).toEqual(['a + b', 'a + b', 'a + b']);
    for (const { start, end } of work) expect(end - start).toBeGreaterThanOrEqual(5e6);
    expect(() => fuse(slowChain(1), { first: 'a', second: 'b' })).toThrow('no launch of "b" follows one of "a"');
  });

  it.each<[string, (host: HostThreadBuilder) => void, object?]>([
    ['6.1 the host waits for another stream', (host) => host.streamSynchronize('t')],
    ['6.4 the host waits for a copy', (host) => host.memcpy('hostToDevice', '64KiB', { stream: 't' })],
    ['5.1 there is work in the legacy stream', (host) => host.launchKernel('a', 'legacy')],
    ['3.1 an event tells of the second', () => {}, { programmaticEvent: { event: 'e' } }],
  ])('are not fused where in between %s', (_, between, attributes = {}) => {
    const builder = withKernels();
    builder.stream('u', { kind: 'blocking' });
    builder.event('e', { timing: false });
    const host = builder.hostThread();
    host.launchKernel('a', 'u');
    between(host);
    host.launchKernel('b', 'u', attributes);
    host.deviceSynchronize();
    expect(() => fuse(builder.build(), { first: 'a', second: 'b' })).toThrow('no launch of "b" follows one of "a"');
  });

  it('fused in a graph are one node where nothing else leaves the first or enters the second', () => {
    const builder = withKernels();
    const node = (id: string, kernel: string) => ({ id, call: { launchKernel: { kernel, stream: 's' } } });
    const nodes = [node('1', 'a'), node('2', 'b'), node('3', 'a'), node('4', 'b'), node('5', 'b')];
    const edges = [
      ['1', '2'],
      ['2', '3'],
      ['3', '4'],
      ['3', '5'],
    ].map(([from = '', to = '']) => ({ from, to }));
    builder.graph('g', nodes, edges);
    const graph = fuse(builder.build(), { first: 'a', second: 'b' }).graphs.get('g');
    expect(graph?.nodes.map(({ id, call }) => [id, call.kind === 'launchKernel' && call.kernel])).toEqual([
      ['1', 'a + b'],
      ['3', 'a'],
      ['4', 'b'],
      ['5', 'b'],
    ]);
    expect(graph?.edges.map(({ from, to }) => [from, to])).toEqual([
      ['1', '3'],
      ['3', '4'],
      ['3', '5'],
    ]);
  });

  it('are found by name, by plain name and by pattern; else the nearest is told', () => {
    const builder = withKernels();
    builder.kernel('void ns::gemm<128, 4>(float*)', { grid: 1, block: 32, duration: '1us' });
    builder.kernel('void ns::gemm<128, 4>(float*) ~2', { grid: 1, block: 32, duration: '2us' });
    const program = builder.build();
    for (const text of ['gemm', 'void ns::gemm<128, 4>(float*)', '*gemm*']) {
      expect(selectKernels(program, text)).toHaveLength(2);
    }
    expect(() => selectKernels(program, 'gem')).toThrow('has no kernel "gem" (did you mean "gemm"?)');
  });
});

describe('launched early', () => {
  const options = {
    kernels: 'all',
    shares: new Map(),
    otherwise: { beforeWait: 0.2, beforeTrigger: 0.2 },
    machine,
  } as const;

  it('1.1, 1.8 a kernel starts before the one in front has ended, and works on after it', () => {
    const { work } = run(graph(withEarlyLaunches(slowChain(), options)));
    for (let i = 1; i < work.length; i++) {
      const [before, after] = [work[i - 1] as Operation, work[i] as Operation];
      expect(after.start).toBeLessThan(before.end);
      expect(after.firstRelease).toBeGreaterThanOrEqual(before.completion);
    }
  });

  it('the edges of a graph made by hand become programmatic, unless several meet', () => {
    const builder = withKernels();
    const launch = (kernel: string) => ({ launchKernel: { kernel, stream: 's' } });
    builder.graph(
      'g',
      ['1', '2', '3', '4'].map((id) => ({ id, call: launch('a') })),
      [
        ['1', '2'],
        ['1', '3'],
        ['2', '4'],
        ['3', '4'],
      ],
    );
    const changed = withEarlyLaunches(builder.build(), options);
    expect(changed.graphs.get('g')?.edges.map(({ type }) => type)).toEqual([
      'programmatic',
      'programmatic',
      'full',
      'full',
    ]);
  });
});

it('on two devices all of it happens twice, and the links are shared', () => {
  const [before, after] = [run(chunks(3)), run(devices(chunks(3), { count: 2 }))];
  expect(after.work).toHaveLength(2 * before.work.length);
  expect(after.work.filter(({ device }) => device === 1)).toHaveLength(before.work.length);
  expect(() => devices(devices(chunks(3), { count: 2 }), { count: 2 })).toThrow('runs on 2 devices already');
});
