import { machineByName } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEYOND_NESTING } from './build/range-cost.ts';
import { importTraces } from './import-traces.ts';
import { kernel, kinetoTrace, launch, type RowInput } from './kineto-trace.fixture.ts';
import { stepsOf, traceOfStep } from './steps.ts';
import { ownPath, traceAt } from './trace-files.fixture.ts';

/** Launches of layers of two kernels; `pause` is the time before the n-th launch. */
function layers(count: number, pause: (layer: number) => number, isWaited: (layer: number) => boolean = () => false) {
  const rows: RowInput[] = [];
  let time = 0;
  let id = 1;
  for (let layer = 0; layer < count; layer++) {
    if (isWaited(layer)) {
      rows.push({
        cat: 'cuda_runtime',
        name: 'cudaDeviceSynchronize',
        ts: time,
        dur: 5,
        args: { correlation: 9000 + layer },
      });
      time += 10;
    }
    time += pause(layer);
    for (const name of ['a', 'b']) {
      rows.push(launch(id, time), kernel(id, time + 5, 3, 7, name));
      time += 10;
      id += 1;
    }
  }
  return kinetoTrace(rows);
}

describe('what repeats', () => {
  it('is a step where the host pauses clearly longer than between its parts', () => {
    const steps = stepsOf(layers(12, (layer) => (layer % 6 === 0 ? 100 : 50 + layer)));
    expect(steps.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('is a step where the host waits for the device', () => {
    const trace = layers(
      12,
      () => 50,
      (layer) => layer % 4 === 0 && layer > 0,
    );
    expect(stepsOf(trace)).toHaveLength(3);
    expect(traceOfStep(trace, 2).operations).toHaveLength(8);
  });

  it('is a part of one step where nothing marks an end', () => {
    expect(stepsOf(layers(12, (layer) => 50 + (layer % 5)))).toHaveLength(1);
  });

  it.each([
    ['decode-small-eager', 2, 78],
    ['decode-small-graph', 2, 78],
    ['triton-chain-1024-plain-eager', 1, 48],
    ['pipeline-pinned-1streams', 1, 32],
    ['tp-decode-2-eager-rank0', 1, 60],
  ])('%s holds %i step(s) of %i operations', async (name, count, operations) => {
    const trace = await traceAt(ownPath(name));
    const steps = stepsOf(trace);
    expect(steps).toHaveLength(count);
    for (const { number } of steps) expect(traceOfStep(trace, number).operations).toHaveLength(operations);
  });
});

describe('a number of steps that is given', () => {
  it('divides what repeats into equal parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 2, max: 4 }), (count, each) => {
        const trace = layers(count * each, () => 50);
        const steps = stepsOf(trace, count);
        expect(steps.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
        const parts = steps.map(({ number }) => traceOfStep(trace, number, count).operations.length);
        expect(new Set(parts)).toEqual(new Set([2 * each]));
      }),
    );
  });

  it('is refused where it does not divide what repeats', () => {
    expect(() =>
      stepsOf(
        layers(12, () => 50),
        5,
      ),
    ).toThrow('does not hold 5 equal steps: what it launches repeats 12 times');
    expect(() => stepsOf(kinetoTrace([launch(1, 0), kernel(1, 5, 3)]), 2)).toThrow(
      'does not hold 2 equal steps: nothing in it repeats from begin to end',
    );
  });

  it('must be that of the steps that the profiler was told of', () => {
    const step = (n: number): RowInput => ({ cat: 'user_annotation', name: `ProfilerStep#${n}`, ts: 100 * n, dur: 90 });
    const trace = kinetoTrace([step(1), step(2), launch(1, 110), kernel(1, 120, 3), launch(2, 210), kernel(2, 220, 3)]);
    expect(stepsOf(trace, 2)).toHaveLength(2);
    expect(() => stepsOf(trace, 3)).toThrow('does not hold 3 steps: it names 2');
  });
});

describe('without the profiler', () => {
  const machine = machineByName('h200');
  const span = (rows: readonly RowInput[], isUnprofiled: boolean) => {
    const { program } = importTraces([kinetoTrace(rows)], { machine, isUnprofiled });
    const kernels = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
    return ((kernels.at(-1)?.start ?? 0) - (kernels[0]?.start ?? 0)) / 1e6;
  };

  it('calls cost what the machine says, and the first of a kind is as quick as the others', () => {
    const rows: RowInput[] = [];
    for (let i = 1, time = 0; i <= 8; i++) {
      // A first call that takes 500 us, and a pause behind it of 200; later ones take 30 and 20.
      const dur = i === 1 ? 500 : 30;
      rows.push({ cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts: time, dur, args: { correlation: i } });
      rows.push(kernel(i, time + dur, 2));
      time += dur + (i === 1 ? 200 : 20);
    }
    const cost = machine.host.timing.launchKernel.value / 1000;
    expect(span(rows, false)).toBeGreaterThan(480);
    expect(span(rows, true)).toBeGreaterThan(7 * (20 + cost) - 2);
    expect(span(rows, true)).toBeLessThan(7 * (20 + cost) + 2);
  });

  it('recording ranges is taken off the time between calls', () => {
    const rows: RowInput[] = [];
    for (let i = 1; i <= 30; i++) {
      const time = 100 * i;
      // An operator around another, which begins 2 us later and ends 1 us earlier, beside 50 us of the host's own.
      rows.push(
        { cat: 'cpu_op', name: 'outer', ts: time, dur: 60 },
        { cat: 'cpu_op', name: 'inner', ts: time + 2, dur: 57 },
      );
      rows.push(launch(i, time + 50), kernel(i, time + 60, 2));
    }
    const cost = machine.host.timing.launchKernel.value / 1000;
    const recorded = 2 * BEYOND_NESTING * 3;
    expect(span(rows, true)).toBeGreaterThan(29 * (95 - recorded + cost) - 5);
    expect(span(rows, true)).toBeLessThan(29 * (95 - recorded + cost) + 5);
  });
});
