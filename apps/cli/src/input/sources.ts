import { InputError } from './input-error.ts';
import type { InputSource } from './resolve.ts';

/** The one input of a command, given by path or `--scenario`. Throws InputError without either, or with both. */
export function onlySource(path: string | undefined, scenario: string | undefined): InputSource {
  if (path !== undefined && scenario !== undefined) {
    throw new InputError(`give an input or --scenario, not both (${path}, ${scenario})`);
  }
  if (path !== undefined) return { path };
  if (scenario !== undefined) return { scenario };
  throw new InputError(
    'no input: give a file, - for standard input, or --scenario NAME (`griddep scenarios` lists them)',
  );
}

/** All inputs of a command, paths first. */
export function allSources(paths: readonly (string | undefined)[], scenarios: readonly string[]): InputSource[] {
  const given = paths.filter((path) => path !== undefined);
  return [...given.map((path) => ({ path })), ...scenarios.map((scenario) => ({ scenario }))];
}
