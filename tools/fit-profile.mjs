// Fits the shipped H200 profile to the carried cases: runs `griddep calibrate` and writes the constants that it fitted to
// packages/machine/src/profiles/h200-fitted.ts. All others are set by hand, each with its reason, in h200-timing.ts and
// hosts.ts. Usage, after a build: node tools/fit-profile.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEVICE_TIMING } from '../packages/machine/dist/index.js';

const ROUNDS = '3';
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'packages/machine/src/profiles/h200-fitted.ts');
const folder = mkdtempSync(join(tmpdir(), 'griddep-fit-'));
try {
  const file = join(folder, 'profile.json');
  const command = [
    join(root, 'apps/cli/dist/main.js'),
    'calibrate',
    '--base',
    join(root, 'tools/h200-start.yaml'),
    '--rounds',
    ROUNDS,
    '-o',
    file,
  ];
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const { constants, fit } = JSON.parse(readFileSync(file, 'utf8'));
  const fitted = Object.keys(fit.constants).map((name) => [name, constants[name]]);
  /** @param {boolean} ofDevice of the device, or of the host */
  const figures = (ofDevice) =>
    fitted
      .filter(([name]) => name in DEVICE_TIMING === ofDevice)
      .map(([name, { value, source, low, high }]) => {
        const numbers = [value, low, high].map((number) => Number(number.toPrecision(4)));
        return `  ${name}: measured(${numbers[0]}, ${JSON.stringify(source)}, ${numbers[1]}, ${numbers[2]}),`;
      });
  const text = [
    '// Written by tools/fit-profile.mjs, not by hand.',
    "import { measured } from './constants.ts';",
    '',
    '/** Constants of the H200 that `griddep calibrate` finds from the fit part of the measured cases. */',
    'export const H200_FITTED = {',
    ...figures(true),
    '};',
    '',
    '/** The same of the host that measured them. */',
    'export const HOST_FITTED = {',
    ...figures(false),
    '};',
    '',
  ].join('\n');
  writeFileSync(target, text);
  execFileSync('npx', ['biome', 'check', '--write', target], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
