import type { ViewRun } from '@griddep/viewer';
import type { TimelineInput } from '../input/simulated.ts';
import { findingsOf } from './findings.ts';

/** A run as the page takes it: with its program, so that it can be changed there. */
export async function viewRun(input: TimelineInput): Promise<ViewRun> {
  const { timeline, from, machine, program } = input;
  const { columnsOf } = await import('@griddep/viewer');
  const { writeProgramJson } = await import('@griddep/program');
  const { writeMachine } = await import('@griddep/machine/file');
  return {
    title: from,
    columns: columnsOf(timeline),
    findings: await findingsOf(input),
    ...(program === undefined ? {} : { program: writeProgramJson(program) }),
    ...(machine === undefined ? {} : { machine: writeMachine(machine, 'json') }),
  };
}
