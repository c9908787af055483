import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './workspaces.mjs';

/**
 * Runs `turbo run` with telemetry off and plain streamed logs.
 * @param {string[]} args tasks and options
 * @param {{ env?: Record<string, string>, output?: 'stdout' | 'stderr' }} [options] `output` says where turbo's stdout goes
 * @returns {number} exit status
 */
export function turbo(args, { env = {}, output = 'stdout' } = {}) {
  const concurrency = args.some((arg) => arg.startsWith('--concurrency')) ? [] : ['--concurrency=2'];
  // Turbo asks its tasks for colour even when its output goes to a file.
  const plain =
    process.stdout.isTTY || process.env.FORCE_COLOR !== undefined ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' };
  const run = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'node_modules/turbo/bin/turbo'), 'run', ...args, '--ui=stream', ...concurrency],
    {
      cwd: repositoryRoot,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', ...plain, ...env },
      stdio: ['ignore', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    },
  );
  return run.status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = turbo(process.argv.slice(2));
