import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Program } from '@griddep/program';
import { InputError } from './input-error.ts';
import type { Settings } from './settings.ts';

type Parameter = number | string | boolean;

/** What a user's module may import though only the command is installed: the command's own copy. */
const SHARED = '@griddep/program';

/** True for the endings of TypeScript and JavaScript modules. */
export function isModulePath(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path);
}

/**
 * The program that a TypeScript or JavaScript module exports as `program` (or as default): a Program, a builder, or a
 * function of the parameters that returns one or a promise of it. Where the module exports `params`, an object of
 * defaults, `--set` takes these names only and their types; else numbers and booleans are recognised.
 * What the module prints goes to standard error.
 *
 * @throws InputError with the place in the module.
 */
export async function programFromModule(path: string, set: Settings): Promise<Program> {
  return withProcessKept(async () => {
    const exported = await load(path);
    const made = exported.program ?? exported.default;
    if (made === undefined)
      throw new InputError(`${path}: exports neither \`program\` nor a default${listOf(exported)}`);
    if (typeof made !== 'function' && Object.keys(set).length > 0) {
      throw new InputError(`${path}: --set ${Object.keys(set)[0]}: the module's program is no function of parameters`);
    }
    const parameters = await readParameters(path, exported.params, set);
    const value = typeof made === 'function' ? await guarded(path, () => made(parameters)) : await made;
    return checked(path, value);
  });
}

type Exports = Readonly<Record<string, unknown>>;

async function load(path: string): Promise<Exports> {
  const { createJiti } = await import('jiti');
  const alias = { [SHARED]: createRequire(import.meta.url).resolve(SHARED) };
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false, interopDefault: false, alias });
  return guarded(path, () => jiti.import<Exports>(resolve(path)));
}

/** Runs code of the user's, and turns what it throws into an error with the place in the module. */
async function guarded<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new InputError(`${await placeOf(path, error)}: ${messageOf(error)}`);
  }
}

/** Where the module's own code stands in the stack (or in a syntax error's message): `file:line:column`. */
async function placeOf(path: string, error: unknown): Promise<string> {
  const stack = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : '';
  const file = resolve(path);
  for (let at = stack.indexOf(file); at >= 0; at = stack.indexOf(file, at + 1)) {
    const [, line, column] = /^:(\d+):(\d+)/.exec(stack.slice(at + file.length)) ?? [];
    if (line === undefined) continue;
    // Compiling keeps the lines, but puts code of its own into the first one.
    const text = (await readFile(file, 'utf8')).split('\n')[Number(line) - 1] ?? '';
    return Number(column) <= text.length + 1 ? `${path}:${line}:${column}` : `${path}:${line}`;
  }
  return path;
}

/** What JavaScript says when a collection or text becomes too large for it. */
const OVERFLOW = /maximum size exceeded|^Invalid string length/;

/** One line: a parser's message goes on with a place and a picture of the code. */
function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = (text.split('\n')[0] ?? '').trim() || 'threw an error without a message';
  return error instanceof RangeError && OVERFLOW.test(line) ? `makes more than JavaScript can hold (${line})` : line;
}

async function readParameters(path: string, defaults: unknown, set: Settings): Promise<Record<string, Parameter>> {
  if (typeof defaults !== 'object' || defaults === null) {
    return Object.fromEntries(Object.entries(set).map(([name, text]) => [name, parseFreely(text)]));
  }
  const known = defaults as Readonly<Record<string, Parameter>>;
  const { nearestName } = await import('@griddep/machine');
  const given = Object.entries(set).map(([name, text]): [string, Parameter] => {
    const usual = known[name];
    if (usual === undefined) {
      const nearest = nearestName(name, Object.keys(known));
      const hint =
        nearest === undefined ? `; it has ${Object.keys(known).join(', ')}` : ` (did you mean "${nearest}"?)`;
      throw new InputError(`${path}: --set ${name}: the module has no such parameter${hint}`);
    }
    const value = typeof usual === 'string' ? text : parseFreely(text);
    const isWhole = !Number.isInteger(usual) || Number.isInteger(value);
    if (typeof value === typeof usual && isWhole) return [name, value];
    const wanted = isWhole ? typeof usual : 'whole number';
    throw new InputError(`${path}: --set ${name}=${text}: expected a ${wanted}, as in ${name}=${usual}`);
  });
  return { ...known, ...Object.fromEntries(given) };
}

function parseFreely(text: string): Parameter {
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

async function checked(path: string, value: unknown): Promise<Program> {
  const built = isBuilder(value) ? await guarded(path, () => value.build()) : value;
  if (!isProgram(built)) {
    throw new InputError(`${path}: \`program\` is no program; make one with programBuilder of @griddep/program`);
  }
  const { validateProgram } = await import('@griddep/program');
  await guarded(path, () => validateProgram(built));
  return built;
}

function isBuilder(value: unknown): value is { build(): unknown } {
  return typeof value === 'object' && value !== null && 'build' in value && typeof value.build === 'function';
}

function isProgram(value: unknown): value is Program {
  const { kernels, streams, events, buffers, graphs, threads } = Object(value) as Partial<Program>;
  return [kernels, streams, events, buffers, graphs].every((part) => part instanceof Map) && Array.isArray(threads);
}

function listOf(exported: Exports): string {
  const names = Object.keys(exported);
  return names.length === 0 ? '' : `; it exports ${names.join(', ')}`;
}

/** A module's own output must not mix with the command's results, nor may it end the command. */
async function withProcessKept<T>(run: () => Promise<T>): Promise<T> {
  const { exit } = process;
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof write;
  process.exit = (code) => {
    throw new Error(`called process.exit(${code ?? ''})`);
  };
  try {
    return await run();
  } finally {
    process.stdout.write = write;
    process.exit = exit;
  }
}
