import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSource } from '@griddep/program';
import { readSweep } from './file/read-sweep.ts';
import type { Sweep } from './file/sweep.ts';
import { shippedSweep } from './shipped.ts';

/** A sweep from text; programs it names stand beside the sweeps that ship. */
export function sweepOf(text: string, file = 'test.sweep.yaml', folder = dirname(shippedSweep('pdl-map'))): Sweep {
  return readSweep(text, {
    file,
    program: (path) => {
      const program = readFileSync(join(folder, path), 'utf8');
      const { params = {} } = parseSource(program, path).value as { params?: object };
      return { file: path, text: program, parameters: Object.keys(params) };
    },
    machine: (path) => ({ file: path, text: readFileSync(path, 'utf8') }),
  });
}

/** One that ships, with some of its text replaced. */
export function shipped(name: string, replace: Readonly<Record<string, string>> = {}): Sweep {
  const path = shippedSweep(name);
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of Object.entries(replace)) {
    if (!text.includes(from)) throw new Error(`${name} does not say ${from}`);
    text = text.replace(from, to);
  }
  return sweepOf(text, path, dirname(path));
}

export function temporaryFolder(): { readonly path: string; file(name: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'griddep-sweep-'));
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) };
}
