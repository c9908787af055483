import { InvalidArgumentError } from 'commander';

/** A line that long is no picture any more, and lines are kept whole. */
const MOST_COLUMNS = 10_000;
const MOST_ROUNDS = 100;

export function independentNames(text: string, before: readonly string[]): string[] {
  return [...before, ...nameList(text)];
}

export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value === 0) {
    throw new InvalidArgumentError('Expected a whole number, at least 1.');
  }
  return value;
}

export function countOrNone(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of up to 9 digits.');
  return Number(text);
}

export function stepNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected the number of a step.');
  return Number(text);
}

/** 0 is any free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('Expected a port, 0 to 65535.');
  return value;
}

export function pairOfIds(text: string): string[] {
  const ids = nameList(text);
  if (ids.length !== 2) throw new InvalidArgumentError('Expected two ids with a comma between them.');
  return ids;
}

export function columns(text: string): number {
  return atMost(MOST_COLUMNS, text);
}

export function roundCount(text: string): number {
  return atMost(MOST_ROUNDS, text);
}

export function atMost(most: number, text: string): number {
  const value = wholeNumber(text);
  if (value > most) throw new InvalidArgumentError(`Expected at most ${most}.`);
  return value;
}

/** A time in us, with the unit or without. */
export function microseconds(text: string): number {
  const [, digits] = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*(?:us)?\s*$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Expected a number of us, such as 12.5.');
  return Number(digits);
}

export function nameList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names with commas between them.');
  return names;
}

/** `5%` or `0.05`. A plain 5 could mean either, so it is refused. */
export function fraction(text: string): number {
  const [, digits, sign] = /^(\d+(?:\.\d*)?|\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(digits);
  if (digits === undefined) throw new InvalidArgumentError('Expected a percentage such as 5%.');
  if (sign === '%') return value / 100;
  if (value >= 1) throw new InvalidArgumentError(`Expected a percentage: write ${text}%.`);
  return value;
}
