import { existsSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { PROGRAM, workFolder } from './griddep.fixture.ts';

vi.setConfig({ testTimeout: 60_000 });

const { path, write, griddep } = workFolder();
write('program.yaml', PROGRAM);
write(
  'small.sweep.yaml',
  'schema: griddep/sweep@1\nname: small\ninput: { scenario: fork-join }\naxes: { branches: [1, 2], pdl: [true, false] }\nplot: { kind: line, x: branches, y: makespan, series: pdl }\n',
);

describe('griddep sweep', () => {
  it('without a sweep lists those that ship', () => {
    const { code, stdout } = griddep(['sweep']);
    expect(code).toBe(0);
    for (const name of ['pdl-map', 'stream-plateau', 'trigger-position', 'all-reduce', 'queue-count', 'scaled'])
      expect(stdout).toMatch(new RegExp(`^${name} +\\S`, 'm'));
  });

  it('runs a file into one of results, which another run does not overwrite, --resume finds complete, and show reads', () => {
    const first = griddep(['sweep', './small.sweep.yaml', '--threads', '1']);
    expect(first.stdout).toContain('4 runs in small.sqlite, 4 of them now');
    expect(first.code).toBe(0);
    const again = griddep(['sweep', './small.sweep.yaml']);
    expect(again.code).toBe(2);
    expect(again.stderr).toBe('griddep: small.sqlite: exists; --resume goes on with it, another --output keeps it\n');
    expect(griddep(['sweep', './small.sweep.yaml', '--resume']).stdout).toContain('0 of them now');
    const shown = griddep([
      'sweep',
      'show',
      'small.sqlite',
      '--svg',
      'a.svg',
      '--csv',
      'a.csv',
      '--parquet',
      'a.parquet',
    ]);
    expect(shown.code).toBe(0);
    expect(shown.stdout.split('\n')[0]).toMatch(/^branches +pdl +makespan$/);
    for (const name of ['a.svg', 'a.csv', 'a.parquet']) expect(statSync(path(name)).size).toBeGreaterThan(100);
    const json = JSON.parse(griddep(['sweep', 'show', 'small.sqlite', '--json']).stdout);
    expect(json).toHaveLength(4);
    expect(json[0]).toMatchObject({ point: 0, parameters: { branches: 1, pdl: true }, attempt: 1 });
    expect(griddep(['sweep', 'show', 'small.sqlite', '--rows', '1']).stdout).toContain('and 3 more rows');
  });

  it('takes another scenario and the least of something', () => {
    const args = ['sweep', './small.sweep.yaml', '--set', 'rounds=2', '-o', 'least.sqlite', '--minimise', 'makespan'];
    expect(griddep(args).stdout).toMatch(/^least: branches 1, pdl true: makespan \d/m);
    const wrong = griddep(['sweep', './small.sweep.yaml', '--scenario', 'decode-chain', '-o', 'b.sqlite']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('small.sweep.yaml:4:9: scenario decode-chain has no parameter "branches"');
  });

  it.each([
    ['makspan', '--minimise makspan: nothing is recorded as that (did you mean "makespan"?)'],
    ['gain', '--minimise gain: nothing is recorded as that'],
    ['branches', '--minimise branches: nothing is recorded as that'],
  ])('--minimise %s is refused before anything runs', (name, message) => {
    const { code, stderr } = griddep(['sweep', './small.sweep.yaml', '-o', 'never.sqlite', '--minimise', name]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(path('never.sqlite'))).toBe(false);
  });

  it('runs that cannot be are told, and are no failure', () => {
    write(
      'partly.sweep.yaml',
      'schema: griddep/sweep@1\nname: partly\ninput: program.yaml\naxes: { sms: { varies: limit.sms, values: [0, 132] } }\n',
    );
    const { code, stderr, stdout } = griddep(['sweep', './partly.sweep.yaml']);
    expect(code).toBe(0);
    expect(stderr).toContain('1 of 2 runs cannot be; the first: machine h200 as changed');
    expect(stdout).toContain('2 runs in partly.sqlite');
  });

  it.each([
    [['pdl-mp'], 'no sweep that ships is called "pdl-mp" (did you mean "pdl-map"?)'],
    [['./smal.sweep.yaml'], './smal.sweep.yaml: no such file or directory (did you mean "./small.sweep.yaml"?)'],
    [
      ['./small.sweep.yaml', '--set', 'round=1'],
      '--set round: scenario fork-join has no parameter "round" (did you mean "rounds"?)',
    ],
    [['show', 'smal.sqlite'], 'smal.sqlite: no such file or directory (did you mean "small.sqlite"?)'],
    [['./small.sweep.yaml', '-o', 'none/a.sqlite'], 'none/a.sqlite: no such file or directory'],
    [['show', 'program.yaml'], 'program.yaml: is no results file of a sweep'],
    [
      ['./small.sweep.yaml', '--queue', 'redis://:hidden@127.0.0.1:1', '-o', 'q.sqlite'],
      'redis://127.0.0.1:1: cannot be used',
    ],
    [['./program.yaml'], 'is griddep/program@1, expected griddep/sweep@1'],
  ])('%j', (args, message) => {
    const { code, stderr } = griddep(['sweep', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hidden');
  });

  it('a worker without a Redis ends with what is wrong, and no password', () => {
    const { code, stderr } = griddep(['worker', '--queue', 'redis://user:hidden@127.0.0.1:1']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^griddep: redis:\/\/127\.0\.0\.1:1: cannot be used: .*ECONNREFUSED/);
    expect(stderr).not.toContain('hidden');
  });

  it('the schema of sweep files is printed', () => {
    expect(JSON.parse(griddep(['schema', 'sweep']).stdout)).toMatchObject({ type: 'object', required: ['schema'] });
  });
});
