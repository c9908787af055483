import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { deadlockFindings } from './deadlocks/deadlocks.ts';
import { errorFindings } from './errors.ts';
import type { Assume, CheckResult, Finding } from './finding.ts';
import { lintFindings } from './lint/lint.ts';
import { Places } from './places.ts';
import { Recorder } from './program/recorder.ts';
import { raceFinding } from './races/explain.ts';
import { findRaces } from './races/find-races.ts';
import { undeclared } from './undeclared.ts';

export interface CheckOptions {
  /** `contract` if left out. */
  readonly assume?: Assume;
}

/**
 * What is unsafe in a program, by the order that it guarantees (docs/RULES.md section 2), not by what a run of it would
 * do. Memory grows linearly with the program's operations.
 *
 * @param machine what the program runs on: which devices can launch early, and what fits on them
 * @throws Error if a call uses a name that the program does not declare
 */
export function checkHazards(program: Program, machine: Machine, options: CheckOptions = {}): CheckResult {
  const { assume = 'contract' } = options;
  const recorded = new Recorder(program, machine).record();
  const places = new Places(program);
  const { races: found, execution } = findRaces(recorded, places, assume === 'strict' ? 'strict' : 'contract');
  const races = found.filter(({ isHidden }) => assume !== 'hardware' || !isHidden);
  const findings: Finding[] = [
    ...errorFindings(recorded, places),
    ...deadlockFindings(recorded, execution, places),
    ...races.map((race) => raceFinding(race, recorded, places)),
    ...undeclared(recorded, places),
    ...lintFindings(recorded, places),
  ];
  const isUnsafe = findings.some(({ verdict }) => verdict !== 'lint' && verdict !== 'unknown');
  const isUnknown = findings.some(({ verdict }) => verdict === 'unknown');
  const verdict = isUnsafe ? 'unsafe' : isUnknown ? 'unknown' : 'safe';
  const operations = recorded.nodes.filter(({ kind }) => kind !== 'host' && kind !== 'join').length;
  return { program: program.name, assume, verdict, findings, operations };
}
