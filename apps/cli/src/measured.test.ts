import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { path, write, griddep } = workFolder();
const CASES = fileURLToPath(new URL('../../../packages/hardware/cases/calib1b.json.gz', import.meta.url));

describe('griddep calibrate', { timeout: 60_000 }, () => {
  it('writes a profile that validate takes in place of the constants of the machine', () => {
    const { code, stdout } = griddep([
      'calibrate',
      '--only',
      'timingRecord,launchKernel',
      '--rounds',
      '1',
      '-o',
      'p.json',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^timingRecord +\d+ +\d+ .* ns /m);
    const profile = JSON.parse(readFileSync(path('p.json'), 'utf8'));
    expect(profile).toMatchObject({ schema: 'griddep/profile@1', device: 'h200' });
    expect(profile.constants.timingRecord.source).toMatch(/^fitted to \d+ cases/);
    expect(profile.fit.constants.timingRecord.cases).toBeGreaterThan(0);
    expect(profile.constants).toHaveProperty('kernelLaunch.value');

    const trusted = griddep(['trust', '--profile', 'p.json', '--json']);
    expect(trusted.code).toBe(0);
    expect(JSON.parse(trusted.stdout).families.length).toBeGreaterThan(30);
  });

  it('warns where cases were measured by another device than that of the base', () => {
    const { code, stderr } = griddep(['calibrate', '--only', 'memsetLatency', '--rounds', '1', '--base', 'rtx4090']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /warning: the device of --base is rtx4090, but cases were measured by NVIDIA H200, CUDA 13000/,
    );
  });

  it.each(['trust', 'validate', 'ablate'])(
    '%s refuses a profile of another device, unless that is meant',
    (command) => {
      const constants = { kernelLaunch: { value: 1000, unit: 'ns', status: 'measured', source: 'a test' } };
      write('h200.json', JSON.stringify({ schema: 'griddep/profile@1', device: 'h200', constants }));
      const args = [command, CASES, '--machine', 'h100', '--profile', 'h200.json'];
      const { code, stderr } = griddep(args);
      expect(stderr).toBe(
        'griddep: h200.json: was fitted to h200, the machine has h100; --other-device takes it all the same\n',
      );
      expect(code).toBe(2);
      const meant = griddep([...args, '--other-device']);
      expect(meant.stderr).toMatch(/^griddep: warning: h200\.json: was fitted to h200, the machine has h100$/m);
      expect(meant.code).toBe(0);
    },
  );

  it('never replaces a file that it reads, and tries to write before the work', () => {
    mkdirSync(path('cases'));
    copyFileSync(CASES, path('cases/own.json.gz'));
    const outputOf = (cases: string[], output: string) => griddep(['calibrate', ...cases, '-o', output]);
    const isInput = { code: 2, stdout: '', stderr: expect.stringMatching(/: is an input, which would be lost$/m) };
    expect(outputOf(['cases'], 'cases/own.json.gz')).toEqual(isInput);
    expect(outputOf([], CASES)).toEqual(isInput);
    if (process.platform !== 'linux') return;
    const { code, stdout, stderr } = outputOf([], '/proc/x.json');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--output \/proc\/x\.json: cannot be written/);
  });

  it.runIf(process.platform === 'linux')('prints what it found though it cannot be written', () => {
    const args = ['calibrate', CASES, '--only', 'launchKernel', '-o', '/dev/full'];
    const { code, stdout, stderr } = griddep(args);
    expect(stdout).toMatch(/^launchKernel +\d+ /m);
    expect(stderr).toMatch(/--output \/dev\/full: cannot be written: no space left/);
    expect(code).toBe(2);
  });

  it('goes round at most 100 times', () => {
    expect(griddep(['calibrate', '--rounds', '101']).stderr).toMatch(/Expected at most 100/);
  });

  it('refuses a constant that no case isolates, with the nearest name', () => {
    const { code, stderr } = griddep(['calibrate', '--only', 'kernelLunch']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/kernelLunch.*kernelLaunch/);
  });

  it('refuses a profile that is not there', () => {
    const { code, stderr } = griddep(['trust', '--profile', 'none.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/none\.json: no such file/);
  });
});

describe('griddep trust', { timeout: 60_000 }, () => {
  it('says families, parts and what is not modelled', () => {
    const { code, stdout } = griddep(['trust']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^gap-plain +\d+ +\d+ /m);
    expect(stdout).toMatch(/^held out, random programs +35 /m);
    expect(stdout).toMatch(/^concurrent-limit .*host total$/m);
    expect(stdout).toMatch(/^not modelled/m);
    expect(stdout).toMatch(/--host environment/);
  });

  it('prints a page of Markdown', () => {
    const { stdout } = griddep(['trust', '--markdown', '--host', 'profile']);
    expect(stdout).toMatch(/^# How far/);
    expect(stdout).toMatch(/^\| `mix` \| 34 \| 16 \|/m);
  });
});

describe('griddep ablate', () => {
  it('lists what the error becomes without each mechanism', { timeout: 120_000 }, () => {
    const { code, stdout } = griddep(['ablate', '--markdown']);
    expect(code).toBe(0);
    const rows = stdout.split('\n').filter((line) => line.startsWith('| '));
    const mean = (row: string | undefined) => Number.parseFloat(row?.split('|')[5] ?? '');
    const all = rows.find((row) => row.includes('all mechanisms present'));
    const pdl = rows.find((row) => row.startsWith('| programmatic dependent launch'));
    expect(mean(pdl)).toBeGreaterThan(2 * mean(all));
  });
});
