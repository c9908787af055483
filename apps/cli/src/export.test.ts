import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROGRAM, workFolder } from './griddep.fixture.ts';

const { griddep, path, write } = workFolder();

describe('griddep export', () => {
  it('writes several programs as one file that measures each', () => {
    write('a.yaml', `name: a\n${PROGRAM}`);
    const { code, stderr } = griddep(['export', 'a.yaml', '--scenario', 'fork-join', '-o', 'out.cu']);
    expect([code, stderr]).toEqual([0, '']);
    const text = readFileSync(path('out.cu'), 'utf8');
    expect(text).toContain('programs.push_back(program_1::make());');
    expect(text).toContain('"name":"fork-join"');
  });

  it('refuses what is no program, and two of one name', () => {
    const saved = griddep(['run', 'a.yaml', '--save', 'saved.json']);
    expect(saved.code).toBe(0);
    expect(griddep(['export', 'saved.json'])).toMatchObject({ code: 2, stdout: '' });
    const twice = griddep(['export', '--scenario', 'fork-join', '--scenario', 'fork-join']);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('two programs are called "fork-join"');
  });
});

describe('griddep calibrate --plan', () => {
  it('writes the planned programs and how to run them', () => {
    const { code, stdout } = griddep(['calibrate', '--plan', 'plan']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ programs in 4 files/);
    expect(readdirSync(path('plan')).sort()).toEqual(['plan0.cu', 'plan1.cu', 'plan2.cu', 'plan3.cu', 'run.sh']);
    const texts = [0, 1, 2, 3].map((i) => readFileSync(path(`plan/plan${i}.cu`), 'utf8')).join('');
    for (const name of ['gap-plain-stream-132x128', 'chain32-plain-500']) {
      const isPlanned = texts.includes(`"name":"${name}`);
      expect(isPlanned || texts.includes(`"name":"${name.split('-')[0]}-`), name).toBe(true);
    }
  });
});

describe('griddep compare', () => {
  it('shows what was measured over what was simulated, and writes a picture', () => {
    const { code, stdout } = griddep(['compare', '--filter', '^fork-join-4$', '--width', '80', '--svg', 'both.svg']);
    expect(code).toBe(0);
    expect(stdout).toContain('fork-join-4: measured');
    expect(stdout).toContain('fork-join-4: simulated');
    expect(stdout).toMatch(/operation +measured us +to +simulated us +to +start off +end off/);
    expect(stdout).toMatch(/makespan: measured [\d.]+ us, simulated [\d.]+ us \([+-][\d.]+ %\)/);
    expect(readFileSync(path('both.svg'), 'utf8')).toContain('fork-join-4: measured');
  }, 60_000);

  it('shows no more cases than asked for, and refuses a filter that matches none', () => {
    const { stderr, stdout } = griddep(['compare', '--filter', '^fork-join-', '--cases', '1', '--rows', '2']);
    expect(stderr).toMatch(/showing 1 of \d+ cases/);
    expect(stdout).toMatch(/and \d+ that are less far off/);
    expect(griddep(['compare', '--filter', 'nothing-like-this']).code).toBe(2);
  }, 60_000);
});
