import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { path, griddep } = workFolder();

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
