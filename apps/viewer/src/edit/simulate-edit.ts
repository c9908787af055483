import { machineByName } from '@griddep/machine';
import { readMachine } from '@griddep/machine/file';
import { programFromDocument, readProgram, writeProgram, writeProgramJson } from '@griddep/program';
import { checkProgram, simulate } from '@griddep/simulator';
import { columnsOf, type TimelineColumns } from '../data/columns.ts';
import { type Edit, editProgram } from './edit-program.ts';

/** A run to make again: the program as JSON text, and either a machine of the catalogue by name or one as JSON text. */
export interface EditRequest {
  readonly program: string;
  readonly machineName?: string;
  readonly machine?: string;
  readonly edit: Edit;
}

export interface EditedRun {
  readonly columns: TimelineColumns;
  readonly program: string;
}

/** A page must answer again: somewhat above what a decode step of a large model takes. */
const MOST_EVENTS = 20_000_000;

/** Simulates an edited program. Throws ProgramError, MachineError or SimulationLimit. */
export function simulateEdit({ program, machineName, machine, edit }: EditRequest): EditedRun {
  const own = readProgram(program, { file: 'program.json' });
  const edited = programFromDocument(writeProgram(editProgram(own, edit)));
  const chosen =
    machineName === undefined && machine !== undefined
      ? readMachine(machine, 'machine.json')
      : machineByName(machineName ?? 'h200');
  checkProgram(edited, chosen);
  const timeline = simulate(edited, chosen, { maxEvents: MOST_EVENTS });
  return { columns: columnsOf(timeline), program: writeProgramJson(edited) };
}
