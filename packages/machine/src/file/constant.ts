import type { Constant, Unit } from '../constant.ts';
import { constantProblem } from '../constant-problem.ts';
import type { ConstantRule } from '../timing.ts';
import type { FileConstant } from './schema.ts';

const NANOSECONDS: Readonly<Record<string, number>> = { ps: 1e-3, ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };
const BYTES_PER_SECOND: Readonly<Record<string, number>> = {
  'B/s': 1,
  'KB/s': 1e3,
  'MB/s': 1e6,
  'GB/s': 1e9,
  'TB/s': 1e12,
  'KiB/s': 1024,
  'MiB/s': 1024 ** 2,
  'GiB/s': 1024 ** 3,
  'TiB/s': 1024 ** 4,
};

/** A constant that cannot be read: the message, without a place. */
export class ConstantError extends Error {}

/**
 * A constant of a file in the unit of its name. Without a status it is an assumption of the file; nothing is kept of the
 * constant it replaces: a value without low and high has no spread, as the old one would no longer hold.
 */
export function constantFromFile(given: FileConstant, rule: Pick<ConstantRule, 'unit' | 'range'>): Constant {
  const { unit } = rule;
  const full = typeof given === 'object' ? given : { value: given };
  const from = full.unit ?? unit;
  const low = full.low === undefined ? {} : { low: amount(full.low, from, unit) };
  const high = full.high === undefined ? {} : { high: amount(full.high, from, unit) };
  const value = amount(full.value, from, unit);
  const status = full.status ?? 'assumed';
  const constant = { value, unit, status, source: full.source ?? 'set in the machine file', ...low, ...high };
  const problem = constantProblem({ ...constant, source: 'the file' }, rule);
  if (problem !== undefined) throw new ConstantError(problem);
  return constant;
}

function amount(given: number | string, from: Unit, unit: Unit): number {
  const text = typeof given === 'string' ? given.trim() : from === '1' ? `${given}` : `${given} ${from}`;
  const match = /^([+-]?[\d._]+(?:e[+-]?\d+)?)\s*(\D*\S*)$/i.exec(text);
  const number = Number((match?.[1] ?? '').replaceAll('_', ''));
  const named = match?.[2] === '' || match?.[2] === undefined ? from : match[2];
  if (match === null || Number.isNaN(number)) throw new ConstantError(`'${text}' is no number with a unit`);
  if (number < 0) throw new ConstantError(`'${text}' is negative`);
  const factor =
    unit === '1' ? (named === '1' ? 1 : undefined) : (unit === 'B/s' ? BYTES_PER_SECOND : NANOSECONDS)[named];
  if (factor === undefined) throw new ConstantError(`'${text}' is in '${named}', expected ${EXPECTED[unit]}`);
  const value = number * factor;
  return unit === 'us' ? value / 1e3 : value;
}

const EXPECTED: Readonly<Record<Unit, string>> = {
  ns: 'a time such as ns, us or ms',
  us: 'a time such as ns, us or ms',
  'B/s': 'a rate such as GB/s',
  '1': 'a number without unit',
};
