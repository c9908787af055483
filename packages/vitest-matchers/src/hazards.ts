import { type Assume, checkHazards, type Finding } from '@griddep/insight';
import { type MachineOption, machineOf, programOf } from './received.ts';
import type { MatcherResult } from './result.ts';

export interface HazardOptions extends MachineOption {
  /** By which reading of the rules; `contract` if left out. */
  readonly assume?: Assume;
}

/** Findings that a message tells in full. */
const MOST_TOLD = 5;

/** Whether a program has no race, deadlock or CUDA error; of what is unknown, the message of a failure tells too. */
export function toBeFreeOfHazards(received: unknown, options: HazardOptions = {}): MatcherResult {
  const program = programOf(received, 'toBeFreeOfHazards');
  const { assume = 'contract' } = options;
  const { findings } = checkHazards(program, machineOf(program, options), { assume });
  const unsafe = findings.filter(({ verdict }) => verdict !== 'lint' && verdict !== 'unknown');
  const told = [...unsafe, ...findings.filter(({ verdict }) => verdict === 'unknown')].slice(0, MOST_TOLD).map(text);
  const more = unsafe.length > MOST_TOLD ? [`and ${unsafe.length - MOST_TOLD} more`] : [];
  return {
    pass: unsafe.length === 0,
    message: () =>
      unsafe.length === 0
        ? `expected "${program.name}" to have a hazard by the reading "${assume}", and it has none`
        : [`expected "${program.name}" to be free of hazards by the reading "${assume}":`, ...told, ...more].join(
            '\n\n',
          ),
  };
}

function text({ verdict, kind, text: what, missingEdge, change }: Finding): string {
  const missing = missingEdge === undefined ? [] : [`  missing: ${missingEdge.text}`];
  return [`${verdict} (${kind}): ${what}`, ...missing, ...(change === undefined ? [] : [`  change: ${change}`])].join(
    '\n',
  );
}
