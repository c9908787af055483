import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsOf } from '../points.ts';
import { shippedSweep } from '../shipped.ts';
import { sweepOf } from '../sweep.fixture.ts';

const HEAD = `schema: griddep/sweep@1
input: { scenario: chunked-pipeline }
`;

const LINK = 'x: { varies: link.latency, values: [9] }';

function problem(text: string): string {
  try {
    sweepOf(text);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no problem';
}

const points = (text: string) => [...pointsOf(sweepOf(HEAD + text))].map(({ parameters }) => parameters);

it('durations with a unit are in that of what they vary', () => {
  expect(points('axes:\n  x: { varies: constant.kernelLaunch, from: 1us, to: 3us, count: 3 }\n')).toEqual([
    { x: 1000 },
    { x: 2000 },
    { x: 3000 },
  ]);
  expect(points('axes:\n  x: { varies: change.launchCost, from: 1us, to: 2us, step: 500ns }\n')).toEqual([
    { x: 1 },
    { x: 1.5 },
    { x: 2 },
  ]);
});

describe('what is wrong with a sweep file is told with its place and the nearest valid name', () => {
  it.each([
    ['axs:\n  streams: [1]\n', '3:1: unknown key "axs" (did you mean "axes"?)'],
    ['axes:\n  steams: [1]\n', '4:3: scenario chunked-pipeline has no parameter "steams" (did you mean "streams"?)'],
    [
      'axes:\n  memory: [pined]\n',
      '4:12: memory must be one of pinned, pageable, got "pined" (did you mean "pinned"?)',
    ],
    ['axes:\n  streams: [1, 99]\n', '4:16: streams must be a whole number from 1 to 16, got 99'],
    [
      'axes:\n  x: { varies: constant.kernelLaunc, values: [1] }\n',
      '4:16: an axis cannot vary "constant.kernelLaunc" (did you mean "constant.kernelLaunch"?)',
    ],
    ['axes:\n  x: { varies: limit.copyEngineUp, values: [1] }\n', '(did you mean "limit.copyEnginesUp"?)'],
    ['axes:\n  x: { varies: machne, values: [h200] }\n', '(did you mean "machine"?)'],
    ['axes:\n  x: { varies: machine, values: [h20] }\n', '4:34: unknown machine, got "h20" (did you mean "h200"?)'],
    ['machine: h20\n', '3:10: unknown machine'],
    ['axes: { streams: [1, 2] }\nconstraints: [stream > 1]\n', '4:15: unknown parameter "stream"'],
    ['axes: { streams: [1, 2] }\nrecord: [makspan]\n', '4:10: unknown parameter "makspan"'],
    [
      'axes: { streams: [1, 2] }\nrecord: [{ name: a, expression: "streams < 2 ? makespan : makspan" }]\n',
      '4:33: unknown parameter "makspan" (did you mean "makespan"?)',
    ],
    [
      'axes: { memory: [pinned] }\nrecord: [{ name: a, expression: memory * makespan }]\n',
      '4:33: "pinned" is no number',
    ],
    ['record: [gain]\n', '3:10: gain needs a reference'],
    ['record: [{ name: a, expression: 2 * gain }]\n', '3:33: gain needs a reference'],
    ['record: [hazards]\nhazards: false\n', '3:10: hazards are recorded with `hazards: true`'],
    ['minimise: { of: gain, budget: chunks, from: 1, to: 4 }\n', '3:17: gain needs a reference'],
    [
      'axes: { streams: [1] }\nminimise: { of: streams, budget: chunks, from: 1, to: 4 }\n',
      '4:17: nothing is recorded as "streams"',
    ],
    ['set: { streams: 2 }\nplot: { x: streams }\n', '4:12: nothing is recorded as "streams"'],
    ['axes: { chunks: { from: 1, to: 8, stp: 2 } }\n', '3:35: unknown key "stp" (did you mean "step"?)'],
    ['axes: { chunks: { from: 8, to: 1, step: 2 } }\n', 'the end is before the start'],
    ['axes: { chunks: { from: 1, to: 8 } }\n', '3:9: a grid needs step, count or random of the range "chunks"'],
    [
      'minimise: { budget: chunk, from: 1, to: 4 }\n',
      '3:21: scenario chunked-pipeline has no parameter "chunk" (did you mean "chunks"?)',
    ],
    ['plot: { x: stream }\n', '3:12: nothing is recorded as "stream"'],
    ['set: { bytes: lots }\n', '3:15: bytes must be a size'],
    [
      'machine: rtx4090x2\naxes: { x: { varies: link.bandwidth, values: [1e9] } }\n',
      '4:22: link.bandwidth changes nothing: machine rtx4090x2 has no NVLink',
    ],
    [
      'machine: h200x8\naxes: { x: { varies: link.networkLatency, relative: true, values: [1, 2] } }\n',
      '4:22: link.networkLatency changes nothing: machine h200x8 has no network',
    ],
    [
      `machine: "rtx4090x\${n}"\naxes: { n: { varies: variable, values: [2, 4] }, ${LINK} }\n`,
      'link.latency changes nothing: machine rtx4090x4 has no NVLink',
    ],
  ])('%j', (text, expected) => {
    expect(problem(HEAD + text)).toContain(expected);
    expect(problem(HEAD + text)).toMatch(/^test\.sweep\.yaml:\d+:\d+: /);
  });

  it('links that only some of the machines have can vary', () => {
    const devices = (values: string) =>
      `machine: "h200x\${n}"\naxes: { n: { varies: variable, values: ${values} }, ${LINK} }\n`;
    expect(problem(HEAD + devices('[1, 2]'))).toBe('no problem');
    expect(problem(HEAD + devices('[1]'))).toContain('link.latency changes nothing: machine h200x1 has no NVLink');
    expect(problem(`${HEAD}${devices('[1, 2]')}constraints: [n < 2]\n`)).toContain('link.latency changes nothing');
  });

  it('an input that is none', () => {
    expect(problem('schema: griddep/sweep@1\ninput: { scenario: chunked-pipelin }\n')).toBe(
      'test.sweep.yaml:2:20: unknown scenario "chunked-pipelin" (did you mean "chunked-pipeline"?)',
    );
    expect(problem('schema: griddep/sweep@2\n')).toContain('1:9: is griddep/sweep@2, expected griddep/sweep@1');
    expect(problem('- a\n')).toContain('a sweep is a map');
  });
});

it('10^9 points are refused with their number', () => {
  const axes = 'axes:\n  chunks: { from: 1, to: 100, step: 1 }\n  streams: { from: 1, to: 10, step: 1 }\n';
  const more =
    '  a: { varies: variable, from: 1, to: 1000, step: 1 }\n  b: { varies: variable, from: 1, to: 1000, step: 1 }\n';
  expect(problem(HEAD + axes + more)).toContain('1,000,000,000 points (chunks 100 × streams 10 × a 1000 × b 1000)');
});

describe('axes', () => {
  it('lists, ranges, log ranges', () => {
    const values = (axis: string) => points(`axes: { chunks: ${axis} }\n`).map(({ chunks }) => chunks);
    expect(values('[3, 1]')).toEqual([3, 1]);
    expect(values('{ from: 2, to: 9, step: 3 }')).toEqual([2, 5, 8]);
    expect(values('{ from: 1, to: 64, count: 4, scale: log }')).toEqual([1, 4, 16, 64]);
    expect(values('{ from: 1, to: 3, count: 3 }')).toEqual([1, 2, 3]);
    expect(points('axes: { bytes: { from: 16KiB, to: 64KiB, count: 3, scale: log } }\n').map((p) => p.bytes)).toEqual([
      16384, 32768, 65536,
    ]);
  });

  it('the last axis changes fastest, and constraints leave points out', () => {
    expect(points('axes: { streams: [1, 2], chunks: [2, 3] }\nconstraints: [streams + chunks < 5]\n')).toEqual([
      { streams: 1, chunks: 2 },
      { streams: 1, chunks: 3 },
      { streams: 2, chunks: 2 },
    ]);
  });

  it('random values come from the seed', () => {
    const draw = (seed: number) => points(`axes: { chunks: { from: 1, to: 100, random: 8, seed: ${seed} } }\n`);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('a Latin hypercube uses each part of each axis once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(1000), (count, seed) => {
        const axes =
          'axes: { a: { varies: variable, from: 0, to: 1, whole: false }, b: { varies: variable, from: 0, to: 1, whole: false } }\n';
        const rows = points(`${axes}sample: { latinHypercube: ${count}, seed: ${seed} }\n`);
        for (const name of ['a', 'b']) {
          const parts = rows.map((row) => Math.floor(Number(row[name]) * count));
          expect(new Set(parts).size).toBe(count);
        }
      }),
      { numRuns: 20 },
    );
  });
});

it('an expression knows axes, statistics and the parameters that are the same in all runs', () => {
  const sweep = sweepOf(
    `${HEAD}axes: { streams: [2] }\nset: { chunks: 5 }\nrecord: [{ name: a, expression: makespan / chunks / streams }]\n`,
  );
  expect(sweep.recorded({ parameters: { streams: 2 }, statistics: { makespan: 20 } })).toEqual({ a: 2 });
});

it('a point is the same run only if version, parameters and job are', () => {
  const keys = (text: string) => [...pointsOf(sweepOf(HEAD + text))].map(({ key }) => key);
  const [first] = keys('axes: { streams: [1] }\n');
  expect(keys('axes: { streams: [2, 1] }\nrecord: [hostTotal]\n')[1]).toBe(first);
  expect(keys('axes: { streams: [1] }\nset: { chunks: 4 }\n')[0]).not.toBe(first);
  expect(keys('axes: { streams: [1] }\nmachine: h100\n')[0]).not.toBe(first);
});

it('the map of PDL has the points that its axes say', () => {
  expect(sweepOf(readFileSync(shippedSweep('pdl-map'), 'utf8')).sample.count).toBe(7 * 4 * 2 * 4);
});
