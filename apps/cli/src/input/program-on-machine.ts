import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { resolveMachine } from './machine.ts';
import { programOf, resolveInput, tracedMachine } from './resolve.ts';
import { parseSettings } from './settings.ts';
import { DEFAULT_MACHINE } from './simulated.ts';
import { onlySource } from './sources.ts';
import { type TraceCommandOptions, traceOptions } from './trace-options.ts';

/** What commands are told that look at a program rather than at a run of it. */
export interface ProgramCommandOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
}

export interface ProgramOnMachine {
  /** How messages call the input. */
  readonly name: string;
  readonly program: Program;
  readonly machine: Machine;
  /** It was made of a trace, which does not tell what kernels read and write. */
  readonly isTraced: boolean;
}

/**
 * The one program that `command` looks at, and the machine that it is meant for: the one named, else that of a trace, else
 * the default.
 *
 * @throws InputError, ProgramError or MachineError, also for a program that the machine cannot run
 */
export async function programOnMachine(
  path: string | undefined,
  command: string,
  options: ProgramCommandOptions,
): Promise<ProgramOnMachine> {
  const machine = await resolveMachine(options.machine ?? DEFAULT_MACHINE);
  const { checkProgram } = await import('@griddep/simulator');
  const input = await resolveInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    check: (program: Program) => checkProgram(program, machine),
    machine: options.machine === undefined ? undefined : machine,
    traces: traceOptions(options),
  });
  const isTraced = input.kind === 'program' && input.traced !== undefined;
  return { name: input.name, program: programOf(input, command), machine: tracedMachine(input) ?? machine, isTraced };
}
