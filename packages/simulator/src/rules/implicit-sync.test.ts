import type { Machine } from '@griddep/machine';
import type { HostThreadBuilder, ProgramBuilder } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200, KIB, MIB, type Run, run, takes } from './rules.fixture.ts';

/** As the programming guide lists implicit synchronisations. */
const LISTED: Machine = { ...H200, host: { ...H200.host, implicitSynchronization: 'listed' } };
type Make = (host: HostThreadBuilder, p: ProgramBuilder) => void;

/** A call between kernels of 400 us in two streams: `a` and `b` before it, `c` after it in the second. */
function between(call: Make, machine = H200): Run {
  return run((host, p) => {
    p.kernel('busy', takes(400));
    p.buffer('x', { bytes: MIB });
    p.buffer('pinned', { bytes: MIB, space: 'host', hostMemory: 'pinned' });
    host.launchKernel('busy', 's', undefined, { label: 'a' });
    call(host, p);
    host.launchKernel('busy', 't', undefined, { label: 'c' });
  }, machine);
}

describe('calls that synchronise without being asked to', () => {
  it.each<[string, Make]>([
    ['allocation of device memory', (host) => host.malloc('x', { label: 'call' })],
    ['allocation of page-locked memory', (host) => host.mallocHost('pinned', { label: 'call' })],
  ])('6.6 %s holds the host until the device is idle, and says so', (_, call) => {
    const { at, waits, overlap } = between(call);
    expect(at('call', 'callEnd')).toBeGreaterThan(at('a', 'completion'));
    expect(waits('call')).toEqual(['implicitSync a']);
    expect(overlap('a', 'c')).toBe(false);
  });

  it.each<[string, Make]>([
    ['a memset', (host) => host.memsetAsync(64 * KIB, 's', { label: 'call' })],
    ['a copy within the device', (host) => host.memcpyAsync('deviceToDevice', 64 * KIB, 's', { label: 'call' })],
  ])('6.6 %s keeps streams apart by the documented list, not on an H200; the host goes on in both', (_, call) => {
    const [seen, listed] = [between(call), between(call, LISTED)];
    expect([seen.overlap('a', 'c'), listed.overlap('a', 'c')]).toEqual([true, false]);
    expect(listed.waits('c')).toContain('implicitSync call');
    for (const { at } of [seen, listed]) expect(at('call', 'callEnd')).toBeLessThan(at('a', 'end'));
  });

  it('6.6 a command to the null stream keeps blocking streams apart', () => {
    const streams = (kind: 'blocking' | 'nonBlocking') =>
      run((host, p) => {
        p.kernel('busy', takes(100));
        for (const name of ['b', 'd']) p.stream(name, { kind });
        host.launchKernel('busy', 'b', undefined, { label: 'a' });
        host.launchKernel('busy', 'legacy', undefined, { label: 'null' });
        host.launchKernel('busy', 'd', undefined, { label: 'c' });
      });
    const [blocking, others] = [streams('blocking'), streams('nonBlocking')];
    expect(blocking.overlap('a', 'c')).toBe(false);
    expect(blocking.waits('c')).toContain('legacyStream null');
    expect(others.overlap('a', 'c')).toBe(true);
  });

  it('6.6 another shared-memory configuration keeps blocks apart on an SM', () => {
    const second = (sharedMemory: number) =>
      run((host, p) => {
        const all = { grid: 132, block: 256, registersPerThread: 26 };
        p.kernel('first', { ...all, phases: [{ op: 'spin', duration: '100us' }] });
        p.kernel('second', { ...all, dynamicSharedMemory: sharedMemory, phases: [{ op: 'spin', duration: '5us' }] });
        host.launchKernel('first', 's', undefined, { label: 'a' });
        host.launchKernel('second', 't', undefined, { label: 'c' });
      });
    expect(second(0).overlap('a', 'c')).toBe(true);
    const changed = second(100 * KIB);
    expect(changed.overlap('a', 'c')).toBe(false);
    expect(changed.waits('c')).toContainEqual(expect.stringContaining('carveOut'));
  });
});

describe('giving memory back', () => {
  it('6.7 an ordinary free waits for the device; so does one of page-locked memory', () => {
    for (const buffer of ['x', 'pinned'] as const) {
      const free: Make = (host) => {
        if (buffer === 'x') host.free(buffer, { label: 'call' });
        else host.freeHost(buffer, { label: 'call' });
      };
      const { at, waits } = between(free);
      expect(at('call', 'callEnd')).toBeGreaterThan(at('a', 'completion'));
      expect(waits('call')).toEqual(['implicitSync a']);
    }
  });

  it('6.7 stream-ordered allocation and free do not, and are work of their stream', () => {
    const { at, of, overlap } = between((host, p) => {
      p.buffer('y', { bytes: MIB });
      host.mallocAsync('y', 's', { label: 'allocation' });
      host.freeAsync('y', 's', { label: 'free' });
    });
    for (const id of ['allocation', 'free']) {
      expect(at(id, 'callEnd')).toBeLessThan(at('a', 'end'));
      expect(of(id).start).toBeGreaterThan(of('a').end);
    }
    expect(overlap('a', 'c')).toBe(true);
  });

  it('6.7 a pool that must grow takes host time by the byte, and by the documented list waits for the device', () => {
    const grow = (bytes: number, machine = H200) =>
      between((host, p) => {
        p.buffer('y', { bytes: MIB });
        p.buffer('z', { bytes });
        host.mallocAsync('y', 's', { label: 'first' });
        host.mallocAsync('z', 's', { label: 'call' });
      }, machine);
    expect(grow(8192 * MIB).call('call')).toBeGreaterThan(2 * grow(1024 * MIB).call('call'));
    const listed = grow(1024 * MIB, LISTED);
    expect(listed.at('first', 'callEnd')).toBeGreaterThan(listed.at('a', 'completion'));
    expect(listed.waits('first')).toContain('implicitSync a');
  });
});
