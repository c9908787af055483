import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { turbo } from './turbo.mjs';
import { listWorkspaces, readJson, repositoryRoot } from './workspaces.mjs';

/** @param {string} text */
const say = (text) => process.stderr.write(`griddep: ${text}\n`);

/**
 * Installs dependencies when they differ from package-lock.json and, if asked, builds what changed since the last build.
 * Progress goes to stderr, so that stdout carries only what the command itself prints.
 * @param {{ build?: boolean }} [options] @returns {number} exit status
 */
export function prepare({ build = false } = {}) {
  if (!dependenciesAreCurrent()) {
    say('installing dependencies (npm ci)');
    const status = installDependencies();
    if (status !== 0) {
      say('npm ci failed; its messages are above');
      return status;
    }
  }
  if (build && !buildIsCurrent()) {
    say('building');
    const started = Date.now();
    const status = turbo(['build', '--output-logs=errors-only'], { output: 'stderr' });
    if (status !== 0) {
      say('the build failed; its messages are above');
      return status;
    }
    recordBuild(started);
  }
  return 0;
}

/** The command that runs npm: the one that started this script, else the one on the path. */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js')
    ? { file: process.execPath, args: [cli], shell: false }
    : { file: 'npm', args: [], shell: true };
}

function installDependencies() {
  const npm = npmCommand();
  // --include=dev: NODE_ENV=production would leave out the compiler.
  const args = [...npm.args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const run = spawnSync(npm.file, args, { cwd: repositoryRoot, shell: npm.shell, stdio: ['ignore', 2, 'inherit'] });
  return run.status ?? 1;
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes node_modules/.package-lock.json at the end of each
 * install, so an interrupted one has none.
 * @param {string} [root]
 */
export function dependenciesAreCurrent(root = repositoryRoot) {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = readJson(installedFile).packages;
  const locked = readJson(join(root, 'package-lock.json')).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // Optional packages of other platforms are rightly absent.
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    const same = found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link;
    return same && existsSync(join(root, path));
  });
}

const stampPath = (/** @type {string} */ root) => join(root, 'node_modules/.cache/griddep/build.json');

/** @param {number} started when the build began, Unix milliseconds @param {string} [root] */
export function recordBuild(started, root = repositoryRoot) {
  mkdirSync(join(root, 'node_modules/.cache/griddep'), { recursive: true });
  writeFileSync(stampPath(root), JSON.stringify({ started }));
}

/**
 * Whether every workspace has its dist and no input changed since the last recorded build began.
 * @param {string} [root]
 */
export function buildIsCurrent(root = repositoryRoot) {
  if (!existsSync(stampPath(root))) return false;
  const { started } = JSON.parse(readFileSync(stampPath(root), 'utf8'));
  const built = listWorkspaces(root).filter(({ manifest }) => manifest.scripts?.build !== undefined);
  const shared = ['package-lock.json', 'tsconfig.base.json', 'turbo.json'].map((name) => join(root, name));
  const inputs = built.flatMap(({ dir }) => ['package.json', 'tsconfig.json', 'src'].map((name) => join(dir, name)));
  return (
    built.every(({ dir }) => existsSync(join(dir, 'dist')) && readdirSync(join(dir, 'dist')).length > 0) &&
    [...shared, ...inputs].every((path) => !changedSince(path, started))
  );
}

/**
 * Whether a file, or anything in a folder, changed after `time`. Reads the change time as well, because copying can set the
 * modification time back; a folder's own time tells of deleted files.
 * @param {string} path @param {number} time @returns {boolean}
 */
function changedSince(path, time) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (Math.max(stat.mtimeMs, stat.ctimeMs) >= time) return true;
  return stat.isDirectory() && readdirSync(path).some((name) => changedSince(join(path, name), time));
}
