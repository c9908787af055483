// Fits the shipped H200 profile to the carried cases: `node tools/fit-profile.mjs` runs `griddep calibrate` and writes
// the constants that it fitted to packages/machine/src/profiles/h200-fitted.ts. The others stay as they are set by hand
// in h200-timing.ts, each with its reason.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'griddep-fit-'));
try {
  const file = join(folder, 'profile.json');
  const command = [join(root, 'apps/cli/dist/main.js'), 'calibrate', '--rounds', '2', '-o', file];
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const { constants } = JSON.parse(readFileSync(file, 'utf8'));
  const fitted = Object.entries(constants).filter(([, c]) => c.source.startsWith('fitted to '));
  const lines = fitted.map(([name, { value, source, low, high }]) => {
    const numbers = [value, JSON.stringify(source), low, high].join(', ');
    return `  ${name}: measured(${numbers}),`;
  });
  const text = [
    '// Written by tools/fit-profile.mjs; not to be edited.',
    "import { measured } from './constants.ts';",
    '',
    '/** Constants fitted by `griddep calibrate` to the fit part of the measured cases. */',
    'export const H200_FITTED = {',
    ...lines,
    '};',
    '',
  ].join('\n');
  const target = join(root, 'packages/machine/src/profiles/h200-fitted.ts');
  writeFileSync(target, text);
  execFileSync('npx', ['biome', 'check', '--write', target], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
