import type { SourcePlace } from './instruction.ts';

/** What can be wrong; `level` is how much it counts. Notes are shown, and make no file unclean. */
export const RULES = {
  'read-before-wait': {
    level: 'error',
    text: 'Global memory is read before griddepcontrol.wait on some path (rule 2.2).',
  },
  'write-before-wait': {
    level: 'error',
    text: 'Global memory is written before griddepcontrol.wait on some path (rule 2.6).',
  },
  'hoisted-load': {
    level: 'error',
    text: 'A load stands before griddepcontrol.wait though its source line comes after: the compiler moved it (rule 1.20).',
  },
  'role-without-wait': {
    level: 'error',
    text: 'A warp role touches global memory and neither waits nor meets at a barrier one that did (rule 1.10).',
  },
  'divergent-wait': {
    level: 'error',
    text: 'Only some lanes of a warp wait, and no barrier makes up for it before the others touch memory (rule 1.10).',
  },
  'non-coherent-load': {
    level: 'warning',
    text: 'Data that an overlapping predecessor may write is read through the non-coherent path (rule 1.20).',
  },
  'trigger-not-reached': {
    level: 'warning',
    text: 'No path leads to a griddepcontrol.launch_dependents: dependents start when blocks end (rule 1.5).',
  },
  'wait-not-reached': {
    level: 'warning',
    text: 'No path leads to a griddepcontrol.wait, so it orders nothing (rule 1.12).',
  },
  'missing-wait': {
    level: 'error',
    text: 'Code that is launched with programmatic stream serialisation has no griddepcontrol.wait (rules 1.18, 1.19).',
  },
  'store-after-trigger': {
    level: 'note',
    text: 'A store may follow the trigger: only dependents that wait see it (rules 1.6 and 2.5).',
  },
  'trigger-without-wait': {
    level: 'note',
    text: 'The kernel triggers and does not wait: safe only if launched without the attribute (rules 1.13, 1.14).',
  },
  'no-griddepcontrol': {
    level: 'note',
    text: 'The kernel has no griddepcontrol: safe only without the attribute (rule 1.14).',
  },
  'no-trigger': {
    level: 'note',
    text: 'The kernel waits and never triggers: dependents start when its blocks end (rule 1.5).',
  },
  'call-not-followed': {
    level: 'note',
    text: 'Code of a called function is not in this file, so what it touches is unknown.',
  },
} as const satisfies Record<string, { readonly level: Level; readonly text: string }>;

export type Level = 'error' | 'warning' | 'note';
export type RuleId = keyof typeof RULES;

/** Something found at a place of a PTX file. Lines and columns count from 1. */
export interface Finding {
  readonly rule: RuleId;
  readonly level: Level;
  readonly message: string;
  readonly kernel: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In the source that the PTX was compiled from, by `.loc`. */
  readonly source?: SourcePlace;
}

/** Whether a finding makes the command fail. */
export function counts({ level }: Finding): boolean {
  return level !== 'note';
}
