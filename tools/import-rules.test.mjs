import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkImports } from './import-rules.mjs';

/** @type {string[]} */
const trees = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

/**
 * The breaches in a repository of the packages program, cuda and simulator, where each imports the one before, after `changes`.
 * @param {Record<string, string | object | undefined>} changes files to write over; objects become JSON
 */
function breachesAfter(changes) {
  const root = mkdtempSync(join(tmpdir(), 'griddep-imports-'));
  trees.push(root);
  /** @type {Record<string, string | object | undefined>} */
  const files = {
    'package.json': { workspaces: ['packages/*'], devDependencies: { vitest: '1.0.0' } },
    ...packageFiles('program', []),
    ...packageFiles('cuda', ['program']),
    ...packageFiles('simulator', ['program', 'cuda']),
    ...changes,
  };
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return checkImports(root).breaches;
}

/** @param {string} name @param {string[]} below packages it imports */
function packageFiles(name, below) {
  return {
    [`packages/${name}/package.json`]: manifest(name, below),
    [`packages/${name}/tsconfig.json`]: { references: below.map((other) => ({ path: `../${other}` })) },
    [`packages/${name}/src/index.ts`]: below.map((other) => `import '@griddep/${other}';\n`).join(''),
    [`packages/${name}/src/index.test.ts`]: `import { test } from 'vitest';\nimport { join } from 'node:path';\n`,
  };
}

/** @param {string} name @param {string[]} below @param {object} [more] */
function manifest(name, below, more = {}) {
  const dependencies = Object.fromEntries(below.map((other) => [`@griddep/${other}`, '0.1.0']));
  return { name: `@griddep/${name}`, dependencies, ...more };
}

test('a tree that keeps the rules has no breach', () => {
  expect(breachesAfter({})).toEqual([]);
});

test('an import that points up is found, in tests too', () => {
  expect(
    breachesAfter({
      'packages/cuda/package.json': manifest('cuda', ['program'], {
        devDependencies: { '@griddep/simulator': '0.1.0' },
      }),
      'packages/cuda/src/up.test.ts': `import type { Run } from '@griddep/simulator';`,
    }),
  ).toEqual(['packages/cuda/src/up.test.ts:1: @griddep/simulator (floor 2) is not below @griddep/cuda (floor 1)']);
});

test('an import on the same floor is found', () => {
  expect(breachesAfter(packageFiles('ptx', ['cuda']))).toEqual([
    'packages/ptx/src/index.ts:1: @griddep/cuda (floor 1) is not below @griddep/ptx (floor 1)',
  ]);
});

test('a package without a floor is found', () => {
  expect(breachesAfter(packageFiles('attic', []))).toEqual([
    'packages/attic/package.json: @griddep/attic has no floor in tools/import-rules.mjs',
  ]);
});

test.each([
  ['import', `import { parse } from 'yaml';`],
  ['import of a subpath', `import 'yaml/util';`],
  ['re-export', `\nexport { parse } from 'yaml';`],
  ['re-export of everything', `export * from 'yaml';`],
  ['import()', `export const load = () => import('yaml');`],
  ['type', `export type Document = import('yaml').Document;`],
])('an undeclared dependency is found: %s', (_, source) => {
  const line = source.startsWith('\n') ? 2 : 1;
  expect(breachesAfter({ 'packages/program/src/extra.ts': source })).toEqual([
    `packages/program/src/extra.ts:${line}: yaml is not declared in package.json dependencies`,
  ]);
});

test('what only tests may use is no dependency of the source', () => {
  expect(breachesAfter({ 'packages/program/src/extra.ts': `import 'vitest';` })).toEqual([
    'packages/program/src/extra.ts:1: vitest is not declared in package.json dependencies',
  ]);
});

test('tests and fixtures may use the shared tools and Node', () => {
  const source = `import 'vitest';\nimport 'node:fs';`;
  expect(
    breachesAfter({ 'packages/program/src/a.test.ts': source, 'packages/program/src/b.fixture.ts': source }),
  ).toEqual([]);
});

test('names in comments and strings are no imports', () => {
  expect(
    breachesAfter({ 'packages/program/src/extra.ts': `// import 'yaml';\nexport const a = "import 'yaml'";` }),
  ).toEqual([]);
});

test('a declared dependency that nothing imports is found', () => {
  expect(
    breachesAfter({ 'packages/program/package.json': manifest('program', [], { dependencies: { yaml: '1.0.0' } }) }),
  ).toEqual(['packages/program/package.json: the dependency yaml is not imported in src']);
});

test('references that differ from the imports are found', () => {
  expect(breachesAfter({ 'packages/cuda/tsconfig.json': { references: [{ path: '../simulator' }] } })).toEqual([
    'packages/cuda/tsconfig.json: no reference to @griddep/program, which src imports',
    'packages/cuda/tsconfig.json: a reference to @griddep/simulator, which src does not import',
  ]);
});

test.each(['node:fs', 'fs', 'node:fs/promises'])('%s in a package for browsers is found', (name) => {
  expect(breachesAfter({ 'packages/cuda/src/disk.ts': `import '${name}';` })).toEqual([
    `packages/cuda/src/disk.ts:1: ${name} is Node's, and @griddep/cuda also runs in a browser`,
  ]);
});

test("Node's modules are allowed in the engine's parallel folder and nowhere else in it", () => {
  const engine = packageFiles('engine', []);
  expect(
    breachesAfter({ ...engine, 'packages/engine/src/parallel/thread.ts': `import 'node:worker_threads';` }),
  ).toEqual([]);
  expect(breachesAfter({ ...engine, 'packages/engine/src/queue.ts': `import 'node:worker_threads';` })).toHaveLength(1);
});

test('a relative import that leaves its package is found', () => {
  expect(breachesAfter({ 'packages/cuda/src/a/b.ts': `import '../../../program/src/index.ts';` })).toEqual([
    'packages/cuda/src/a/b.ts:1: ../../../program/src/index.ts leaves @griddep/cuda; import the other package by name',
  ]);
});

test('files that import each other are found, also by type', () => {
  expect(
    breachesAfter({
      'packages/cuda/src/a.ts': `import type { B } from './b.ts';`,
      'packages/cuda/src/b.ts': `import './c.ts';`,
      'packages/cuda/src/c.ts': `export * from './a.ts';`,
    }),
  ).toEqual([
    'packages/cuda/src/a.ts: the files import each other: packages/cuda/src/a.ts -> packages/cuda/src/b.ts -> packages/cuda/src/c.ts -> packages/cuda/src/a.ts',
  ]);
});

test('a source that does not parse is an error, not a file without imports', () => {
  expect(() => breachesAfter({ 'packages/cuda/src/broken.ts': `import {` })).toThrow('broken.ts');
});
