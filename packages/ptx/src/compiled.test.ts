import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bySource, expectedFindings, FIXTURES, fixture, lintText } from './expected.fixture.ts';

const SOURCES = ['order', 'loops', 'roles', 'triggers'];
const compiler = ['/usr/local/cuda/bin/nvcc', ...(process.env.PATH ?? '').split(':').map((p) => join(p, 'nvcc'))].find(
  existsSync,
);

function check(name: string, ptx: string): void {
  const reports = lintText(ptx, { assume: 'strict' });
  const found = reports.flatMap(({ findings }) => findings);
  expect(bySource(found, `${name}.cu`)).toEqual(expectedFindings(fixture(`${name}.cu`)));
  const lines = ptx.split('\n');
  for (const { line, message, source } of found) {
    // The place in the PTX is that of an instruction which the message names, or of one of the two.
    const [opcode = ''] = message.split(' ');
    if (source !== undefined) expect(lines[line - 1]).toMatch(opcode.includes('.') ? opcode : 'griddepcontrol');
  }
}

describe('kernels compiled by nvcc', () => {
  it.each(SOURCES)('1.10, 1.20, 2.2, 2.6 finds in %s.ptx what its source says, line by line', (name) => {
    check(name, fixture(`${name}.ptx`));
  });

  const folder = mkdtempSync(join(tmpdir(), 'griddep-ptx-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  it.runIf(compiler !== undefined)(
    '1.10, 1.20, 2.2, 2.6 finds the same when they are compiled anew',
    { timeout: 120_000 },
    () => {
      const path = `${process.env.PATH}:/usr/local/cuda/bin`;
      const run = spawnSync('sh', [join(FIXTURES, 'compile.sh'), folder], { env: { ...process.env, PATH: path } });
      expect(String(run.stderr)).toBe('');
      for (const name of SOURCES) check(name, readFileSync(join(folder, `${name}.ptx`), 'utf8'));
    },
  );
});
