import { describe, expect, it } from 'vitest';
import { MODULE, PROGRAM, workFolder } from './griddep.fixture.ts';

const { path, write, griddep } = workFolder();
write('program.yaml', PROGRAM);
write('module.ts', MODULE);

const spin = (ns: number) => ({ grid: 1, block: 32, smem: 0, phases: [['spin', ns]] });
const CASES = {
  device: { gpu: 'NVIDIA H200', driver: 13000 },
  cases: [
    {
      name: 'pair',
      devices: 1,
      mode: 'stream',
      gated: false,
      kernels: { k: spin(5000) },
      streams: [{ id: 's0', device: 0, kind: 'nonblocking', priority: 0 }],
      events: [],
      ops: ['k#0', 'k#1'].map((label) => ({ op: 'launch', kernel: 'k', stream: 's0', label, attrs: [] })),
      measured: {
        ops: [
          { label: 'k#0', start: 0, end: 5000 },
          { label: 'k#1', start: 106_000, end: 111_000 },
        ],
      },
    },
  ],
};
write('cases.json', JSON.stringify(CASES));

describe('griddep diff', () => {
  it('finds no difference between a run and itself', () => {
    expect(griddep(['run', 'program.yaml', '--save', 'a.json']).code).toBe(0);
    const { code, stdout } = griddep(['diff', 'a.json', 'program.yaml', '--fail-above', '0%']);
    expect(stdout).toMatch(/0 changed; 0 only in A, 0 only in B/);
    expect(code).toBe(0);
  });

  it('exits 1 above the threshold, 0 below', () => {
    const args = ['diff', '--scenario', 'decode-chain', '--set', 'layers=1', '--set-b', 'pdl=false'];
    expect(griddep([...args, '--fail-above', '2%']).code).toBe(1);
    expect(griddep([...args, '--fail-above', '200%']).code).toBe(0);
    const { makespan, changed } = JSON.parse(griddep([...args, '--json']).stdout);
    expect(makespan.afterNs).toBeGreaterThan(makespan.beforeNs);
    expect(changed[0]).toHaveProperty('startNs');
  });

  it('says where time was gained, why, on what it rests, and the statistics of both', () => {
    const args = ['diff', '--scenario', 'decode-chain', '--set', 'layers=1', '--set-b', 'pdl=false'];
    const { stdout } = griddep([...args, '--stats', '--rows', '30']);
    expect(stdout).toMatch(/^A rests on \d+ measured.* \(h200\); B rests on \d+ measured.* \(h200\)$/m);
    expect(stdout).toMatch(/^operation +own us +gap us +duration us +start us +end us +of makespan$/m);
    expect(stdout).toMatch(/^act#6\n {2}cause: trigger of up#5 -> stream order of up#5$/m);
    expect(stdout).toMatch(/^overlapping pairs of kernels +\d+ +0 +-\d+$/m);
    const { changed, basis, stats, warnings } = JSON.parse(griddep([...args, '--json']).stdout);
    const size = (change: { ownNs: number }) => Math.abs(change.ownNs);
    const work = changed.filter(({ id }: { id: string }) => !id.startsWith('deviceSynchronize'));
    expect(work.map(size)).toEqual([...work.map(size)].sort((x: number, y: number) => y - x));
    expect(work[0].ownNs).toBeCloseTo(work[0].gapNs + work[0].durationNs, 3);
    expect(work[0].why[0]).toMatchObject({ fact: 'cause' });
    expect(basis.a.length).toBeGreaterThan(10);
    expect(stats.b.overlapping.count).toBe(0);
    expect(warnings).toEqual({ a: [], b: [] });
  });

  it('counts constants that differ between machines, by what they rest on', () => {
    const { basis } = JSON.parse(griddep(['run', 'program.yaml', '--json']).stdout);
    const used = basis.find(({ constant, status }: { constant: string; status: string }) => {
      return status === 'measured' && constant.startsWith('h200.');
    });
    const name = used.constant.replace('h200.', '');
    const { devices } = JSON.parse(griddep(['machine', 'h200', '--json']).stdout);
    const twice = 2 * devices[0].timing[name].value;
    write('slow.yaml', `base: h200\nname: slow\ndevice: { timing: { ${name}: ${twice} } }\n`);
    const { stdout } = griddep(['diff', 'program.yaml', '--machine-b', 'slow.yaml']);
    expect(stdout).toMatch(/^the machines differ in 1 of these: in A 1 measured; in B 1 assumed$/m);
  });

  it('counts operations that only one has', () => {
    const { code, stdout } = griddep([
      'diff',
      'module.ts',
      'module.ts',
      '--set-b',
      'layers=4',
      '--fail-above',
      '1000%',
    ]);
    expect(stdout).toMatch(/2 only in B/);
    expect(stdout).toMatch(/only in B: k#2, k#3/);
    expect(code).toBe(1);
  });
});

describe('griddep validate', () => {
  it('prints pure JSON and exits 0 however large the error', () => {
    const { code, stdout } = griddep(['validate', 'cases.json', '--filter', 'pair', '--json']);
    const { cases, summary } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(cases[0]).toMatchObject({ name: 'pair', measuredMakespanNs: 111_000 });
    expect(cases[0].ops[1]).toMatchObject({ label: 'k#1' });
    expect(cases[0].makespanError).toBeLessThan(-0.5);
    expect(summary.cases).toBe(1);
  });

  it('lists cases, the worst of them and all together, and exits 1 above the threshold', () => {
    const { code, stdout, stderr } = griddep(['validate', 'cases.json', '--fail-above', '5%', '--worst', '1']);
    expect(stdout).toMatch(/^pair .*-8\d\.\d %/m);
    expect(stdout).toMatch(/^worst 1 /m);
    expect(stdout).toMatch(/^makespan error /m);
    expect(stderr).toMatch(/median makespan error 8\d\.\d %, --fail-above 5\.0 %/);
    expect(code).toBe(1);
  });
});

describe('cases that cannot be compared', () => {
  const [pair] = CASES.cases as [(typeof CASES.cases)[0]];
  const far = { ...pair, name: 'far', streams: [{ ...pair.streams[0], device: 7 }] };
  const empty = { ...pair, name: 'empty', measured: { ops: [] } };
  write('far.json', JSON.stringify({ ...CASES, cases: [far, pair, empty] }));
  write('empty.json', JSON.stringify({ ...CASES, cases: [pair, empty] }));
  const far7 = /^far +far\.json +stream "s0" is on device 7, the case has device 0 only$/m;

  it('are listed by validate, each alone, and fail a threshold where they are refused', () => {
    const { code, stdout } = griddep(['validate', 'far.json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(far7);
    expect(stdout).toMatch(/^empty +far\.json +nothing measured$/m);
    expect(stdout).toMatch(/^pair +111\.0 /m);
    expect(stdout).toMatch(/^1 cases refused\n1 cases with nothing measured$/m);
    const judged = griddep(['validate', 'far.json', '--fail-above', '100%']);
    expect(judged.stderr).toMatch(/^griddep: 1 case was refused, --fail-above 100\.0 %$/m);
    expect(judged.code).toBe(1);
    expect(griddep(['validate', 'empty.json', '--fail-above', '100%']).code).toBe(0);
  });

  it('are listed by trust', () => {
    expect(griddep(['trust', 'far.json']).stdout).toMatch(far7);
    expect(griddep(['trust', 'far.json', '--markdown']).stdout).toMatch(/^2 cases were not compared:$/m);
    expect(JSON.parse(griddep(['trust', 'far.json', '--json']).stdout).refused).toHaveLength(2);
  });
});

describe('the catalogues', () => {
  it('prints schemas of 2020-12', () => {
    for (const of of ['program', 'machine', 'timeline']) {
      expect(JSON.parse(griddep(['schema', of]).stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    }
  });

  it('prints a machine that reads back', () => {
    write('machine.yaml', griddep(['machine', 'h200x2']).stdout);
    const json = (name: string) => JSON.parse(griddep(['machine', name, '--json']).stdout);
    expect(json('machine.yaml')).toEqual(json('h200x2'));
    const run = (machine: string) =>
      JSON.parse(griddep(['run', 'program.yaml', '--json', '--machine', machine]).stdout);
    expect(run('machine.yaml').hash).toBe(run('h200x2').hash);
  });

  it('lists machines and scenarios', () => {
    expect(griddep(['machines']).stdout).toMatch(/^h200 +9\.0 +132 /m);
    expect(griddep(['scenarios']).stdout).toMatch(/^decode-chain /m);
    expect(griddep(['scenarios', 'decode-chain']).stdout).toMatch(/^layers +12 /m);
  });
});

describe('griddep demo', () => {
  it('shows the four ways in less than 5 s, and writes a picture and a trace', async () => {
    const begin = performance.now();
    const { code, stdout } = griddep(['demo', '--out', 'new/out']);
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(code).toBe(0);
    for (const way of ['stream', 'stream \\+ PDL', 'graph', 'graph \\+ PDL']) {
      expect(stdout).toMatch(new RegExp(`^${way} +\\d+\\.\\d +\\d+\\.\\d +[-+]?\\d+\\.\\d %`, 'm'));
    }
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(path('new/out/decode-chain.svg'), 'utf8')).toMatch(/<\/svg>\n$/);
    const { traceEvents } = JSON.parse(readFileSync(path('new/out/decode-chain.trace.json'), 'utf8'));
    const names = traceEvents
      .filter((e: { name: string }) => e.name === 'process_name')
      .map((e: { args: { name: string } }) => e.args.name);
    expect(names).toContain('graph + PDL: GPU 0: h200');
  });

  it('takes another number of layers, for which nothing was measured', () => {
    const { code, stdout } = griddep(['demo', '--out', 'two', '--layers', '2', '--ascii']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/real H200/);
  });
});
