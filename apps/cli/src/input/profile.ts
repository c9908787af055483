import type { Machine } from '@griddep/machine';
import { InputError } from './input-error.ts';
import { readBytes, shown } from './read-bytes.ts';

/** The machine with the constants of a profile file in place of its own. Throws InputError. */
export async function machineWithProfile(machine: Machine, path: string): Promise<Machine> {
  const text = new TextDecoder().decode(await readBytes(path));
  const { CaseFileError, readProfile, withProfile } = await import('@griddep/hardware');
  try {
    return withProfile(machine, readProfile(text, shown(path)));
  } catch (error) {
    throw error instanceof CaseFileError ? new InputError(error.message) : error;
  }
}
