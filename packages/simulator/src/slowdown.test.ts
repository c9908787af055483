import { machineByName } from '@griddep/machine';
import { fma, load, type PhaseInput, programBuilder, spin, store } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const H200 = machineByName('h200');
const KiB = 1024;

interface Kernel {
  grid: number;
  block: number;
  phases: PhaseInput[];
}

/** Kernels of so many blocks of these phases, each in a stream of its own, at once. */
function side(...kernels: Kernel[]): readonly Operation[] {
  const p = programBuilder('slowdown');
  const host = p.hostThread('main');
  for (const [i, kernel] of kernels.entries()) {
    p.stream(`s${i}`, { kind: 'nonBlocking' });
    p.kernel(`k${i}`, kernel);
    host.launchKernel(`k${i}`, `s${i}`);
  }
  return simulate(p.build(), H200).operations.filter(({ kind }) => kind === 'kernel');
}

function factor(operation: Operation | undefined, resource: string): number {
  return operation?.slowdown.find((each) => each.resource === resource)?.factor ?? Number.NaN;
}

function duration(operation: Operation | undefined): number {
  return (operation?.end ?? Number.NaN) - (operation?.start ?? Number.NaN);
}

describe('slowdown is against the grid alone, whose own blocks share as well', () => {
  it('a kernel that nothing runs beside is not slowed down, whatever it fills', () => {
    const phase = fc.oneof(
      fc.integer({ min: 1, max: 256 }).map((n) => load(n * KiB)),
      fc.integer({ min: 1, max: 256 }).map((n) => store(n * KiB)),
      fc.integer({ min: 1, max: 4000 }).map((n) => fma(n)),
    );
    const kernel = fc.record({
      grid: fc.integer({ min: 1, max: 2000 }),
      block: fc.constantFrom(32, 128, 256, 1024),
      phases: fc.array(phase, { minLength: 1, maxLength: 4 }),
    });
    fc.assert(
      fc.property(kernel, (alone) => {
        const [operation] = side(alone);
        expect(operation?.slowdown.length).toBeGreaterThan(0);
        for (const each of operation?.slowdown ?? []) expect(each.factor).toBe(1);
      }),
      { seed: 20261130, numRuns: 60 },
    );
  });

  it('two that fill the memory slow each other down, and one of few blocks hardly slows a large one', () => {
    const half = { grid: 132, block: 1024, phases: [load(4096 * KiB)] };
    for (const operation of side(half, half)) {
      expect(factor(operation, 'deviceMemory')).toBeGreaterThan(1.5);
      expect(factor(operation, 'deviceMemory')).toBeLessThan(2.1);
    }
    const [large] = side(
      { grid: 264, block: 512, phases: [load(1024 * KiB)] },
      { grid: 1, block: 32, phases: [load(KiB)] },
    );
    expect(factor(large, 'deviceMemory')).toBeLessThan(1.01);
  });

  it('is how much longer the blocks take than by themselves, also where a burst of others begins and ends beside them', () => {
    const bursts = Array.from({ length: 12 }, () => [load(8 * KiB), spin('2us')]).flat();
    const cases: readonly [Kernel, Kernel][] = [
      [
        { grid: 132, block: 512, phases: [load(512 * KiB)] },
        { grid: 132, block: 1024, phases: bursts },
      ],
      [
        { grid: 132, block: 1024, phases: [load(2048 * KiB)] },
        { grid: 132, block: 1024, phases: [load(512 * KiB)] },
      ],
      [
        { grid: 132, block: 512, phases: [fma(30_000)] },
        { grid: 132, block: 512, phases: [fma(10_000)] },
      ],
    ];
    for (const [kernel, beside] of cases) {
      const [alone] = side(kernel);
      const [together] = side(kernel, beside);
      const resource = together?.slowdown[0]?.resource ?? '';
      const longer = duration(together) / duration(alone);
      expect(longer).toBeGreaterThan(1.1);
      expect(Math.abs(factor(together, resource) / longer - 1)).toBeLessThan(0.03);
    }
  });

  it('the older of two that compute on the same SMs is slowed down less', () => {
    const busy = { grid: 132, block: 1024, phases: [fma(20_000)] };
    const [older, younger] = side(busy, busy);
    expect(factor(older, 'arithmetic')).toBeLessThan(factor(younger, 'arithmetic'));
    expect(factor(younger, 'arithmetic')).toBeGreaterThan(1.3);
  });

  it('blocks that compute slow down loads of another kernel on their SMs', () => {
    const busy = { grid: 132, block: 768, phases: [fma(40_000)] };
    const [, , loads] = side(busy, busy, { grid: 132, block: 256, phases: [load(256 * KiB)] });
    expect(factor(loads, 'deviceMemory')).toBeGreaterThan(1.05);
  });
});
