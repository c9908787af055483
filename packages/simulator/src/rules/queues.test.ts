import { type Machine, machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type ProgramBuilder, programBuilder, programWarnings, spin } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { filling, H200, H200_X2, MIB, type Run, run, SMS, seen, takes } from './rules.fixture.ts';

const hostWith = (host: Partial<Machine['host']>, machine = H200): Machine => ({
  ...machine,
  host: { ...machine.host, ...host },
});

describe('hardware queues', () => {
  /** Stream 0 holds two kernels of 50 us, each further one a single kernel; which of these start beside the first. */
  const streams = (count: number, maxConnections: number): Run =>
    run((host, p) => {
      p.kernel('k', takes(50));
      for (let i = 0; i < count; i++) p.stream(`q${i}`, { kind: 'nonBlocking' });
      host.launchKernel('k', 'q0', undefined, { label: 'first' });
      host.launchKernel('k', 'q0', undefined, { label: 'second' });
      for (let i = 1; i < count; i++) host.launchKernel('k', `q${i}`, undefined, { label: `k${i}` });
    }, hostWith({ maxConnections }));

  it('5.11 streams beyond their number share queues, and wait behind heads that they do not depend on', () => {
    const { overlap, waits, timeline } = streams(12, 8);
    const behind = Array.from({ length: 11 }, (_, i) => `k${i + 1}`).filter((id) => !overlap('first', id));
    expect(behind).toHaveLength(1);
    expect(waits(behind[0] as string).some((w) => w.startsWith('hardwareQueue'))).toBe(true);
    expect(timeline.stuck).toEqual([]);
    const wide = streams(12, 32);
    expect(Array.from({ length: 11 }, (_, i) => wide.overlap('first', `k${i + 1}`))).not.toContain(false);
  });

  it('5.11 with one queue every stream waits behind the first that is held', () => {
    const { overlap } = streams(4, 1);
    expect([1, 2, 3].map((i) => overlap('first', `k${i}`))).toEqual([false, false, false]);
  });

  it('[conn-megatron-533] 5.11 one queue enforces the order of launches, and lets neighbours that are at its head overlap', () => {
    const overlapped = (maxConnections: number, order: 'given' | 'held') =>
      run((host, p) => {
        p.kernel('comm', { grid: 16, block: 512, phases: [spin('60us')] });
        p.kernel('gemm', filling([spin('60us')], SMS));
        p.event('ready', { timing: false });
        p.kernel('before', takes(20));
        // The communication waits for what another stream makes, the product does not.
        p.stream('u', { kind: 'nonBlocking' });
        host.launchKernel('before', 'u');
        host.eventRecord('ready', 'u');
        if (order === 'held') host.streamWaitEvent('s', 'ready');
        host.launchKernel('comm', 's', undefined, { label: 'comm' });
        host.launchKernel('gemm', 't', undefined, { label: 'gemm' });
      }, hostWith({ maxConnections }));
    const [one, many] = [overlapped(1, 'held'), overlapped(8, 'held')];
    expect(one.at('comm', 'start')).toBeLessThan(one.at('gemm', 'start'));
    expect(one.overlap('comm', 'gemm')).toBe(true);
    expect(many.at('gemm', 'start')).toBeLessThan(many.at('comm', 'start'));
    expect(overlapped(1, 'given').overlap('comm', 'gemm')).toBe(true);
  });
});

describe('CUDA_DEVICE_MAX_CONNECTIONS', () => {
  /** Whether two independent kernels, behind one that another stream holds, overlap with it. */
  const set = (value: string | undefined, when: 'first' | 'late') => {
    const program = programBuilder('connections');
    program.kernel('k', takes(50));
    for (let i = 0; i < 3; i++) program.stream(`q${i}`, { kind: 'nonBlocking' });
    const host = program.hostThread('main');
    const setenv = () => value !== undefined && host.hostSetenv('CUDA_DEVICE_MAX_CONNECTIONS', value);
    if (when === 'first') setenv();
    host.launchKernel('k', 'q0', undefined, { label: 'first' });
    if (when === 'late') setenv();
    host.launchKernel('k', 'q0', undefined, { label: 'second' });
    for (const i of [1, 2]) host.launchKernel('k', `q${i}`, undefined, { label: `k${i}` });
    const built = program.build();
    const { overlap } = seen(simulate(built, H200));
    return { overlaps: [overlap('first', 'k1'), overlap('first', 'k2')], warnings: programWarnings(built) };
  };

  it('[conn-set-too-late] 5.11 counts when it is set before the first CUDA call, which makes the context', () => {
    expect(set(undefined, 'first')).toEqual({ overlaps: [true, true], warnings: [] });
    expect(set('1', 'first')).toEqual({ overlaps: [false, false], warnings: [] });
    expect(set('32', 'first').overlaps).toEqual([true, true]);
  });

  it('[conn-set-too-late] 5.11 set later it changes nothing, and a warning says so', () => {
    const { overlaps, warnings } = set('1', 'late');
    expect(overlaps).toEqual([true, true]);
    expect(warnings).toMatchObject([{ rule: '5.11', message: expect.stringContaining('after the context is made') }]);
    expect(set('many', 'first')).toMatchObject({ overlaps: [true, true], warnings: [{ rule: '5.11' }] });
  });
});

describe('pending work', () => {
  it('7.15 a full queue blocks the call until the device has retired a command, and says so', () => {
    const enqueue = (queueDepth: number) =>
      run((host, p) => {
        p.kernel('k', takes(50));
        for (let i = 0; i < 6; i++) host.launchKernel('k', 's', undefined, { label: `k${i}` });
        host.launchKernel('k', 't', undefined, { label: 'other' });
      }, hostWith({ queueDepth }));
    const [deep, shallow] = [enqueue(1024), enqueue(4)];
    expect(deep.at('k5', 'callEnd')).toBeLessThan(deep.at('k0', 'end'));
    expect(shallow.at('k3', 'callEnd')).toBeLessThan(shallow.at('k0', 'end'));
    expect(shallow.at('k4', 'callBegin')).toBeGreaterThan(shallow.at('k0', 'completion'));
    expect(shallow.waits('k4')).toContain('queueFull');
    expect(deep.waits('k4')).not.toContain('queueFull');
    // The host is held as a whole, so that other streams get their work late.
    expect(shallow.overlap('k0', 'other')).toBe(false);
    expect(deep.overlap('k0', 'other')).toBe(true);
  });
});

describe('stream zero', () => {
  /** Two host threads, each with a kernel of 50 us in the default stream of a kind. */
  const threads = (kind: 'legacy' | 'perThread') => {
    const program = programBuilder('zero');
    program.kernel('k', takes(50));
    program.stream('zero', { kind });
    for (const name of ['one', 'two']) program.hostThread(name).launchKernel('k', 'zero', undefined, { label: name });
    return seen(simulate(program.build(), H200));
  };

  it('7.14 of two host threads: in turn through the legacy stream, together with one a thread', () => {
    expect(threads('legacy').overlap('one', 'two')).toBe(false);
    expect(threads('perThread').overlap('one', 'two')).toBe(true);
  });
});

describe('several devices', () => {
  const launch = (machine: Machine) =>
    run((host, p) => {
      p.kernel('k', filling([spin('20us')], 4 * SMS));
      host.launchKernel('k', 's', undefined, { label: 'k' });
    }, machine);

  it('7.16 blocks stay on their device, however idle another is: the geometry divides the work', () => {
    const [one, two] = [launch(H200), launch(H200_X2)];
    expect(two.of('k').sms).toBe(SMS);
    expect(two.at('k', 'end') - two.at('k', 'start')).toBe(one.at('k', 'end') - one.at('k', 'start'));
    const share = (first: number) => {
      const { at } = run((host, p) => {
        p.stream('far', { device: 1, kind: 'nonBlocking' });
        p.kernel('here', filling([spin('20us')], first));
        p.kernel('there', filling([spin('20us')], 4 * SMS - first));
        host.launchKernel('here', 's', undefined, { label: 'a' });
        host.setDevice(1);
        host.launchKernel('there', 'far', undefined, { label: 'b' });
      }, H200_X2);
      return Math.max(at('a', 'end'), at('b', 'end'));
    };
    expect(share(2 * SMS)).toBeLessThan(share(3 * SMS));
  });

  it('[device-occa-27] 5.9 a launch into a stream of a device that is not current is refused (400), other calls are not', () => {
    const { codes, of } = run((host, p) => {
      p.kernel('k', takes(5));
      p.event('here', { timing: false });
      p.event('there', { device: 1, timing: false });
      p.stream('far', { device: 1, kind: 'nonBlocking' });
      host.eventRecord('here', 's');
      host.setDevice(1);
      host.launchKernel('k', 's', undefined, { label: 'refused' });
      host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory: 'pinned', label: 'copy' });
      host.streamWaitEvent('s', 'here');
      host.streamWaitEvent('far', 'here');
      host.streamSynchronize('s');
      host.streamQuery('s');
      host.eventRecord('there', 's', { label: 'record' });
    }, H200_X2);
    expect(codes).toEqual([400, 400]);
    expect([of('refused').kind, of('record').kind, of('copy').kind]).toEqual(['hostCall', 'hostCall', 'copy']);
  });
});

describe('priority', () => {
  const make = (high: number, low: number) => (host: HostThreadBuilder, p: ProgramBuilder) => {
    p.stream('low', { kind: 'nonBlocking', priority: low });
    p.stream('high', { kind: 'nonBlocking', priority: high });
    p.kernel('long', filling([spin('50us')], 4 * SMS));
    p.kernel('short', filling([spin('5us')], 4));
    host.launchKernel('long', 'low', undefined, { label: 'k' });
    host.launchKernel('short', 'high', undefined, { label: 'h' });
  };

  it('[prio-dali-4085] 5.10 a kernel of high priority starts as running blocks drain, before the pending ones of the other', () => {
    const [first, equal] = [run(make(-5, 0)), run(make(0, 0))];
    const wave = (n: number) => first.at('k', 'start') + 50 * n;
    // Nothing is pre-empted: all SMs are taken until the first wave ends.
    expect(first.at('h', 'start')).toBeGreaterThan(wave(1));
    expect(first.at('h', 'start')).toBeLessThan(wave(1) + 5);
    expect(equal.at('h', 'start')).toBeGreaterThan(wave(3));
    expect(first.at('k', 'end')).toBeGreaterThan(equal.at('k', 'end'));
  });

  it('[prio-dali-4085] 5.10 numbers beyond the range count as its ends, without an error', () => {
    const [beyond, most] = [run(make(-1000, 1000)), run(make(-5, 0))];
    expect(beyond.codes).toEqual([]);
    expect(beyond.timeline.operations).toEqual(most.timeline.operations);
  });

  it('[prio-dali-4085] 5.10 copies know no priority', () => {
    const { at } = run((host, p) => {
      p.stream('low', { kind: 'nonBlocking', priority: 0 });
      p.stream('high', { kind: 'nonBlocking', priority: -5 });
      for (const label of ['a', 'b'])
        host.memcpyAsync('hostToDevice', 16 * MIB, 'low', { hostMemory: 'pinned', label });
      host.memcpyAsync('hostToDevice', 16 * MIB, 'high', { hostMemory: 'pinned', label: 'c' });
    });
    const order = ['a', 'b', 'c'].sort((x, y) => at(x, 'start') - at(y, 'start'));
    const plain = run((host) => {
      for (const label of ['a', 'b']) host.memcpyAsync('hostToDevice', 16 * MIB, 's', { hostMemory: 'pinned', label });
      host.memcpyAsync('hostToDevice', 16 * MIB, 't', { hostMemory: 'pinned', label: 'c' });
    });
    expect(order).toEqual(['a', 'b', 'c'].sort((x, y) => plain.at(x, 'start') - plain.at(y, 'start')));
    expect(at('c', 'start')).toBe(plain.at('c', 'start'));
  });
});

describe('implicit synchronisation beside collectives', () => {
  /** Two threads, each with a device; the kernels of both meet, and the second thread frees before it launches its own. */
  const ranks = (free: (host: HostThreadBuilder, when: 'before' | 'between') => void, access = true) => {
    const program = programBuilder('ranks');
    for (const device of [0, 1]) {
      program.stream(`s${device}`, { device, kind: 'nonBlocking' });
      program.buffer(`x${device}`, { bytes: MIB, device });
    }
    program.buffer('pinned', { bytes: MIB, space: 'host', hostMemory: 'pinned' });
    const [first, second] = [0, 1].map((device) => program.hostThread(`rank${device}`, { device }));
    if (first === undefined || second === undefined) throw new Error('two ranks');
    if (access) first.deviceEnablePeerAccess(1);
    free(second, 'before');
    second.hostSignal('freed');
    first.hostAwait('freed');
    first.collective('allReduce', 'all', MIB, 's0');
    first.hostSignal('launched');
    second.hostAwait('launched');
    second.hostCompute('50us');
    free(second, 'between');
    second.collective('allReduce', 'all', MIB, 's1');
    first.streamSynchronize('s0');
    second.streamSynchronize('s1');
    return simulate(program.build(), machineByName('h200x2')).stuck;
  };

  it('[implicit-nccl-48] 6.7 a free between the launches of a collective never returns, where it waits for the device that spins', () => {
    const freeing = (host: HostThreadBuilder, when: string) => when === 'between' && host.free('x1');
    const stuck = ranks(freeing);
    expect(stuck).toContainEqual(expect.stringMatching(/host thread "rank1" waits in free/));
    expect(stuck).toContainEqual(expect.stringMatching(/for device 1/));
    const pinned = (host: HostThreadBuilder, when: string) => when === 'between' && host.freeHost('pinned');
    expect(ranks(pinned)).toContainEqual(expect.stringMatching(/host thread "rank1" waits in freeHost/));
  });

  it('[implicit-nccl-48] 6.7 it ends when the free comes before the launches, or is stream-ordered', () => {
    expect(ranks((host, when) => when === 'before' && host.free('x1'))).toEqual([]);
    expect(ranks((host, when) => when === 'between' && host.freeAsync('x1', 's1'))).toEqual([]);
  });
});
