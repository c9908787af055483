import { existsSync } from 'node:fs';
import { type Machine, MachineError, machineByName } from '@griddep/machine';
import { InputError } from './input-error.ts';
import { readBytes } from './read-bytes.ts';

/**
 * A machine of the catalogue by name (`h200`, `h200x8`), or of a file.
 *
 * @throws MachineError or InputError
 */
export async function resolveMachine(nameOrFile: string): Promise<Machine> {
  const isFile = /\.(json|ya?ml)$/i.test(nameOrFile) || /[\\/]/.test(nameOrFile);
  if (!isFile) {
    try {
      return machineByName(nameOrFile);
    } catch (error) {
      if (!(error instanceof MachineError) || !existsSync(nameOrFile)) throw error;
    }
  }
  const bytes = await readBytes(nameOrFile);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${nameOrFile}: the file is not UTF-8 text`);
  }
  if (text.trim() === '') throw new InputError(`${nameOrFile}:1:1: the file is empty`);
  if (text.includes('\0')) throw new InputError(`${nameOrFile}: the file is binary, not text`);
  const { readMachine } = await import('@griddep/machine/file');
  return readMachine(text, nameOrFile);
}
