import { MAIN_SOURCE } from './main-source.ts';
import { REPEAT_SOURCE } from './repeat-source.ts';
import { SET_UP_SOURCE } from './set-up-source.ts';
import { TAKE_DOWN_SOURCE } from './take-down-source.ts';
import { WRITE_CASES_SOURCE } from './write-cases-source.ts';

/** How an exported program is repeated, what is taken down of each repetition, and how the file of cases is written. */
export const MEASURE_SOURCE = [SET_UP_SOURCE, TAKE_DOWN_SOURCE, REPEAT_SOURCE, WRITE_CASES_SOURCE, MAIN_SOURCE]
  .map((source) => source.trim())
  .join('\n\n');
