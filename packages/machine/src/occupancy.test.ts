import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredCarveOut } from './carve-out.ts';
import type { KernelResources } from './kernel-resources.ts';
import type { DeviceLimits } from './machine.ts';
import { blocksPerSm } from './occupancy.ts';
import { OCCUPANCY_TABLE } from './occupancy-table.fixture.ts';
import { A100 } from './profiles/a100.ts';
import { B200 } from './profiles/b200.ts';
import { H200 } from './profiles/h200.ts';
import { RTX4090 } from './profiles/rtx4090.ts';

const limits = H200.limits;
const kernel = (threadsPerBlock: number, registersPerThread: number, sharedMemoryPerBlock = 0): KernelResources => ({
  threadsPerBlock,
  registersPerThread,
  sharedMemoryPerBlock,
});
const blocks = (resources: KernelResources, of: DeviceLimits = limits): number => {
  const result = blocksPerSm(resources, of);
  return 'error' in result ? 0 : result.blocksPerSm;
};

describe('blocksPerSm', () => {
  const devices: Readonly<Record<string, DeviceLimits>> = {
    '8.0': A100.limits,
    '8.9': RTX4090.limits,
    '9.0': limits,
    '10.0': B200.limits,
    // 12.0 has the limits of 8.9 (rule 7.1), and clusters.
    '12.0': { ...RTX4090.limits, maxClusterSize: 8 },
  };
  it.each(OCCUPANCY_TABLE)('agrees with CUDA on %d.%d: %d threads, %d registers, %d B, %d barriers', (...row) => {
    const [major, minor, threads, registers, shared, barriers, expected] = row;
    const of = devices[`${major}.${minor}`] as DeviceLimits;
    expect(blocks({ ...kernel(threads, registers, shared), barriers }, of)).toBe(expected);
  });

  it.each([
    [256, 32, 0, 8, 'registers'],
    [1024, 64, 0, 1, 'registers'],
    [64, 26, 0, 32, 'registers'],
    [64, 16, 0, 32, 'warps'],
    [32, 16, 0, 32, 'blocks'],
    [32, 16, 16_384, 13, 'sharedMemory'],
    [32, 16, 115_000, 2, 'sharedMemory'],
    [32, 16, 116_736, 1, 'sharedMemory'],
  ])('%d threads, %d registers, %d B on an H200: %d blocks, by %s', (threads, registers, shared, expected, limiter) => {
    const result = blocksPerSm(kernel(threads, registers, shared), limits);
    expect(result).toMatchObject({ blocksPerSm: expected, limiter });
  });

  it('gives what a block allocates', () => {
    const result = blocksPerSm(kernel(100, 33, 1000), limits);
    // 33 * 32 = 1056 registers a warp, in units of 256; 1000 + 1024 bytes in units of 128.
    expect(result).toMatchObject({ registersPerBlock: 4 * 1280, sharedMemoryPerBlock: 2048, warpsPerBlock: 4 });
  });

  it.each([
    ['no threads', kernel(0, 32), 'cudaErrorInvalidValue'],
    ['too many threads', kernel(1025, 32), 'cudaErrorInvalidValue'],
    [
      'beyond the launch bounds',
      { ...kernel(512, 32), launchBounds: { maxThreadsPerBlock: 256 } },
      'cudaErrorInvalidValue',
    ],
    ['too many registers', kernel(1024, 96), 'cudaErrorLaunchOutOfResources'],
    ['registers beyond 255', kernel(32, 256), 'cudaErrorLaunchOutOfResources'],
    ['too much shared memory', kernel(32, 32, 232_449), 'cudaErrorInvalidValue'],
    ['too large a cluster', { ...kernel(32, 32), cluster: 17 }, 'cudaErrorInvalidClusterSize'],
  ])('refuses %s with the error of CUDA', (_, resources, name) => {
    expect(blocksPerSm(resources, limits)).toMatchObject({ error: name });
  });

  it('allows 16 blocks a cluster and 227 KB a block where opted in', () => {
    expect(blocks({ ...kernel(32, 32), cluster: 16 })).toBe(32);
    expect(blocks(kernel(32, 32, 232_448))).toBe(1);
  });

  it('never grows when a block takes more', () => {
    const resources = fc.record({
      threads: fc.integer({ min: 1, max: 1024 }),
      registers: fc.integer({ min: 0, max: 255 }),
      shared: fc.integer({ min: 0, max: 232_448 }),
      more: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(resources, ({ threads, registers, shared, more }) => {
        const before = blocks(kernel(threads, registers, shared));
        expect(blocks(kernel(threads + more, registers, shared))).toBeLessThanOrEqual(before);
        expect(blocks(kernel(threads, registers + more, shared))).toBeLessThanOrEqual(before);
        expect(blocks(kernel(threads, registers, shared + more))).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('never hands out more than an SM has', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1024 }),
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 0, max: 232_448 }),
        (threads, registers, shared) => {
          const result = blocksPerSm(kernel(threads, registers, shared), limits);
          if ('error' in result) return;
          const { blocksPerSm: n, registersPerBlock, sharedMemoryPerBlock, warpsPerBlock } = result;
          expect(n * registersPerBlock).toBeLessThanOrEqual(limits.registersPerSm);
          expect(n * sharedMemoryPerBlock).toBeLessThanOrEqual(limits.sharedMemoryPerSm);
          expect(n * warpsPerBlock).toBeLessThanOrEqual(limits.warpsPerSm);
        },
      ),
    );
  });
});

describe('preferredCarveOut', () => {
  // The measuring kernel of the cases: 256 threads, 26 registers, 4 bytes of static shared memory.
  const probe = (kilobytes: number): KernelResources => ({
    ...kernel(256, 26, kilobytes * 1024 + 4),
  });
  const step = (kilobytes: number): number => preferredCarveOut(probe(kilobytes), limits);

  it('is the smallest step that holds as many blocks as the other limits allow', () => {
    expect([0, 16, 32, 48, 64, 100, 132, 160].map((kilobytes) => step(kilobytes) / 1024)).toEqual([
      64, 164, 228, 228, 196, 228, 164, 164,
    ]);
  });

  // H200 case family `carveout-pair-*`: first kernel, second kernel, whether the second ran beside the first. Pairs
  // that do not fit together anyway are left out.
  it.each([
    [0, 0, true],
    [0, 16, false],
    [0, 100, false],
    [16, 0, true],
    [16, 16, true],
    [16, 48, false],
    [16, 100, false],
    [32, 48, true],
    [32, 100, true],
    [48, 16, true],
    [48, 100, true],
    [64, 16, true],
    [64, 48, false],
    [64, 64, true],
    [64, 100, false],
    [100, 0, true],
    [100, 64, true],
    [132, 16, true],
    [132, 48, false],
    [160, 0, true],
  ])('tells whether %d KB and then %d KB share an SM: %s', (first, second, together) => {
    expect(step(second) <= step(first)).toBe(together);
  });

  it('throws for what cannot be launched', () => {
    expect(() => preferredCarveOut(kernel(2000, 32), limits)).toThrow('cudaErrorInvalidValue');
  });
});
