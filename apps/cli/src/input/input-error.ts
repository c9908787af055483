import { getSystemErrorMap } from 'node:util';

/** Something the user gave that cannot be used. The message is complete: place, problem, nearest valid name. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** An error of the operating system in words, with the path it is about: `a.json: no such file or directory`. */
export function fileError(path: string, error: unknown, context = ''): InputError {
  const { errno, message } = error as NodeJS.ErrnoException;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return new InputError(`${path}: ${context}${known ?? message}`);
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number';
}
