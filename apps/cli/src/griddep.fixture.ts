import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** The built command. */
export const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for the tests of a file, removed afterwards, and the built command run in it. */
export function workFolder(): {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, content: string | Uint8Array) => string;
  readonly griddep: (args: readonly string[], input?: string | Uint8Array) => Outcome;
} {
  const folder = mkdtempSync(join(tmpdir(), 'griddep-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  return {
    folder,
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return name;
    },
    griddep(args, input = '') {
      const run = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, input, encoding: 'utf8' });
      return { code: run.status, stdout: run.stdout, stderr: run.stderr };
    },
  };
}

/** A program of two kernels, in two lines of calls whose places tests refer to. */
export const PROGRAM = `schema: griddep/program@1
params: { grid: 32 }
kernels:
  rms: { grid: "\${grid}", block: 256, dynamicSharedMemory: 100KiB, phases: [{ spin: 1us }] }
streams: [s0]
calls:
  - launchKernel: { kernel: rms, stream: s0 }
  - streamSynchronize: { stream: s0 }
`;

/** A module whose program is a function of parameters, and that prints. */
export const MODULE = `import { programBuilder, spin } from '@griddep/program';
export const params = { layers: 2 };
console.log('printed by the module');
export const program = async ({ layers }: { layers: number }) => {
  const builder = programBuilder('from-module');
  if (layers > 9) throw new Error('too many layers');
  builder.kernel('k', { grid: 10, block: 128, phases: [spin('10us')] });
  const stream = builder.stream('s');
  const thread = builder.hostThread();
  for (let i = 0; i < layers; i++) thread.launchKernel('k', stream);
  thread.streamSynchronize(stream);
  return builder;
};
`;
