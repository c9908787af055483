import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const BIN = fileURLToPath(new URL('../bin/griddep.mjs', import.meta.url));
const { path } = workFolder();
const run = (script: string) => spawnSync(process.execPath, [script, '--version'], { encoding: 'utf8' });

it('is the command that the package names', () => {
  const { bin, files } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(bin).toEqual({ griddep: 'bin/griddep.mjs' });
  expect(files).toContain('bin');
  expect(readFileSync(BIN, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
  if (process.platform !== 'win32') expect(statSync(BIN).mode & 0o111).not.toBe(0);
  expect(run(BIN).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('says how to build what is not built', () => {
  mkdirSync(path('bin'));
  writeFileSync(path('package.json'), '{"type":"module"}');
  copyFileSync(BIN, path('bin/griddep.mjs'));
  const { status, stderr } = run(path('bin/griddep.mjs'));
  expect(stderr).toMatch(/^griddep: not built yet; run `npm run build`/);
  expect(status).toBe(2);
});
