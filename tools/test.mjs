// Runs every workspace's tests and prints the totals last. `--full` runs the long counts as well.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarise, summaryLine } from './test-summary.mjs';
import { turbo } from './turbo.mjs';
import { listWorkspaces } from './workspaces.mjs';

const reports = mkdtempSync(join(tmpdir(), 'griddep-tests-'));
const args = process.argv.slice(2);
/** @type {Record<string, string>} */
const env = { GRIDDEP_TEST_REPORTS: reports, ...(args.includes('--full') ? { GRIDDEP_FULL: '1' } : {}) };
const status = turbo(
  [
    'test',
    'test:tools',
    '--continue',
    '--log-order=grouped',
    '--log-prefix=none',
    ...args.filter((arg) => arg !== '--full'),
  ],
  { env },
);

const withTests = listWorkspaces()
  .filter(({ dir, manifest }) => manifest.scripts?.test !== undefined && hasTests(join(dir, 'src')))
  .map(({ path }) => path.slice(path.lastIndexOf('/') + 1));

const summary = summarise(reports, [...withTests, 'tools'], status);
rmSync(reports, { recursive: true });
process.stdout.write(`\n${[...summary.problems, summaryLine(summary)].join('\n')}\n`);
process.exitCode = status === 0 && summary.failed === 0 ? 0 : 1;

/** @param {string} dir @returns {boolean} whether a test file stands somewhere below */
function hasTests(dir) {
  if (!existsSync(dir)) return false;
  return readdirSync(dir, { recursive: true }).some((name) => String(name).endsWith('.test.ts'));
}
