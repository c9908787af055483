import type { Place } from '../finding.ts';

/** Something that is legal and rarely meant. */
export interface Lint {
  readonly kind: string;
  readonly rules: readonly string[];
  readonly places: readonly Place[];
  readonly text: string;
  readonly change: string;
}
