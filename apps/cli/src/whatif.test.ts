import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep, path, write } = workFolder();
const own = (name: string) =>
  fileURLToPath(new URL(`../../../packages/importers/src/fixtures/${name}.json.gz`, import.meta.url));
const ptx = (name: string) => fileURLToPath(new URL(`../../../packages/ptx/fixtures/${name}.ptx`, import.meta.url));

interface Side {
  readonly makespanNs: number;
  readonly perStepNs: number;
  readonly rangeNs: readonly [number, number];
  readonly bound: string;
}
interface Answer {
  readonly observer: string;
  readonly steps: number;
  readonly before: Side;
  readonly after: Side;
  readonly difference: { readonly makespanNs: number; readonly fraction: number; readonly parts: object };
  readonly assumptions: readonly { readonly what: string }[];
  readonly notes: readonly string[];
}

function whatif(...args: string[]): Answer {
  const { code, stdout, stderr } = griddep(['whatif', ...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Answer;
}

/** What the same work took unprofiled on an H200 between two events, us a step: medians. */
const TRUTH = {
  decodeGraph: 282.3,
  chainPlainGraph: 124.58,
  chainPdlGraph: 92.08,
  pipelineOneStream: 1645.79,
  pipelineFourStreams: 921.17,
  tensorParallelGraph: 464,
};
const off = (ns: number, truth: number) => Math.abs(ns / 1000 / truth - 1);

describe('predicted from one variant, measured in another', { timeout: 60_000 }, () => {
  it('decode launched as a graph: within 10 %, for a step and for all', () => {
    for (const step of [['--step', '1'], ['--step', '2'], []]) {
      const { after, observer } = whatif(own('decode-small-eager'), '--graph', '--no-ranges', ...step);
      expect(observer).toBe('events');
      expect(off(after.perStepNs, TRUTH.decodeGraph)).toBeLessThan(0.1);
    }
  });

  it.each([
    ['its graph', own('triton-chain-1024-plain-graph'), []],
    ['its eager run', own('triton-chain-1024-plain-eager'), ['--graph']],
  ])('PDL in a chain of 48 kernels, from %s: the reduction within 6 points', (_, trace, as) => {
    const measured = 1 - TRUTH.chainPdlGraph / TRUTH.chainPlainGraph;
    const plain = as.length === 0 ? undefined : whatif(trace, ...as, '--no-ranges').after;
    const pdl = whatif(trace, ...as, '--pdl', 'all', '--no-ranges');
    const reduction = 1 - pdl.after.makespanNs / (plain ?? pdl.before).makespanNs;
    expect(Math.abs(reduction - measured)).toBeLessThan(0.06);
  });

  it('eagerly that chain is bound by launches, and no gain from PDL on the device is promised', () => {
    const { before, after, notes } = whatif(own('triton-chain-1024-plain-eager'), '--pdl', 'all');
    expect([before.bound, after.bound]).toEqual(['host', 'host']);
    expect(notes.join('\n')).toMatch(/^bound by the host's launches/m);
    expect(notes.join('\n')).toMatch(/^PDL gains nothing on the device here/m);
    expect(after.makespanNs).toBeGreaterThan(0.95 * before.makespanNs);
  });

  it('copies and kernels in one stream and in four: both within 10 %', () => {
    const { before, after } = whatif(own('pipeline-pinned-1streams'), '--streams', '4', '--no-ranges');
    expect(off(before.makespanNs, TRUTH.pipelineOneStream)).toBeLessThan(0.1);
    expect(off(after.makespanNs, TRUTH.pipelineFourStreams)).toBeLessThan(0.1);
  });

  it('copies of page-locked memory, from pageable ones: within 10 %', () => {
    const { after } = whatif(own('pipeline-pageable-1streams'), '--pinned', '--no-ranges');
    expect(off(after.makespanNs, TRUTH.pipelineOneStream)).toBeLessThan(0.1);
  });

  it('decode on two devices launched as graphs: within 12 %', () => {
    const ranks = [0, 1].map((rank) => own(`tp-decode-2-eager-rank${rank}`)).join();
    const { after } = whatif(ranks, '--graph', '--no-ranges');
    expect(off(after.makespanNs, TRUTH.tensorParallelGraph)).toBeLessThan(0.12);
  });
});

describe('griddep whatif', { timeout: 60_000 }, () => {
  it('takes scenarios and programs too, whose observer are the blocks', () => {
    const { observer, before, after } = whatif('--scenario', 'rmsnorm-gemm', '--pdl', 'all', '--graph');
    expect(observer).toBe('blocks');
    expect(after.makespanNs).toBeLessThan(before.makespanNs);
    for (const { makespanNs, rangeNs } of [before, after]) {
      expect(rangeNs[0]).toBeLessThan(makespanNs);
      expect(rangeNs[1]).toBeGreaterThan(makespanNs);
    }
    const { stdout } = griddep(['run', '--scenario', 'rmsnorm-gemm', '--json']);
    const run = JSON.parse(stdout) as { makespanNs?: number; statistics?: { makespanNs?: number } };
    expect(before.makespanNs).toBe(run.makespanNs ?? run.statistics?.makespanNs);
  });

  it('prints a table, assumptions and notes, and saves both timelines for diff', () => {
    const args = ['--save-before', 'before.json', '--save-after', 'after.json'];
    const { code, stdout } = griddep([
      'whatif',
      own('triton-chain-1024-plain-eager'),
      '--graph',
      '--pdl',
      'all',
      ...args,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^observer events: two events around the work, on an idle device, without a profiler$/m);
    expect(stdout).toMatch(/^makespan +\d+\.\d +\d+\.\d +-\d+\.\d \(-\d+\.\d %\)$/m);
    expect(stdout).toMatch(/^ {2}range +\d+\.\d to \d+\.\d/m);
    expect(stdout).toMatch(/^ {2}the device waits for the host +\d/m);
    expect(stdout).toMatch(/^bound by +host +kernels$/m);
    expect(stdout).toMatch(/^assumed: share of a kernel before its wait 0\.27, 0\.00 to 0\.51 /m);
    expect(stdout).toMatch(/^side by side: griddep diff before\.json after\.json/m);
    expect(griddep(['diff', path('before.json'), path('after.json')]).code).toBe(0);
  });

  it('takes the places of waits and triggers from PTX, or as given', () => {
    const files = [ptx('rms-pdl'), ptx('gemv-pdl')].join();
    const chain = own('triton-chain-1024-plain-graph');
    const fromPtx = whatif(chain, '--pdl', 'rms,gemv', '--ptx', files, '--no-ranges');
    const whats = fromPtx.assumptions.map(({ what }) => what);
    expect(whats).toContain('share of gemv before its trigger (before its wait: 0.14)');
    const given = whatif(chain, '--pdl', 'all', '--preamble', '30%', '--no-ranges');
    expect(given.after.makespanNs).toBeLessThan(fromPtx.after.makespanNs);
    expect(fromPtx.after.makespanNs).toBeLessThan(0.95 * fromPtx.before.makespanNs);
  });

  it.each([
    [['--graph', '--step', '3'], /has no step 3: it has 1 to 2/],
    [[], /whatif needs a change, such as --graph/],
    [['--scale', 'nonsense'], /Expected a kernel and a factor/],
    [['--remove', 'nonsense'], /--remove nonsense: the program has no kernel "nonsense"/],
    [['--fuse', 'one'], /--fuse one: expected two kernels/],
    [['--ptx', 'x.ptx', '--graph'], /--ptx needs --pdl/],
    [['--launch-cost', 'soon'], /--launch-cost soon: /],
  ])('%j: one message, exit status 2', (args, message) => {
    const { code, stdout, stderr } = griddep(['whatif', own('decode-small-eager'), ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('options of traces are refused for others', () => {
    const file = write('p.yaml', 'schema: griddep/program@1\nkernels: {}\nstreams: [s]\ncalls: [deviceSynchronize]\n');
    for (const option of [
      ['--partial'],
      ['--step', '1'],
      ['--steps', '2'],
      ['--replay', '5us'],
      ['--no-assumed-waits'],
    ]) {
      const { code, stderr } = griddep(['whatif', file, '--graph', ...option]);
      expect([code, stderr.includes('is no trace of a profiler')]).toEqual([2, true]);
    }
  });
});

describe('diff of traces', { timeout: 60_000 }, () => {
  it('--step takes a step of both', () => {
    const trace = own('decode-small-graph');
    expect(griddep(['diff', trace, trace, '--step', '1']).code).toBe(0);
    expect(griddep(['diff', trace, trace, '--step', '5']).code).toBe(2);
    expect(griddep(['diff', '--scenario', 'rmsnorm-gemm', '--set-b', 'pairs=2', '--step', '1']).stderr).toMatch(
      /--step: neither input is a trace/,
    );
  });
});

it('run --no-assumed-waits leaves out the stream waits that a trace does not tell', { timeout: 60_000 }, () => {
  const trace = own('ddp-2-rank0');
  const assumed = /stream waits from the order of calls alone/;
  expect(griddep(['run', trace, '--explain']).stdout).toMatch(assumed);
  expect(griddep(['run', trace, '--explain', '--no-assumed-waits']).stdout).not.toMatch(assumed);
});

it('refuses a program that runs nothing on a device', () => {
  const empty = write('empty.yaml', 'schema: griddep/program@1\nname: empty\nkernels: {}\nstreams: {}\ncalls: []\n');
  const { code, stderr } = griddep(['whatif', empty, '--graph']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('runs nothing on a device')]);
});
