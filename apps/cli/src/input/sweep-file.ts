import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { nearestName } from '@griddep/machine';
import { parseSource, writeProgramJson } from '@griddep/program';
import {
  type ReadSweepOptions,
  readSweep,
  type Sweep,
  type SweepInput,
  shippedSweep,
  shippedSweeps,
} from '@griddep/sweep';
import { InputError } from './input-error.ts';
import { readBytes, shown } from './read-bytes.ts';
import { programOf, resolveInput } from './resolve.ts';
import type { Settings } from './settings.ts';

export interface SweepFileOptions {
  /** In place of the sweep's own input. */
  readonly input?: string | undefined;
  readonly scenario?: string | undefined;
  readonly set: Settings;
  readonly machine: string | undefined;
}

/**
 * A sweep from a file, or one that ships, by its name. Programs and machines that it names stand beside it.
 *
 * @throws InputError or ProgramError
 */
export async function sweepOfInput(nameOrFile: string, options: SweepFileOptions): Promise<Sweep> {
  const path = pathOf(nameOrFile);
  const text = utf8(await readBytes(path), path);
  const folder = path === '-' ? '.' : dirname(path);
  const beside = (name: string) => (isAbsolute(name) ? name : join(folder, name));
  const { input, scenario, set, machine } = options;
  if (input !== undefined && scenario !== undefined) throw new InputError('give --input or --scenario, not both');
  const other = scenario !== undefined ? { scenario } : input !== undefined ? await programInput(input) : undefined;
  const named = other === undefined ? inputNamedIn(text, path) : undefined;
  const own = named === undefined ? undefined : await programInput(beside(named));
  const read: ReadSweepOptions = {
    file: shown(path),
    program: () => own as SweepInput,
    machine: (name) => {
      const file = machine === undefined ? beside(name) : name;
      return { file, text: utf8(readFileSync(file), file) };
    },
    input: other,
    set,
    machineName: machine,
  };
  return readSweep(text, read);
}

function pathOf(nameOrFile: string): string {
  const names = shippedSweeps();
  if (names.includes(nameOrFile)) return shippedSweep(nameOrFile);
  if (nameOrFile === '-' || /[./\\]/.test(nameOrFile)) return nameOrFile;
  const nearest = nearestName(nameOrFile, names);
  const hint = nearest === undefined ? `; there are ${names.join(', ')}` : ` (did you mean "${nearest}"?)`;
  throw new InputError(`no sweep that ships is called "${nameOrFile}"${hint}`);
}

/** A file's own text with its parameters; of a module, a trace or a program with PTX what it comes to, without any. */
async function programInput(path: string): Promise<SweepInput> {
  const program = programOf(await resolveInput({ path }), 'sweep');
  if (/\.(json|ya?ml)$/i.test(path)) {
    const text = utf8(await readBytes(path), path);
    const document = parseSource(text, path).value as { schema?: unknown; params?: object; kernels?: object };
    if (String(document.schema).startsWith('griddep/program@') && !usesPtx(document.kernels ?? {}))
      return { file: path, text, parameters: Object.keys(document.params ?? {}) };
  }
  return { file: path, text: writeProgramJson(program), parameters: [] };
}

function usesPtx(kernels: object): boolean {
  return Object.values(kernels).some((kernel) => typeof kernel === 'object' && kernel !== null && 'ptx' in kernel);
}

function inputNamedIn(text: string, file: string): string | undefined {
  const value = parseSource(text, shown(file)).value as { input?: unknown } | null;
  return typeof value?.input === 'string' ? value.input : undefined;
}

function utf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${shown(file)}: the file is not UTF-8 text`);
  }
}
