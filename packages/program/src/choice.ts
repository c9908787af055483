import { ProgramError } from './errors.ts';
import { nearestName } from './nearest-name.ts';
import { describeArgument } from './option-keys.ts';

/**
 * One of a few words, or the usual one (if there is one) where none is given. Types do not hold in plain JavaScript, and modules are not
 * checked when they are loaded. Throws ProgramError with the nearest word.
 */
export function oneOf<T extends string>(
  given: T | undefined,
  known: readonly T[],
  usual: T | undefined,
  field: string,
): T {
  const value = given ?? usual;
  if (value !== undefined && known.includes(value)) return value;
  const nearest = typeof given === 'string' ? nearestName(given, known) : undefined;
  throw new ProgramError(`${field} must be one of ${known.join(', ')}, got ${describeArgument(given)}`, {
    path: [field],
    offending: String(given),
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** True or false, or the usual one where nothing is given. Throws ProgramError for anything else. */
export function trueOrFalse(given: boolean | undefined, usual: boolean, field: string): boolean {
  if (given === undefined) return usual;
  if (typeof given === 'boolean') return given;
  throw new ProgramError(`${field} must be true or false, got ${describeArgument(given)}`, { path: [field] });
}
