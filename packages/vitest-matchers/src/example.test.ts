import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const example = join(root, 'docs/examples/vitest');

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'griddep-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A copy of the project, so that a run leaves nothing in the repository. */
function copied(): string {
  const copy = scratch();
  cpSync(example, copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

/** Runs the tests of a project as Vitest does, with the packages from source; its report. */
function report(project: string): { readonly numPassedTests: number; readonly numFailedTests: number; text: string } {
  const conditions = ['@griddep/source', 'module', 'node', 'development|production'];
  const file = join(scratch(), 'report.json');
  const options = { root: project, config: false, watch: false, reporters: ['json'], outputFile: file };
  const script = `import { startVitest } from 'vitest/node';
const vitest = await startVitest('test', [], ${JSON.stringify(options)}, ${JSON.stringify({ ssr: { resolve: { conditions } } })});
await vitest.close();
process.exit(0);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: 'pipe' });
  const text = readFileSync(file, 'utf8');
  return { ...JSON.parse(text), text };
}

describe('the example project', () => {
  it('passes', () => {
    expect(report(copied())).toMatchObject({ numPassedTests: 4, numFailedTests: 0 });
  }, 120_000);

  it('2.2, 5.4 fails without its waits, and says what is missing', () => {
    const copy = copied();
    const source = join(copy, 'pipeline.ts');
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, text.replace(/^.*streamWaitEvent\('uploads'.*$/m, ''));
    const { numFailedTests, text: told } = report(copy);
    expect(numFailedTests).toBeGreaterThan(0);
    expect(told).toContain('record an event in stream \\"work\\"');
  }, 120_000);
});
