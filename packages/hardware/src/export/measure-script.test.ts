import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { measureScript } from './measure-script.ts';

/** Stands for nvcc, which is not here: what it "compiles" is a shell script, or does not compile. */
const COMPILER = `#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -o ] && binary=$2; shift; done
grep -q '^#!' "$1" || exit 1
cp "$1" "$binary" && chmod +x "$binary" && echo x >> "$binary.compiled"
`;
/** A program that takes the options of an exported one. */
const PROGRAM = `#!/bin/sh
echo measuring >&2
echo "[$2]" > "$4"
`;

let folder: string;
const path = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'griddep measure '));
  mkdirSync(path('bin'));
  mkdirSync(path('plan'));
  writeFileSync(path('bin/nvcc'), COMPILER);
  chmodSync(path('bin/nvcc'), 0o755);
  writeFileSync(path('plan/run.sh'), measureScript());
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(...args: string[]) {
  const env = { ...process.env, PATH: `${path('bin')}:${process.env.PATH}` };
  return spawnSync('sh', [path('plan/run.sh'), ...args], { env, encoding: 'utf8' });
}

const measured = (name: string) => gunzipSync(readFileSync(path(name))).toString();

it('beside the programs it compiles each once, runs them and leaves their cases', () => {
  writeFileSync(path('plan/plan0.cu'), PROGRAM);
  writeFileSync(path('plan/plan1.cu'), PROGRAM);
  expect(run()).toMatchObject({ status: 0, stdout: 'plan0: measuring\nplan1: measuring\n' });
  expect(readdirSync(path('plan/cases')).sort()).toEqual(['plan0.json.gz', 'plan1.json.gz']);
  expect(measured('plan/cases/plan0.json.gz')).toBe('[15]\n');
  expect(run(path('plan'), path('other'), '3').status).toBe(0);
  expect(measured('other/plan1.json.gz')).toBe('[3]\n');
  expect(readFileSync(path('plan/plan0.compiled'), 'utf8')).toBe('x\n');
});

it('where a program fails or does not compile the others still run, and the status says so', () => {
  writeFileSync(path('plan/a.cu'), '#!/bin/sh\nexit 3\n');
  writeFileSync(path('plan/b.cu'), PROGRAM);
  expect(run().status).toBe(1);
  expect(existsSync(path('plan/cases/b.json.gz'))).toBe(true);
  rmSync(path('plan/a.cu'));
  rmSync(path('plan/a'));
  expect(run().status).toBe(0);
  writeFileSync(path('plan/c.cu'), 'does not compile\n');
  expect(run().status).toBe(1);
});
