import { type GraphEdgeInput, type KernelInput, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200_X2, PDL, type Run, run, small, takes } from './rules.fixture.ts';

/** A graph of kernels by hand, launched once. */
function graph(kernels: Readonly<Record<string, KernelInput>>, edges: readonly GraphEdgeInput[]): Run {
  return run((host, p) => {
    for (const [name, kernel] of Object.entries(kernels)) p.kernel(name, kernel);
    p.graph(
      'g',
      Object.keys(kernels).map((id) => ({ id, call: { launchKernel: { kernel: id, stream: 's' } } })),
      edges,
    );
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 's', { label: 'run' });
  });
}
const early = (us: number) => small([trigger(), spin(`${us}us`)]);
const waits = small([wait(), spin('5us')]);
const never = small([spin('5us')]);

describe('edges', () => {
  const twoNodes = (edge: GraphEdgeInput, second = never) =>
    graph({ a: small([spin('20us'), trigger(), spin('80us')]), b: second }, [edge]);

  it('4.1 without data: the node starts after the completion', () => {
    const { at } = twoNodes(['a', 'b']);
    expect(at('run/b', 'start')).toBeGreaterThan(at('run/a', 'completion'));
  });

  it('4.2 from the programmatic port: after the triggers', () => {
    const { at } = twoNodes(['a', 'b', 'programmatic']);
    expect(at('run/b', 'start')).toBeGreaterThan(at('run/a', 'lastTrigger'));
    expect(at('run/b', 'start')).toBeLessThan(at('run/a', 'end'));
  });

  it('4.3 from the launch-completion port: after the starts, and the wait sees it only if it is programmatic', () => {
    const seen = (['full', 'programmatic'] as const).map((type) => {
      const { at, released } = twoNodes({ from: 'a', to: 'b', fromPort: 'launchCompletion', type }, waits);
      expect(at('run/b', 'start')).toBeGreaterThan(at('run/a', 'lastStart'));
      expect(at('run/b', 'start')).toBeLessThan(at('run/a', 'lastTrigger'));
      return released('run/b') > at('run/a', 'completion');
    });
    expect(seen).toEqual([false, true]);
  });
});

describe('several edges into a node', () => {
  const edges: GraphEdgeInput[] = [
    ['a', 'c', 'programmatic'],
    ['b', 'c', 'programmatic'],
  ];

  it('4.7 must all be satisfied before it starts', () => {
    const { at } = graph({ a: early(50), b: small([spin('80us'), trigger(), spin('100us')]), c: never }, edges);
    expect(at('run/c', 'start')).toBeGreaterThan(at('run/b', 'lastTrigger'));
    expect(at('run/c', 'start')).toBeLessThan(at('run/b', 'end'));
  });

  it('4.7 are all covered by one wait, as far as they are programmatic', () => {
    const { at, released } = graph({ a: early(50), b: early(120), c: waits }, edges);
    expect(at('run/c', 'start')).toBeLessThan(at('run/a', 'end'));
    expect(released('run/c')).toBeGreaterThan(Math.max(at('run/a', 'completion'), at('run/b', 'completion')));
  });

  it('4.7 with a full one among them wait for its completion before the start', () => {
    const { at } = graph({ a: early(50), b: early(120), c: never }, [
      ['a', 'c', 'programmatic'],
      ['b', 'c'],
    ]);
    expect(at('run/c', 'start')).toBeGreaterThan(at('run/b', 'completion'));
  });

  it('4.8 an ancestor behind a node that never waits is complete before the start only with an edge of its own', () => {
    const chain: GraphEdgeInput[] = [
      ['a', 'b', 'programmatic'],
      ['b', 'c', 'programmatic'],
    ];
    const kernels = { a: early(200), b: small([trigger(), spin('5us')]), c: never };
    const path = graph(kernels, chain);
    expect(path.at('run/c', 'start')).toBeLessThan(path.at('run/a', 'end'));
    const direct = graph(kernels, [...chain, ['a', 'c']]);
    expect(direct.at('run/c', 'start')).toBeGreaterThan(direct.at('run/a', 'completion'));
  });
});

describe('launches of executables', () => {
  const launches = (executables: readonly ['x' | 'y', 's' | 't'][]) =>
    run((host, p) => {
      p.kernel('k', takes(100));
      p.graph('g', [{ id: 'n', call: { launchKernel: { kernel: 'k', stream: 's' } } }]);
      for (const executable of ['x', 'y']) host.graphInstantiate('g', executable);
      for (const [i, [executable, stream]] of executables.entries()) {
        host.graphLaunch(executable, stream, { label: `${i}` });
      }
    });

  it('4.9 one executable runs once at a time, also from two streams', () => {
    const { overlap, of } = launches([
      ['x', 's'],
      ['x', 't'],
    ]);
    expect(overlap('0/n', '1/n')).toBe(false);
    expect(of('1').cause.kind).toBe('implicitSync');
  });

  it('4.9 two executables of one graph run at once from two streams, and in order from one', () => {
    const twoStreams = launches([
      ['x', 's'],
      ['y', 't'],
    ]);
    expect(twoStreams.overlap('0/n', '1/n')).toBe(true);
    const oneStream = launches([
      ['x', 's'],
      ['y', 's'],
    ]);
    expect(oneStream.overlap('0/n', '1/n')).toBe(false);
  });

  it('4.9 a launch comes after earlier work of its stream', () => {
    const { at } = run((host, p) => {
      p.kernel('k', takes(100));
      p.graph('g', [{ id: 'n', call: { launchKernel: { kernel: 'k', stream: 's' } } }]);
      host.graphInstantiate('g', 'x');
      host.launchKernel('k', 't', {}, { label: 'before' });
      host.graphLaunch('x', 't', { label: 'run' });
      host.launchKernel('k', 't', {}, { label: 'after' });
    });
    expect(at('run/n', 'start')).toBeGreaterThan(at('before', 'completion'));
    expect(at('after', 'start')).toBeGreaterThan(at('run/n', 'completion'));
  });

  it('4.11 the first node of a replay does not overlap the last of the one before, whatever its attribute was', () => {
    const { at } = run((host, p) => {
      p.kernel('k', early(50));
      host.streamBeginCapture('s');
      for (const label of ['first', 'last']) host.launchKernel('k', 's', PDL, { label });
      host.streamEndCapture('s', 'g');
      host.graphInstantiate('g', 'x');
      for (const label of ['one', 'two']) host.graphLaunch('x', 's', { label });
    });
    expect(at('one/last', 'start')).toBeLessThan(at('one/first', 'end'));
    expect(at('two/first', 'start')).toBeGreaterThan(at('one/last', 'completion'));
  });

  it('4.10 after an update a launch does what the new graph says', () => {
    const { timeline, at } = run((host, p) => {
      p.kernel('short', takes(10));
      p.kernel('long', takes(200));
      for (const name of ['short', 'long']) {
        p.graph(name, [{ id: 'n', call: { launchKernel: { kernel: name, stream: 's' } } }]);
      }
      host.graphInstantiate('short', 'x');
      host.graphLaunch('x', 's', { label: 'before' });
      host.graphExecUpdate('x', 'long');
      host.graphLaunch('x', 's', { label: 'after' });
    });
    expect(timeline.errors).toEqual([]);
    const time = (id: string) => at(id, 'end') - at(id, 'start');
    expect([time('before/n') < 20, time('after/n') > 190]).toEqual([true, true]);
  });
});

it('5.24 PDL launches that were captured overlap in replays as they do in a stream', () => {
  const overlaps = (attributes: object) => {
    const { overlap } = run((host, p) => {
      p.kernel('k', early(50));
      host.streamBeginCapture('s');
      host.launchKernel('k', 's', {}, { label: 'first' });
      host.launchKernel('k', 's', attributes, { label: 'second' });
      host.streamEndCapture('s', 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 's', { label: 'run' });
    });
    return overlap('run/first', 'run/second');
  };
  expect([overlaps({}), overlaps(PDL)]).toEqual([false, true]);
});

describe('event nodes', () => {
  it('5.23 an external wait holds up what follows it in the graph, an external record lets others go on', () => {
    const { at, timeline } = run((host, p) => {
      for (const event of ['in', 'out']) p.event(event, { timing: false });
      p.stream('u', { kind: 'nonBlocking' });
      p.kernel('k', takes(100));
      p.kernel('short', takes(10));
      host.streamBeginCapture('s');
      host.launchKernel('short', 's', {}, { label: 'free' });
      host.streamWaitEvent('s', 'in', { external: true });
      host.launchKernel('short', 's', {}, { label: 'held' });
      host.eventRecord('out', 's', { external: true });
      host.launchKernel('k', 's', {}, { label: 'rest' });
      host.streamEndCapture('s', 'g');
      host.graphInstantiate('g', 'x');
      host.launchKernel('k', 't', {}, { label: 'outside' });
      host.eventRecord('in', 't');
      host.graphLaunch('x', 's', { label: 'run' });
      host.streamWaitEvent('u', 'out');
      host.launchKernel('short', 'u', {}, { label: 'after' });
      host.eventSynchronize('out', { label: 'sync' });
    });
    expect([...timeline.errors, ...timeline.stuck]).toEqual([]);
    expect(at('run/free', 'start')).toBeLessThan(at('outside', 'end'));
    expect(at('run/held', 'start')).toBeGreaterThan(at('outside', 'completion'));
    expect(at('after', 'start')).toBeGreaterThan(at('run/held', 'completion'));
    expect(at('after', 'end')).toBeLessThan(at('run/rest', 'end'));
    expect(at('sync', 'callEnd')).toBeGreaterThan(at('run/held', 'completion'));
    expect(at('sync', 'callEnd')).toBeLessThan(at('run/rest', 'end'));
  });

  it('5.6, 5.23 work across devices too', () => {
    const { at, timeline } = run((host, p) => {
      for (const event of ['in', 'out']) p.event(event, { timing: false });
      p.stream('far', { device: 1, kind: 'nonBlocking' });
      p.event('there', { device: 1, timing: false });
      p.kernel('k', takes(100));
      host.streamBeginCapture('s');
      host.streamWaitEvent('s', 'there', { external: true });
      host.launchKernel('k', 's', {}, { label: 'held' });
      host.eventRecord('out', 's', { external: true });
      host.streamEndCapture('s', 'g');
      host.graphInstantiate('g', 'x');
      host.setDevice(1);
      host.launchKernel('k', 'far', {}, { label: 'first' });
      host.eventRecord('there', 'far');
      host.setDevice(0);
      host.graphLaunch('x', 's', { label: 'run' });
      host.setDevice(1);
      host.streamWaitEvent('far', 'out');
      host.launchKernel('k', 'far', {}, { label: 'last' });
    }, H200_X2);
    expect([...timeline.errors, ...timeline.stuck]).toEqual([]);
    expect(at('run/held', 'start')).toBeGreaterThan(at('first', 'completion'));
    expect(at('last', 'start')).toBeGreaterThan(at('run/held', 'completion'));
  });
});

it('[graph-pytorch-57556] 4.9 a second replay in the same stream begins when the first has ended', () => {
  const { at } = run((host, p) => {
    p.kernel('k', takes(30));
    host.streamBeginCapture('s');
    for (const label of ['a', 'b']) host.launchKernel('k', 's', {}, { label });
    host.streamEndCapture('s', 'g');
    host.graphInstantiate('g', 'x');
    for (const label of ['one', 'two']) host.graphLaunch('x', 's', { label });
  });
  expect(at('two/a', 'start')).toBeGreaterThan(at('one/b', 'completion'));
});
