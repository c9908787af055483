import { ProgramError } from './errors.ts';
import { describeArgument } from './option-keys.ts';
import { type Bytes, MICROSECOND, MILLISECOND, NANOSECOND, type Picoseconds, SECOND } from './units.ts';

/** A duration: a number of picoseconds, or text with a unit: `500ns`, `1.5 us`. */
export type DurationInput = number | string;
/** A size: a number of bytes, or text with a unit: `64KiB` (1024), `1.5 MB` (1000). */
export type BytesInput = number | string;

const DURATION_UNITS: ReadonlyMap<string, number> = new Map([
  ['ps', 1],
  ['ns', NANOSECOND],
  ['us', MICROSECOND],
  ['µs', MICROSECOND],
  ['μs', MICROSECOND],
  ['ms', MILLISECOND],
  ['s', SECOND],
]);
const BYTE_UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['KB', 1e3],
  ['kB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
  ['TiB', 1024 ** 4],
]);
/** Far beyond any program, and a sum of a few still is an exact number. */
const MOST = {
  duration: { most: 3600 * SECOND, shown: '1 hour' },
  size: { most: 2 ** 50, shown: '1024 TiB' },
} as const;
const QUANTITY = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-zµμ]*)\s*$/;

/** Reads a duration and rounds it to whole picoseconds. Throws ProgramError unless it is from zero to an hour. */
export function parseDuration(input: DurationInput): Picoseconds {
  const wanted = 'a duration such as "5us" or "500ns"';
  if (typeof input === 'string' && /\d\s*$/.test(input) && Number(input) !== 0) {
    throw new ProgramError(`${show(input)} has no unit; expected ${wanted}`, { offending: input });
  }
  return checked(Math.round(toNumber(input, DURATION_UNITS, wanted)), input, 'duration');
}

/** Reads a size. Throws ProgramError unless it is a whole number of bytes from `least` (default 1) to 2^50. */
export function parseBytes(input: BytesInput, least: 0 | 1 = 1): Bytes {
  const exact = toNumber(input, BYTE_UNITS, 'a size such as "64KiB" or "1.5 MB"');
  const bytes = Math.round(exact);
  if (Math.abs(bytes - exact) > 1e-6) {
    throw new ProgramError(`size ${show(input)} is not a whole number of bytes`, { offending: String(input) });
  }
  const size = checked(bytes, input, 'size');
  if (size < least)
    throw new ProgramError(`size ${show(input)} must be greater than zero`, { offending: String(input) });
  return size;
}

/** Picoseconds or bytes of a text with a unit; undefined when the text is no such quantity. */
export function quantityValue(text: string): number | undefined {
  const match = QUANTITY.exec(text);
  const unit = match?.[2] ?? '';
  const factor = unit === '' ? 1 : (DURATION_UNITS.get(unit) ?? BYTE_UNITS.get(unit));
  return match === null || factor === undefined ? undefined : Number(match[1]) * factor;
}

/** The shortest exact text of a duration: `5us`, `1234ps`. */
export function formatDuration(duration: Picoseconds): string {
  for (const unit of ['s', 'ms', 'us', 'ns']) {
    const factor = DURATION_UNITS.get(unit) as number;
    if (duration !== 0 && duration % factor === 0) return `${duration / factor}${unit}`;
  }
  return `${duration}ps`;
}

/** A size as text where it is a whole number of KiB, MiB or GiB, else as a number. */
export function formatBytes(bytes: Bytes): string | number {
  for (const unit of ['GiB', 'MiB', 'KiB']) {
    const factor = BYTE_UNITS.get(unit) as number;
    if (bytes !== 0 && bytes % factor === 0) return `${bytes / factor}${unit}`;
  }
  return bytes;
}

function toNumber(input: number | string, units: ReadonlyMap<string, number>, wanted: string): number {
  if (typeof input === 'number') return input;
  const match = typeof input === 'string' ? QUANTITY.exec(input) : null;
  if (match === null) throw new ProgramError(`expected ${wanted}, got ${show(input)}`, { offending: String(input) });
  const unit = match[2] as string;
  if (unit === '') return Number(match[1]);
  const factor = units.get(unit);
  if (factor === undefined) {
    throw new ProgramError(
      `unknown unit "${unit}" in ${show(input)}; expected ${wanted} (units: ${[...units.keys()].join(' ')})`,
      {
        offending: input,
      },
    );
  }
  return Number(match[1]) * factor;
}

function checked(value: number, input: number | string, what: keyof typeof MOST): number {
  if (!Number.isFinite(value))
    throw new ProgramError(`${what} ${show(input)} is not finite`, { offending: String(input) });
  if (value < 0) throw new ProgramError(`${what} ${show(input)} is negative`, { offending: String(input) });
  const { most, shown } = MOST[what];
  if (value > most) {
    throw new ProgramError(`${what} ${show(input)} is too large, at most ${shown} is possible`, {
      offending: String(input),
    });
  }
  // Adding 0 turns -0 into 0.
  return value + 0;
}

function describeText(input: unknown): string {
  return typeof input === 'string' ? JSON.stringify(input) : String(input);
}

function show(input: unknown): string {
  const text = typeof input === 'object' ? describeArgument(input) : describeText(input);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
