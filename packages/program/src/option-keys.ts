import { ProgramError } from './errors.ts';
import { nearestName } from './nearest-name.ts';

/**
 * Refuses keys that an object of options does not have, as the reader of files does: a misspelt option would otherwise
 * change nothing, silently. `where` says whose keys they are. Throws ProgramError with the nearest valid key.
 */
export function onlyKeys(given: object | undefined, valid: readonly string[], where: string): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new ProgramError(`${where}: expected an object of options, got ${describeArgument(given)}`);
  }
  for (const key of Object.keys(given)) {
    if (valid.includes(key)) continue;
    const nearest = nearestName(key, valid);
    const hint = nearest === undefined ? `; valid are ${valid.join(', ')}` : '';
    throw new ProgramError(`${where}: unknown key ${JSON.stringify(key)}${hint}`, {
      offending: key,
      path: [key],
      atKey: true,
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
}

/** The keys of a type of options: the compiler asks for every one. */
export function keysOf<T>(keys: Readonly<Record<keyof T, true>>): readonly string[] {
  return Object.keys(keys);
}

/** An argument in the words of a message: declared objects by their name. */
export function describeArgument(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  const { name } = value as { name?: unknown };
  return typeof name === 'string' ? `the object "${name}"` : 'an object';
}
