import type { Machine } from '@griddep/machine';
import { warn } from '../output/stdout.ts';
import { InputError } from './input-error.ts';
import { resolveMachine } from './machine.ts';
import { readBytes, shown } from './read-bytes.ts';

/** How a command names what it simulates cases on. */
export interface MachineOptions {
  readonly machine: string;
  readonly profile?: string;
  readonly otherDevice?: boolean;
}

/**
 * The machine of a command, with the constants of its profile, if it has one, in place of the machine's own.
 *
 * @throws InputError, also for a profile of another device, unless that is meant
 */
export async function machineOf({ machine: name, profile, otherDevice = false }: MachineOptions): Promise<Machine> {
  const machine = await resolveMachine(name);
  return profile === undefined ? machine : machineWithProfile(machine, profile, otherDevice);
}

async function machineWithProfile(machine: Machine, path: string, otherDevice: boolean): Promise<Machine> {
  const text = new TextDecoder().decode(await readBytes(path));
  const { CaseFileError, profileProblem, readProfile, withProfile } = await import('@griddep/hardware');
  try {
    const profile = readProfile(text, shown(path));
    const problem = profileProblem(machine, profile);
    if (problem !== undefined) {
      if (!otherDevice) throw new InputError(`${shown(path)}: ${problem}; --other-device takes it all the same`);
      warn(`warning: ${shown(path)}: ${problem}`);
    }
    return withProfile(machine, profile, { otherDevice });
  } catch (error) {
    throw error instanceof CaseFileError ? new InputError(error.message) : error;
  }
}
