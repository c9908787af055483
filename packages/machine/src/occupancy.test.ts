import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { preferredCarveOut } from './carve-out.ts';
import type { KernelResources } from './kernel-resources.ts';
import type { DeviceLimits } from './machine.ts';
import { blocksPerSm } from './occupancy.ts';
import { OCCUPANCY_TABLE } from './occupancy-table.fixture.ts';
import { H200 } from './profiles/h200.ts';
import { type KnownCapability, limitsOf } from './profiles/limits.ts';

const limits = H200.limits;
const KB = 1024;
/** Limits by compute capability; the size of the device is nothing to occupancy. */
const of = (capability: KnownCapability): DeviceLimits =>
  limitsOf(capability, { sms: 1, memoryBytes: 2 ** 30, l2Bytes: 2 ** 20 });
const kernel = (threadsPerBlock: number, registersPerThread: number, sharedMemoryPerBlock = 0): KernelResources => ({
  threadsPerBlock,
  registersPerThread,
  sharedMemoryPerBlock,
});
const blocks = (resources: KernelResources, of: DeviceLimits = limits): number => {
  const result = blocksPerSm(resources, of);
  return 'error' in result ? 0 : result.blocksPerSm;
};

describe('limits', () => {
  it.each<[KnownCapability, number, number, number, number, number]>([
    ['8.0', 64, 2048, 32, 164, 163],
    ['8.6', 48, 1536, 16, 100, 99],
    ['8.7', 48, 1536, 16, 164, 163],
    ['8.9', 48, 1536, 24, 100, 99],
    ['9.0', 64, 2048, 32, 228, 227],
    ['10.0', 64, 2048, 32, 228, 227],
    ['11.0', 48, 1536, 24, 228, 227],
    ['12.0', 48, 1536, 24, 100, 99],
  ])('7.1 %s: %d warps, %d threads, %d blocks, %d KB an SM, %d KB a block', (capability, ...row) => {
    const {
      warpsPerSm,
      threadsPerSm,
      blocksPerSm: most,
      sharedMemoryPerSm,
      sharedMemoryPerBlockOptIn,
    } = of(capability);
    expect([warpsPerSm, threadsPerSm, most, sharedMemoryPerSm / KB, sharedMemoryPerBlockOptIn / KB]).toEqual(row);
    expect(of(capability)).toMatchObject({ registersPerSm: 65_536, registersPerThread: 255, threadsPerBlock: 1024 });
    expect(of(capability)).toMatchObject({ sharedMemoryReservedPerBlock: KB, staticSharedMemory: 48 * KB });
  });

  it.each<[KnownCapability[], number[]]>([
    [
      ['8.0', '8.7'],
      [0, 8, 16, 32, 64, 100, 132, 164],
    ],
    [
      ['8.6', '8.9', '12.0'],
      [0, 8, 16, 32, 64, 100],
    ],
    [
      ['9.0', '10.0'],
      [0, 8, 16, 32, 64, 100, 132, 164, 196, 228],
    ],
  ])('7.5 carve-outs of %s in KB: %s', (capabilities, steps) => {
    for (const capability of capabilities) expect(of(capability).carveOuts).toEqual(steps.map((step) => step * KB));
  });

  it('7.6 128 grids can be resident, 7.7 clusters begin with 9.0: 8 blocks portable, 16 opted in', () => {
    const all: KnownCapability[] = ['8.0', '8.6', '8.7', '8.9', '9.0', '10.0', '11.0', '12.0'];
    expect(all.map((capability) => of(capability).residentGrids)).toEqual(all.map(() => 128));
    const cluster = (capability: KnownCapability) => [
      of(capability).maxClusterSize,
      of(capability).maxClusterSizeOptIn,
    ];
    expect(cluster('8.9')).toEqual([1, 1]);
    expect([cluster('9.0'), cluster('10.0')]).toEqual([
      [8, 16],
      [8, 16],
    ]);
  });
});

describe('blocksPerSm', () => {
  it('7.4 registers count by warps of a sub-partition, and a lone block by its warps rounded up to four', () => {
    // 65,536 / 4 / roundup(40 * 32, 256) = 12 warps a sub-partition, 48 an SM, 9 blocks of 5 warps.
    expect(blocks(kernel(160, 40), of('9.0'))).toBe(9);
    // 25 warps of 80 registers take 64,000 of 65,536, but a sub-partition holds only 6 such warps, and one would need 7.
    expect(blocks(kernel(25 * 32, 80), of('9.0'))).toBe(0);
    expect(blocks(kernel(24 * 32, 80), of('9.0'))).toBe(1);
  });

  it('7.2 registers come in units of 256 a warp, shared memory in 128 bytes with 1 KB of reserve', () => {
    const allocated = (registers: number, shared: number) => {
      const result = blocksPerSm(kernel(32, registers, shared), of('9.0'));
      return 'error' in result ? [] : [result.registersPerBlock, result.sharedMemoryPerBlock];
    };
    expect([allocated(8, 0), allocated(9, 1), allocated(16, 128), allocated(17, 129)]).toEqual([
      [256, 1024],
      [512, 1152],
      [512, 1152],
      [768, 1280],
    ]);
  });

  it.each(OCCUPANCY_TABLE)(
    '7.2, 7.3, 7.4, 7.11 agrees with CUDA on %d.%d: %d threads, %d registers, %d B, %d barriers',
    (...row) => {
      const [major, minor, threads, registers, shared, barriers, expected] = row;
      const device = of(`${major}.${minor}` as KnownCapability);
      expect(blocks({ ...kernel(threads, registers, shared), barriers }, device)).toBe(expected);
    },
  );

  it.each([
    [256, 32, 0, 8, 'registers'],
    [1024, 64, 0, 1, 'registers'],
    [64, 26, 0, 32, 'registers'],
    [64, 16, 0, 32, 'warps'],
    [32, 16, 0, 32, 'blocks'],
    [32, 16, 16_384, 13, 'sharedMemory'],
    [32, 16, 115_000, 2, 'sharedMemory'],
    [32, 16, 116_736, 1, 'sharedMemory'],
  ])(
    '7.3 %d threads, %d registers, %d B on an H200: %d blocks, by %s',
    (threads, registers, shared, expected, limiter) => {
      const result = blocksPerSm(kernel(threads, registers, shared), limits);
      expect(result).toMatchObject({ blocksPerSm: expected, limiter });
    },
  );

  it('7.2 gives what a block allocates', () => {
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
  ])('7.1, 7.7 refuses %s with the error of CUDA', (_, resources, name) => {
    expect(blocksPerSm(resources, limits)).toMatchObject({ error: name });
  });

  it('7.1, 7.7 allows 16 blocks a cluster and 227 KB a block where opted in', () => {
    expect(blocks({ ...kernel(32, 32), cluster: 16 })).toBe(32);
    expect(blocks(kernel(32, 32, 232_448))).toBe(1);
  });

  it('7.3 never grows when a block takes more', () => {
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

  it('7.3 never hands out more than an SM has', () => {
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

  it('7.5 is the smallest step that holds as many blocks as the other limits allow', () => {
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
  ])('7.5 tells whether %d KB and then %d KB share an SM: %s', (first, second, together) => {
    expect(step(second) <= step(first)).toBe(together);
  });

  it('7.5 throws for what cannot be launched', () => {
    expect(() => preferredCarveOut(kernel(2000, 32), limits)).toThrow('cudaErrorInvalidValue');
  });
});
