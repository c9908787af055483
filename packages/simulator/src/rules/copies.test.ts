import type { CopyKind, HostMemory, HostThreadBuilder } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200, KIB, MIB, type Run, run, takes } from './rules.fixture.ts';

type Copied = Exclude<CopyKind, 'peer'>;
type Do = (host: HostThreadBuilder) => void;

/** What a call does behind a kernel of 100 us in its stream: labels `kernel` and `call`. */
function behindKernel(act: Do): Run {
  return run((host, p) => {
    p.kernel('busy', takes(100));
    p.buffer('pinned', { bytes: 64 * MIB, space: 'host', hostMemory: 'pinned' });
    p.buffer('device', { bytes: 64 * MIB });
    host.launchKernel('busy', 's', undefined, { label: 'kernel' });
    act(host);
  });
}

/** How far a call of 4 MiB, or as many bytes, waits: for nothing, for earlier work of the stream, or for its own end. */
function waitsFor(copy: Copied, async: boolean, hostMemory: HostMemory, bytes = 4 * MIB): string {
  const { at } = behindKernel((host) => {
    if (async) host.memcpyAsync(copy, bytes, 's', { hostMemory, label: 'call' });
    else host.memcpy(copy, bytes, { stream: 's', hostMemory, label: 'call' });
  });
  const back = at('call', 'callEnd');
  if (back < at('kernel', 'end')) return 'nothing';
  return back < at('call', 'end') ? 'earlier work' : 'its own end';
}

describe('whom a copy keeps waiting', () => {
  it.each<[HostMemory, number, string]>([
    ['pageable', 4 * MIB, 'its own end'],
    ['pageable', 64 * KIB, 'earlier work'],
    ['pageable', 64 * KIB + 1, 'its own end'],
    ['pinned', 4 * MIB, 'its own end'],
    ['pinned', 64 * KIB, 'its own end'],
  ])('6.1 a blocking upload of %s memory, %d bytes: the host, for %s', (memory, bytes, expected) => {
    expect(waitsFor('hostToDevice', false, memory, bytes)).toBe(expected);
  });

  it.each<HostMemory>(['pageable', 'pinned'])(
    '6.2 a blocking download to %s memory: the host, for its end',
    (memory) => {
      for (const bytes of [64, 4 * MIB]) expect(waitsFor('deviceToHost', false, memory, bytes)).toBe('its own end');
    },
  );

  it('6.3 a blocking copy within the device: nobody, though it takes its time', () => {
    expect(waitsFor('deviceToDevice', false, 'pinned')).toBe('nothing');
  });

  it.each([true, false])('6.3, 6.4 a copy within the host: the host, async %s, and no work of a device', (async) => {
    const { at, call, of } = behindKernel((host) => {
      if (async) host.memcpyAsync('hostToHost', 4 * MIB, 's', { label: 'call' });
      else host.memcpy('hostToHost', 4 * MIB, { stream: 's', label: 'call' });
    });
    expect(of('call').device).toBe(-1);
    expect(at('call', 'callEnd')).toBeGreaterThan(at('kernel', 'completion'));
    expect(call('call')).toBeGreaterThan((4 * MIB) / 17e3);
  });

  it.each<[Copied, HostMemory, number, string]>([
    ['hostToDevice', 'pinned', 4 * MIB, 'nothing'],
    ['deviceToHost', 'pinned', 4 * MIB, 'nothing'],
    ['deviceToDevice', 'pinned', 4 * MIB, 'nothing'],
    ['hostToDevice', 'pageable', 64 * KIB, 'nothing'],
    ['hostToDevice', 'pageable', 4 * MIB, 'its own end'],
    ['deviceToHost', 'pageable', 64, 'its own end'],
    ['deviceToHost', 'pageable', 4 * MIB, 'its own end'],
  ])('6.4 an asynchronous %s copy of %s memory, %d bytes: the host, for %s', (copy, memory, bytes, expected) => {
    expect(waitsFor(copy, true, memory, bytes)).toBe(expected);
  });

  it('6.4 a host that waits for staging says so, one that waits for a pinned copy does not', () => {
    const cause = (hostMemory: HostMemory) =>
      behindKernel((host) => host.memcpy('hostToDevice', 4 * MIB, { stream: 's', hostMemory, label: 'call' }));
    expect(cause('pageable').waits('call')).toContain('staging');
    expect(cause('pinned').waits('call')).toContain('synchronize');
    expect(cause('pinned').waits('call')).not.toContain('staging');
  });

  it('6.5 a memset: nobody, but of pinned host memory the host', () => {
    const memset = (destination: string) =>
      behindKernel((host) => host.memset(64 * KIB, { stream: 's', destination, label: 'call' }));
    const [device, pinned] = [memset('device'), memset('pinned')];
    expect(device.at('call', 'callEnd')).toBeLessThan(device.at('kernel', 'end'));
    expect(pinned.at('call', 'callEnd')).toBeGreaterThan(pinned.at('call', 'end'));
  });
});

describe('pinned and pageable memory', () => {
  it('6.12 pinning costs once, by the byte; pageable memory costs at every copy', () => {
    const pin = (bytes: number) =>
      run((host, p) => {
        p.buffer('x', { bytes, space: 'host', hostMemory: 'pinned' });
        host.mallocHost('x', { label: 'pin' });
      }).call('pin');
    const copies = (hostMemory: HostMemory, n: number) =>
      run((host) => {
        for (let i = 0; i < n; i++) host.memcpyAsync('hostToDevice', 64 * MIB, 's', { hostMemory });
        host.streamSynchronize('s', { label: 'end' });
      }).at('end', 'callEnd');
    expect(pin(64 * MIB)).toBeGreaterThan(pin(16 * MIB) * 2);
    const extra = (n: number) => copies('pageable', n) - copies('pinned', n);
    expect(extra(1)).toBeGreaterThan(0);
    expect(extra(8) / extra(1)).toBeGreaterThan(7);
  });
});

describe('copy engines', () => {
  const two = (first: Copied, second: Copied, engines: { copyEnginesUp?: number; copyEnginesDown?: number } = {}) => {
    const [device] = H200.devices;
    if (device === undefined) throw new Error('a device');
    const machine = { ...H200, devices: [{ ...device, limits: { ...device.limits, ...engines } }] };
    return run((host, p) => {
      p.kernel('work', takes(400));
      host.memcpyAsync(first, 16 * MIB, 's', { hostMemory: 'pinned', label: 'first' });
      host.memcpyAsync(second, 16 * MIB, 't', { hostMemory: 'pinned', label: 'second' });
      p.stream('u', { kind: 'nonBlocking' });
      host.launchKernel('work', 'u', undefined, { label: 'kernel' });
    }, machine);
  };

  it.each<Copied>(['hostToDevice', 'deviceToHost'])('6.11 two %s copies take turns, and say so', (copy) => {
    const { at, of, waits } = two(copy, copy);
    expect(at('second', 'start')).toBeGreaterThanOrEqual(at('first', 'end'));
    expect(of('second').cause).toMatchObject({ kind: 'engine' });
    expect(waits('second')).toContain('engine first');
  });

  it('6.11 copies in opposite directions run together, and beside kernels', () => {
    const { overlap } = two('hostToDevice', 'deviceToHost');
    expect([overlap('first', 'second'), overlap('first', 'kernel'), overlap('second', 'kernel')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('6.11 one engine for both directions copies in one at a time, beside kernels', () => {
    const { at, of, overlap } = two('hostToDevice', 'deviceToHost', { copyEnginesDown: 0 });
    expect(at('second', 'start')).toBeGreaterThanOrEqual(at('first', 'end'));
    expect(of('second').cause).toMatchObject({ kind: 'engine' });
    expect(overlap('first', 'kernel')).toBe(true);
  });

  it('6.11 several engines of a direction copy together', () => {
    expect(two('hostToDevice', 'hostToDevice', { copyEnginesUp: 2 }).overlap('first', 'second')).toBe(true);
  });

  it('6.11 a copy within the device needs no engine', () => {
    expect(two('hostToDevice', 'deviceToDevice').overlap('first', 'second')).toBe(true);
  });
});
