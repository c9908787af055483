import { describe, expect, it } from 'vitest';
import { programBuilder, spin, trigger, wait } from './index.ts';

function small() {
  const p = programBuilder('small');
  p.kernel('rms', { grid: 32, block: 256, phases: [spin('500ns'), trigger(), wait()] });
  p.stream('s0', { kind: 'nonBlocking' });
  p.event('done');
  return p;
}

describe('builder', () => {
  it('fills in defaults', () => {
    const p = small();
    const h = p.hostThread('main');
    h.range('layer', () => h.launchKernel('rms', 's0', { programmaticStreamSerialization: true }, { label: 'rms#0' }));
    const program = p.build();
    expect(program.kernels.get('rms')).toMatchObject({
      grid: [32, 1, 1],
      registersPerThread: 32,
      griddepcontrol: true,
    });
    const calls = program.threads[0]?.calls;
    expect(calls?.length).toBe(3);
    expect(calls?.at(1)).toEqual({
      kind: 'launchKernel',
      kernel: 'rms',
      stream: 's0',
      attributes: { programmaticStreamSerialization: true },
    });
    expect([calls?.label(1), calls?.path(1)]).toEqual(['rms#0', 'layer']);
  });

  it('makes the default streams on first use, unless declared', () => {
    const p = small();
    const h = p.hostThread();
    h.memcpy('hostToDevice', '4KiB');
    h.eventRecord('done', 'perThread');
    h.setDevice(1);
    h.memset('1KiB');
    const { streams } = p.build();
    expect(streams.get('legacy')).toEqual({ name: 'legacy', device: 0, kind: 'legacy', priority: 0 });
    expect(streams.get('perThread')?.kind).toBe('perThread');
    expect(streams.get('legacy1')).toEqual({ name: 'legacy1', device: 1, kind: 'legacy', priority: 0 });
    const q = programBuilder('declared');
    expect(q.stream('legacy', { device: 1 })).toMatchObject({ device: 1, kind: 'legacy' });
  });

  it('takes the kind of host memory from the host buffer', () => {
    const p = small();
    p.buffer('h', { bytes: '1MiB', space: 'host', hostMemory: 'pinned' });
    const h = p.hostThread();
    h.memcpyAsync('hostToDevice', '4KiB', 's0', { source: 'h' });
    h.memcpyAsync('hostToDevice', '4KiB', 's0');
    const calls = p.build().threads[0]?.calls;
    expect(calls?.at(0)).toMatchObject({ hostMemory: 'pinned', source: { buffer: 'h', offset: 0, bytes: 4096 } });
    expect(calls?.at(1)).toMatchObject({ hostMemory: 'pageable' });
  });

  it.each<[string, (p: ReturnType<typeof small>) => unknown]>([
    ['unknown kernel "rsm" (did you mean "rms"?)', (p) => p.hostThread().launchKernel('rsm', 's0')],
    ['unknown stream "s" (did you mean "s0"?)', (p) => p.hostThread().launchKernel('rms', 's')],
    ['kernel "rms" is declared twice', (p) => p.kernel('rms', { grid: 1, block: 1, phases: [] })],
    ['at most 1024 threads, got 2048', (p) => p.kernel('x', { grid: 1, block: [64, 32], phases: [] })],
    ['grid.y must be a whole number from 1', (p) => p.kernel('x', { grid: [1, 0], block: 1, phases: [] })],
    ['has no body', (p) => p.kernel('x', { grid: 1, block: 1 })],
    ['has several bodies', (p) => p.kernel('x', { grid: 1, block: 1, phases: [], duration: 1 })],
    ['never popped', (p) => [p.hostThread().rangePush('r'), p.build()]],
    ['without a range', (p) => p.hostThread().rangePop()],
    ['unknown executable "x"', (p) => [p.hostThread().graphLaunch('x', 's0'), p.build()]],
    ['unknown buffer', (p) => p.hostThread().malloc('__proto__')],
  ])('refuses: %s', (problem, act) => {
    expect(() => act(small())).toThrow(problem);
  });

  it('names the cycle of a graph', () => {
    const p = small();
    const call = { launchKernel: { kernel: 'rms', stream: 's0' } };
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, call }));
    p.graph('g', nodes, [
      ['a', 'b'],
      ['b', 'c', 'programmatic'],
      ['c', 'b'],
    ]);
    expect(() => p.build()).toThrow('graph "g" has a cycle: b -> c -> b');
  });

  it('accepts names of object properties', () => {
    const p = small();
    p.stream('constructor');
    p.hostThread().launchKernel('rms', 'constructor', undefined, { label: 'toString' });
    expect(p.build().streams.get('constructor')?.name).toBe('constructor');
  });

  it('stores a loop of equal calls once', () => {
    const p = small();
    const h = p.hostThread();
    for (let i = 0; i < 10_000; i++) h.launchKernel('rms', 's0');
    const calls = p.build().threads[0]?.calls;
    expect([calls?.length, calls?.distinct]).toEqual([10_000, 1]);
  });
});
