/** Something that a prediction takes for granted, as a number with the range that it may have. */
export interface Assumption {
  readonly what: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly unit: 'us' | 'share' | 'times';
  /** Why this value. */
  readonly source: string;
}

/** Which end of their ranges assumptions are taken at: `quick` is that which shortens the run. */
export type Setting = 'usual' | 'quick' | 'slow';

export function settingOf({ value, low, high }: Assumption, setting: Setting): number {
  return setting === 'usual' ? value : setting === 'quick' ? low : high;
}
