import { expect, test } from 'vitest';
import { comparison, rows } from './report.ts';
import { ratioLines, sweepMeasurements } from './sweep-measurements.ts';

const sweeps = {
  oneCore: { seconds: 20, simulating: 18_000 },
  oneThread: { seconds: 15, simulating: 10_000 },
  twoThreads: { seconds: 10, simulating: 16_000 },
};

test('ratios are in words, each with its target', () => {
  expect(ratioLines(sweeps, 10_000)).toEqual([
    'two threads over one core: 2.00 (target 1.8: met)',
    'two threads over one thread: 1.50',
    'a run beside its 1.00 ms of simulation: 0.50 ms (target 1 ms: met)',
  ]);
  const slow = {
    ...sweeps,
    twoThreads: { seconds: 12, simulating: 16_000 },
    oneThread: { seconds: 15, simulating: 4000 },
  };
  expect(ratioLines(slow, 10_000)).toEqual([
    'two threads over one core: 1.67 (target 1.8: missed)',
    'two threads over one thread: 1.25',
    'a run beside its 0.40 ms of simulation: 1.10 ms (target 1 ms: missed)',
  ]);
  expect(ratioLines({ ...sweeps, oneCore: undefined }, 10_000)[0]).toContain('not measured');
});

test('rates and targets are those of the other suites', () => {
  const measured = sweepMeasurements(sweeps, 10_000);
  expect(measured.map(({ case: name, rate, ratio }) => [name, Math.round(rate), ratio])).toEqual([
    ['one core', 500, 1],
    ['one thread', 667, 20 / 15],
    ['two threads', 1000, 2],
    ['beside simulation', 2000, 4],
  ]);
  expect(rows(measured).map(({ target }) => target)).toEqual([undefined, undefined, 'met (900)', 'met (1000)']);
  expect(sweepMeasurements({ ...sweeps, oneCore: undefined }, 10_000).map(({ ratio }) => ratio)).toEqual([1, 1.5, 3]);
});

test('a run is set beside an earlier one of as many runs', () => {
  const after = sweepMeasurements({ ...sweeps, twoThreads: { seconds: 8, simulating: 15_000 } }, 10_000);
  const compared = comparison(sweepMeasurements(sweeps, 10_000), after);
  expect(compared.map((row) => row['after/before'])).toEqual(['1.00', '1.00', '1.25', '1.00']);
  expect(comparison(sweepMeasurements(sweeps, 100), after)).toEqual([]);
});
