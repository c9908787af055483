import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIsCurrent, dependenciesAreCurrent, recordBuild } from './prepare.mjs';
import { repositoryRoot } from './workspaces.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'griddep-prepare-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** @param {string} path @param {object | string} content */
function write(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

const zod = { version: '4.0.0', integrity: 'sha512-a' };

function install() {
  write('node_modules/zod/package.json', {});
  write('node_modules/.package-lock.json', { packages: { 'node_modules/zod': zod } });
}

test('dependencies are missing without a finished install', () => {
  write('package-lock.json', { packages: { '': {}, 'node_modules/zod': zod } });
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test('dependencies are current when the installed versions are the locked ones', () => {
  write('package-lock.json', {
    packages: {
      '': {},
      'packages/a': {},
      'node_modules/zod': zod,
      'node_modules/other-os': { version: '1.0.0', optional: true },
    },
  });
  install();
  expect(dependenciesAreCurrent(root)).toBe(true);
});

test('dependencies are stale when a folder was deleted', () => {
  write('package-lock.json', { packages: { 'node_modules/zod': zod } });
  install();
  rmSync(join(root, 'node_modules/zod'), { recursive: true });
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test.each([
  ['another version', { ...zod, version: '4.0.1' }],
  ['other content', { ...zod, integrity: 'sha512-b' }],
])('dependencies are stale when the lock asks for %s', (_, locked) => {
  write('package-lock.json', { packages: { 'node_modules/zod': locked } });
  install();
  expect(dependenciesAreCurrent(root)).toBe(false);
});

/** A workspace that was built after its sources were written. */
async function writeBuilt() {
  write('package.json', { workspaces: ['packages/*'] });
  write('packages/a/package.json', { name: 'a', scripts: { build: 'tsc -b' } });
  write('packages/a/src/deep/b.ts', '');
  write('packages/a/src/deep/c.ts', '');
  write('packages/a/dist/b.js', '');
  await clockTick();
  recordBuild(Date.now(), root);
  await clockTick();
}

/** Longer than the step of the file system's clock. */
const clockTick = () => new Promise((resolve) => setTimeout(resolve, 30));

test('a build is current while nothing changes', async () => {
  await writeBuilt();
  expect(buildIsCurrent(root)).toBe(true);
});

test.each([
  ['a source changes', () => write('packages/a/src/deep/b.ts', 'export {}')],
  ['a source is added', () => write('packages/a/src/deep/d.ts', '')],
  ['a source goes', () => unlinkSync(join(root, 'packages/a/src/deep/c.ts'))],
  [
    'a source changes and its time is set back',
    () => {
      write('packages/a/src/deep/b.ts', 'export {}');
      utimesSync(join(root, 'packages/a/src/deep/b.ts'), 0, 0);
    },
  ],
  ['the compiler options change', () => write('tsconfig.base.json', {})],
  ['dist is emptied', () => unlinkSync(join(root, 'packages/a/dist/b.js'))],
  [
    'a workspace is added',
    () => {
      write('packages/b/package.json', { name: 'b', scripts: { build: 'tsc -b' } });
    },
  ],
])('a build is stale when %s', async (_, change) => {
  await writeBuilt();
  change();
  expect(buildIsCurrent(root)).toBe(false);
});

test('an old Node gets one message and a failure', () => {
  const pretend = 'Object.defineProperty(process, "versions", { value: { node: "18.19.0" } })';
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    join(repositoryRoot, 'tools/bootstrap.mjs'),
  ];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stderr.trim().split('\n')).toHaveLength(1);
  expect(run.stderr).toContain('griddep needs Node.js 20 or newer; this is 18.19.0');
});
