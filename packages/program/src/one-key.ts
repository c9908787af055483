import { type Path, ProgramError } from './errors.ts';
import { describe, withNearest } from './schema/problem.ts';

/** A call, phase or group as written: its name and what stands under it. */
export interface Entry {
  readonly name: string;
  readonly argument: unknown;
}

/**
 * Takes apart `name`, or `{ name: argument }` with one key, which must be among `valid`; `bare` may stand alone.
 * `aside` is a key that may stand beside. Throws ProgramError.
 */
export function oneKey(
  value: unknown,
  what: string,
  valid: readonly string[],
  bare: readonly string[],
  aside?: string,
): Entry {
  if (typeof value === 'string') {
    if (bare.includes(value)) return { name: value, argument: null };
    if (valid.includes(value)) throw new ProgramError(`${what} ${value} needs its arguments`, { offending: value });
    throw withNearest(`unknown ${what} ${JSON.stringify(value)}`, value, valid, []);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProgramError(`expected a ${what} such as "${valid[0]}: ...", got ${describe(value)}`);
  }
  const keys = Object.keys(value).filter((key) => key !== aside);
  for (const key of keys) {
    if (!valid.includes(key)) throw withNearest(`unknown ${what} ${JSON.stringify(key)}`, key, valid, [key], true);
  }
  const [name, second] = keys;
  if (name === undefined) throw new ProgramError(`expected a ${what}, got an empty map`);
  if (second !== undefined) {
    const path: Path = [second];
    throw new ProgramError(`a ${what} has one key, its name; ${name} and ${second} stand together`, {
      path,
      atKey: true,
      offending: second,
    });
  }
  return { name, argument: (value as Record<string, unknown>)[name] };
}
