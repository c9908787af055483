import { type Machine, machineByName } from '@griddep/machine';
import { gridBarrier, spin } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { filling, KIB, MIB, run, SMS, small, takes, WHOLE_SM } from './rules.fixture.ts';

const H200 = machineByName('h200');
const connections = (maxConnections: number): Machine => ({ ...H200, host: { ...H200.host, maxConnections } });

describe('priorities', () => {
  const late = (first: number, second: number) =>
    run((host, p) => {
      p.stream('low', { kind: 'nonBlocking', priority: first });
      p.stream('high', { kind: 'nonBlocking', priority: second });
      p.kernel('waves', filling([spin('100us')], 4 * SMS));
      p.kernel('one', filling([spin('10us')], SMS));
      host.launchKernel('waves', 'low', {}, { label: 'low' });
      host.hostCompute('50us');
      host.launchKernel('one', 'high', {}, { label: 'high' });
    });

  it('5.10 pending blocks of the smaller number go first; running ones stay', () => {
    const { at } = late(0, -5);
    expect(at('high', 'start')).toBeGreaterThan(at('low', 'start') + 100);
    expect(at('high', 'start')).toBeLessThan(at('low', 'start') + 110);
    expect(at('high', 'end')).toBeLessThan(at('low', 'lastStart'));
  });

  it('5.10 at one priority the earlier grid goes first', () => {
    const { at } = late(0, 0);
    expect(at('high', 'start')).toBeGreaterThan(at('low', 'lastStart'));
  });

  it('5.10 beyond the range they are clamped silently', () => {
    const beyond = late(1000, -1000);
    expect(beyond.codes).toEqual([]);
    expect(beyond.at('high', 'start')).toBe(late(0, -5).at('high', 'start'));
  });

  it('5.10 copies are not affected', () => {
    const { at } = run((host, p) => {
      p.stream('low', { kind: 'nonBlocking', priority: 0 });
      p.stream('high', { kind: 'nonBlocking', priority: -5 });
      for (const stream of ['low', 'high']) {
        host.memcpyAsync('hostToDevice', 64 * MIB, stream, { hostMemory: 'pinned', label: stream });
      }
    });
    expect(at('high', 'start')).toBeGreaterThanOrEqual(at('low', 'end'));
  });

  it('5.10 where they are not supported the range is (0, 0), and all are alike', () => {
    const [device] = H200.devices;
    if (device === undefined) throw new Error('no device');
    const limits = { ...device.limits, priorityLowest: 0, priorityHighest: 0 };
    const machine = { ...H200, devices: [{ ...device, limits }] };
    const { at } = run((host, p) => {
      p.stream('high', { kind: 'nonBlocking', priority: -5 });
      p.kernel('waves', filling([spin('100us')], 2 * SMS));
      host.launchKernel('waves', 's', {}, { label: 'low' });
      host.launchKernel('waves', 'high', {}, { label: 'high' });
    }, machine);
    expect(at('high', 'start')).toBeGreaterThan(at('low', 'lastStart'));
  });
});

describe('hardware queues', () => {
  /** `n` streams, each with a long kernel and a short one; how many of the short ones ran before a long one ended. */
  const heldUp = (streams: number, machine: Machine) => {
    const { of, at } = run((host, p) => {
      p.kernel('long', takes(500));
      p.kernel('short', takes(5));
      for (let i = 0; i < streams; i++) p.stream(`q${i}`, { kind: 'nonBlocking' });
      host.launchKernel('long', 'q0', {}, { label: 'long' });
      host.launchKernel('short', 'q0');
      for (let i = 1; i < streams; i++) host.launchKernel('short', `q${i}`, {}, { label: `short ${i}` });
    }, machine);
    const others = Array.from({ length: streams - 1 }, (_, i) => `short ${i + 1}`);
    const late = others.filter((id) => at(id, 'start') > at('long', 'end'));
    return late.map((id) => [id, of(id).waits.some(({ kind }) => kind === 'hardwareQueue')] as const);
  };

  it('5.11 with as many as streams, none waits for another', () => {
    expect(heldUp(8, H200)).toEqual([]);
  });

  it('5.11 the ninth stream shares the queue of the first by default, and waits behind its work', () => {
    expect(heldUp(9, H200)).toEqual([['short 8', true]]);
  });

  it('5.11 with one queue, all do; with 32, 32 streams are free', () => {
    expect(heldUp(4, connections(1)).map(([id]) => id)).toEqual(['short 1', 'short 2', 'short 3']);
    expect(heldUp(32, connections(32))).toEqual([]);
  });
});

describe('host functions', () => {
  it('5.12 run in the order of the stream, and block what follows', () => {
    const { at } = run((host, p) => {
      p.kernel('k', takes(30));
      host.launchKernel('k', 's', {}, { label: 'before' });
      host.launchHostFunc('s', '50us', { label: 'function' });
      host.launchKernel('k', 's', {}, { label: 'after' });
      host.launchKernel('k', 't', {}, { label: 'beside' });
    });
    expect(at('function', 'start')).toBeGreaterThan(at('before', 'completion'));
    expect(at('after', 'start')).toBeGreaterThan(at('function', 'end'));
    expect(at('beside', 'end')).toBeLessThan(at('function', 'end'));
  });

  it('5.12 of two streams run one after the other', () => {
    const { overlap } = run((host) => {
      for (const stream of ['s', 't']) host.launchHostFunc(stream, '50us', { label: stream });
    });
    expect(overlap('s', 't')).toBe(false);
  });

  it('5.12 one that calls CUDA: error 800 in the timeline, at the function', () => {
    const { timeline } = run((host) => {
      host.launchHostFunc('s', '5us', { label: 'fine' });
      host.launchHostFunc('s', '5us', { label: 'calls', calls: 'cudaStreamSynchronize' });
    });
    expect(timeline.errors.map(({ operation, code }) => [timeline.operations[operation]?.id, code])).toEqual([
      ['calls', 800],
    ]);
  });
});

describe('cooperative launches', () => {
  const behind = (cooperative: boolean) =>
    run((host, p) => {
      p.kernel('half', { grid: SMS / 2, block: 128, dynamicSharedMemory: WHOLE_SM, phases: [spin('100us')] });
      p.kernel('all', { grid: SMS, block: 128, dynamicSharedMemory: WHOLE_SM, phases: [gridBarrier(), spin('5us')] });
      p.kernel('plain', filling([spin('5us')]));
      host.launchKernel('half', 's', {}, { label: 'half' });
      host.launchKernel(cooperative ? 'all' : 'plain', 't', { cooperative }, { label: 'grid' });
    });

  it('5.14 start no block before all have room', () => {
    const { at } = behind(true);
    expect(at('grid', 'start')).toBeGreaterThan(at('half', 'end'));
    expect(at('grid', 'lastStart') - at('grid', 'start')).toBeLessThan(5);
  });

  it('5.14 unlike others, which start where there is room', () => {
    const { at } = behind(false);
    expect(at('grid', 'start')).toBeLessThan(at('half', 'end'));
    expect(at('grid', 'lastStart')).toBeLessThan(at('half', 'end') + 10);
  });

  it('5.14 of more blocks than can be resident fail (720)', () => {
    const code = (blocks: number) =>
      run((host, p) => {
        p.kernel('k', { ...small([spin('1us')], blocks), dynamicSharedMemory: 100 * KIB });
        host.launchKernel('k', 's', { cooperative: true });
      }).codes;
    expect([code(2 * SMS), code(2 * SMS + 1)]).toEqual([[], [720]]);
  });
});

it('5.9 a launch into a stream of a device that is not current fails (400), a copy into it does not', () => {
  const { codes, of } = run((host, p) => {
    p.stream('far', { device: 1, kind: 'nonBlocking' });
    p.kernel('k', takes(5));
    host.launchKernel('k', 'far');
    host.memcpyAsync('hostToDevice', MIB, 'far', { hostMemory: 'pinned', label: 'copy' });
  }, machineByName('h200x2'));
  expect([codes, of('copy').device]).toEqual([[400], 1]);
});
