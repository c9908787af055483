import { describe, expect, it } from 'vitest';
import { compareCase } from './comparison.ts';
import { exactly, handMade } from './measured.fixture.ts';

const interval = (label: string, startNs: number, endNs: number) => ({ label, startNs, endNs });

describe('compareCase', () => {
  const measured = handMade('two', [exactly('a', 1000, 41_000), exactly('b', 51_000, 101_000)]);

  it('finds no error in the same intervals, wherever they begin', () => {
    const result = compareCase(measured, [interval('a', 0, 40_000), interval('b', 50_000, 100_000)], 0);
    expect(result).toMatchObject({ makespanError: 0, placementError: 0, overlapAgreement: 1, judgedPairs: 1 });
    expect(result.judgedBy).toBe('device intervals');
  });

  it('gives errors as shares of the measured makespan, first starts aligned', () => {
    const result = compareCase(measured, [interval('a', 0, 40_000), interval('b', 60_000, 110_000)], 0);
    expect(result.makespanError).toBeCloseTo(0.1);
    // One of two operations is 10 us late at both ends.
    expect(result.placementError).toBeCloseTo(0.05);
    expect(result.worst).toEqual({ label: 'b', displacedNs: 10_000 });
  });

  it('counts pairs whose overlap differs', () => {
    const result = compareCase(measured, [interval('a', 0, 60_000), interval('b', 50_000, 100_000)], 0);
    expect(result).toMatchObject({ makespanError: 0, overlapAgreement: 0 });
  });

  it('takes shares of 20 us for shorter cases', () => {
    const short = handMade('short', [exactly('a', 0, 2000)]);
    expect(compareCase(short, [interval('a', 0, 3000)], 0).makespanError).toBeCloseTo(0.05);
  });

  it('allows what the hardware itself varies by', () => {
    const loose = handMade('loose', [{ ...exactly('a', 0, 100_000), endLo: 95_000, endHi: 110_000 }]);
    expect(compareCase(loose, [interval('a', 0, 108_000)], 0).makespanErrorBeyondRange).toBe(0);
    expect(compareCase(loose, [interval('a', 0, 120_000)], 0).makespanErrorBeyondRange).toBeCloseTo(0.1);
  });

  it("judges families of random order by the host's total", () => {
    const random = handMade('concurrent-limit-2', measured.operations, { hostTotal: 200_000 });
    const result = compareCase(random, [interval('a', 0, 1), interval('b', 0, 1)], 210_000);
    expect(result).toMatchObject({ judgedBy: 'host total', measuredMakespanNs: 200_000, judgedPairs: 0 });
    expect(result.makespanError).toBeCloseTo(0.05);
    expect(result.placementError).toBeNaN();
  });
});
