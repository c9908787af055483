// Packs every workspace, installs the tarballs into an empty folder, and uses them there as a stranger would.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { npmCommand } from './prepare.mjs';
import { listWorkspaces, readJson, repositoryRoot } from './workspaces.mjs';

/** @typedef {import('./workspaces.mjs').Workspace & { tarball: string }} Packed */

const folder = mkdtempSync(join(tmpdir(), 'griddep-pack-'));
const consumer = join(folder, 'consumer');
let passed = 0;
let failed = 0;

/** @param {string} what @param {string | undefined} problem */
function report(what, problem) {
  if (problem === undefined) passed += 1;
  else failed += 1;
  process.stdout.write(
    problem === undefined ? `ok ${what}\n` : `FAILED ${what}\n${problem.trimEnd().replace(/^/gm, '    ')}\n`,
  );
}

/**
 * @param {string} file @param {string[]} args @param {{ cwd?: string, shell?: boolean }} [options]
 * @returns {{ ok: boolean, stdout: string, all: string }}
 */
function execute(file, args, { cwd = consumer, shell = false } = {}) {
  const run = spawnSync(file, args, { cwd, shell, encoding: 'utf8', timeout: 300_000 });
  return { ok: run.status === 0, stdout: run.stdout, all: `${run.stdout}${run.stderr}${run.error?.message ?? ''}` };
}

/** @param {string[]} args @param {string} [cwd] */
function npm(args, cwd) {
  const command = npmCommand();
  return execute(command.file, [...command.args, ...args], {
    shell: command.shell,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** @returns {Packed[]} the public workspaces and their tarballs */
function pack() {
  const workspaces = listWorkspaces().filter(({ manifest }) => manifest.private !== true);
  const names = workspaces.flatMap(({ name }) => ['-w', name]);
  const packing = npm(['pack', '--json', '--loglevel=error', `--pack-destination=${folder}`, ...names], repositoryRoot);
  if (!packing.ok) throw new Error(packing.all);
  // Scripts that run while packing may print before the JSON.
  /** @type {{ name: string, filename: string }[]} */
  const tarballs = JSON.parse(packing.stdout.slice(packing.stdout.search(/^\[/m)));
  return workspaces.map((workspace) => {
    const found = tarballs.find(({ name }) => name === workspace.name);
    if (found === undefined) throw new Error(`npm pack made no tarball of ${workspace.name}`);
    return { ...workspace, tarball: join(folder, found.filename) };
  });
}

/** @param {Packed[]} packed */
function install(packed) {
  mkdirSync(consumer);
  const types = readJson(join(repositoryRoot, 'package.json')).devDependencies['@types/node'];
  const dependencies = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const manifest = { private: true, type: 'module', dependencies, devDependencies: { '@types/node': types } };
  writeFileSync(join(consumer, 'package.json'), JSON.stringify(manifest));
  return npm(['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']);
}

/** @param {Packed} packed @returns {string | undefined} files in dist that no source accounts for, or tests */
function strayFiles({ name, dir }) {
  const installed = join(consumer, 'node_modules', name);
  const files = readdirSync(installed, { recursive: true }).map(String);
  const stray = files.filter((file) => {
    if (file.startsWith('node_modules')) return false;
    if (/\.test\.|\.fixture\.|tsbuildinfo/.test(file)) return true;
    const source = /^dist[\\/](.*?)(\.d\.ts|\.js|\.js\.map)$/.exec(file)?.[1];
    return (
      source !== undefined && !['.ts', '.tsx', '.js'].some((end) => existsSync(join(dir, 'src', `${source}${end}`)))
    );
  });
  const missing = ['LICENSE', 'package.json'].filter((file) => !files.includes(file));
  const problems = [
    ...stray.map((file) => `should not be packed: ${file}`),
    ...missing.map((file) => `is not packed: ${file}`),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}

/** @param {Packed} packed @returns {Promise<string | undefined>} */
async function lint({ tarball }) {
  const content = readFileSync(tarball);
  const bytes = content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: /** @type {ArrayBuffer} */ (bytes) }, strict: true });
  const faults = messages.filter(({ type }) => type !== 'suggestion');
  return faults.length > 0 ? faults.map((fault) => formatMessage(fault, pkg, { color: false })).join('\n') : undefined;
}

/** @param {Packed} packed @returns {string[]} what a user can import, without patterns and data files */
function entryPoints({ name, manifest }) {
  return Object.keys(manifest.exports ?? {})
    .filter((key) => !key.includes('*') && !key.endsWith('.json'))
    .map((key) => `${name}${key.slice(1)}`);
}

/** @param {string} entry */
const isWorker = (entry) => /\/worker$/.test(entry);

/** @param {string} entry @returns {string | undefined} */
function importEntry(entry) {
  const code = `const names = Object.keys(await import(${JSON.stringify(entry)})); if (names.length === 0) throw new Error('exports nothing');`;
  const run = execute(process.execPath, ['--input-type=module', '-e', code]);
  return run.ok ? undefined : run.all;
}

/** A worker entry starts when its thread comes up and raises no error in its first moments. @param {string} entry */
function startWorker(entry) {
  const code = `
    import { createRequire } from 'node:module';
    import { Worker } from 'node:worker_threads';
    const worker = new Worker(createRequire(import.meta.url).resolve(${JSON.stringify(entry)}), { execArgv: [] });
    worker.on('error', (error) => { console.error(error); process.exit(1); });
    worker.on('online', () => setTimeout(() => process.exit(0), 500));`;
  writeFileSync(join(consumer, 'start-worker.mjs'), code);
  const run = execute(process.execPath, ['start-worker.mjs']);
  return run.ok ? undefined : run.all;
}

/** @param {string[]} entries @returns {string | undefined} */
function checkTypes(entries) {
  const lines = entries.map((entry, index) => `import * as m${index} from '${entry}';`);
  const all = entries.map((_, index) => `m${index}`).join(', ');
  writeFileSync(join(consumer, 'all.ts'), `${lines.join('\n')}\nexport const all: object[] = [${all}];\n`);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['all.ts'] }));
  const run = execute(process.execPath, [join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  return run.ok ? undefined : run.all;
}

/** @param {Packed[]} packed @returns {string | undefined} */
function commandVersion(packed) {
  const cli = packed.find(({ manifest }) => manifest.bin?.griddep !== undefined);
  if (cli === undefined) return 'no package has the command griddep';
  // Without the command npx would ask the registry for a package of that name.
  if (!existsSync(join(consumer, 'node_modules/.bin/griddep'))) return 'the command griddep was not installed';
  const run = npm(['exec', '--no', '--', 'griddep', '--version']);
  if (!run.ok) return run.all;
  return run.stdout.includes(cli.manifest.version) ? undefined : `prints ${run.stdout}`;
}

try {
  const packed = pack();
  for (const one of packed) report(`${one.name} publint`, await lint(one));
  const installed = install(packed);
  report('install into an empty folder', installed.ok ? undefined : installed.all);
  if (installed.ok) {
    for (const one of packed) report(`${one.name} contents`, strayFiles(one));
    const entries = packed.flatMap(entryPoints);
    for (const entry of entries) {
      if (isWorker(entry)) report(`${entry} starts as a worker`, startWorker(entry));
      else report(`${entry} imports`, importEntry(entry));
    }
    const typed = entries.filter((entry) => !isWorker(entry));
    report(`types of ${typed.length} entry points`, checkTypes(typed));
    report('npx griddep --version', commandVersion(packed));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`pack test: ${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
