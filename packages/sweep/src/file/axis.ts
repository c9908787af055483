import { DEVICE_TIMING, HOST_TIMING, machineByName, nearestName } from '@griddep/machine';
import { type Path, ProgramError, parseBytes, parseDuration, type Value } from '@griddep/program';
import { generator, uniform } from '../random.ts';
import { type AxisDocument, MOST_POINTS } from './schema.ts';
import { readTarget, type Target } from './target.ts';

/** One thing that a sweep varies. */
export interface Axis {
  readonly name: string;
  readonly target: Target;
  /** Values of a number of a machine are factors of the machine's own. */
  readonly relative: boolean;
  /** How many values it has; undefined for a range without steps, which only random sampling takes. */
  readonly size: number | undefined;
  /** The value at a position from 0 to just below 1 along the axis. */
  at(position: number): Value;
}

type Range = Exclude<AxisDocument, readonly unknown[]>;

/**
 * Reads an axis of a sweep file.
 *
 * @throws ProgramError with the path within the axis
 */
export function readAxis(name: string, document: AxisDocument): Axis {
  if (Array.isArray(document)) return listAxis(name, readTarget(undefined, name), document, false, []);
  const range = document as Range;
  const target = readTarget(range.varies, name);
  const { relative = false, values } = range;
  if (relative && !['constant', 'limit', 'link'].includes(target.kind))
    throw new ProgramError('only numbers of a machine are relative', { path: ['relative'], atKey: true });
  if (values !== undefined) {
    const other = (['from', 'to', 'step', 'count', 'scale', 'random'] as const).find((key) => range[key] !== undefined);
    if (other !== undefined)
      throw new ProgramError(`give values or ${other}, not both`, { path: [other], atKey: true });
    return listAxis(name, target, values, relative, ['values']);
  }
  return rangeAxis(name, target, range, relative);
}

function listAxis(name: string, target: Target, values: readonly Value[], relative: boolean, path: Path): Axis {
  for (const [i, value] of values.entries()) checkValue(target, value, [...path, i]);
  return {
    name,
    target,
    relative,
    size: values.length,
    at: (position) => values[Math.min(values.length - 1, Math.floor(position * values.length))] as Value,
  };
}

function rangeAxis(name: string, target: Target, range: Range, relative: boolean): Axis {
  const [from, to] = [bound(range, 'from', target), bound(range, 'to', target)];
  const log = range.scale === 'log';
  if (to < from)
    throw new ProgramError(`from ${range.from} to ${range.to}: the end is before the start`, { path: ['to'] });
  if (log && from <= 0) throw new ProgramError('a log range begins above 0', { path: ['from'] });
  const { step, count, random, seed } = range;
  if ([step, count, random].filter((each) => each !== undefined).length > 1)
    throw new ProgramError('give one of step, count and random', {
      path: [step === undefined ? 'random' : 'step'],
      atKey: true,
    });
  const whole =
    range.whole ?? (!relative && Number.isInteger(from) && Number.isInteger(to) && target.kind !== 'constant');
  // With the end included, a whole range has one more value than its length.
  const along = (share: number): number => {
    const value = log ? from * (to / from) ** share : from + share * (to - from);
    return whole ? Math.round(value) : value;
  };
  if (step !== undefined) {
    const width = quantity(step, 'step', target);
    if (!(width > 0)) throw new ProgramError('a step is above 0', { path: ['step'] });
    if (log) throw new ProgramError('a log range has a count, not a step', { path: ['step'], atKey: true });
    const steps = Math.floor((to - from) / width + 1e-9) + 1;
    if (steps > MOST_POINTS)
      throw new ProgramError(`${steps} values, at most ${MOST_POINTS} are possible`, { path: ['step'] });
    return listAxis(
      name,
      target,
      Array.from({ length: steps }, (_, i) => from + i * width),
      relative,
      [],
    );
  }
  if (count !== undefined) {
    const values = Array.from({ length: count }, (_, i) => along(count === 1 ? 0 : i / (count - 1)));
    return listAxis(name, target, [...new Set(values)], relative, []);
  }
  if (random !== undefined) {
    const draw = generator(seed ?? 0, name);
    const values = Array.from({ length: random }, () => along(uniform(draw)));
    return listAxis(name, target, [...new Set(values)], relative, []);
  }
  return { name, target, relative, size: undefined, at: along };
}

function bound(range: Range, key: 'from' | 'to', target: Target): number {
  const value = range[key];
  if (value === undefined) throw new ProgramError(`an axis needs values, or from and to; "${key}" is missing`);
  return quantity(value, key, target);
}

/** A number in the target's unit, or a size in bytes or a duration with its unit. */
function quantity(value: number | string, key: string, target: Target): number {
  if (typeof value === 'number') return value;
  if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  try {
    return /B\s*$/.test(value) ? parseBytes(value, 0) : parseDuration(value) / durationUnit(target);
  } catch (error) {
    throw error instanceof ProgramError ? error.within([key]) : error;
  }
}

function checkValue(target: Target, value: Value, path: Path): void {
  const wrong = (problem: string, nearest?: string) =>
    new ProgramError(`${problem}, got ${JSON.stringify(value)}`, {
      path,
      offending: String(value),
      ...(nearest === undefined ? {} : { nearest }),
    });
  switch (target.kind) {
    case 'constant':
    case 'limit':
    case 'link':
      if (typeof value !== 'number' || value < 0) throw wrong(`expected a number from 0 on for ${target.name}`);
      return;
    case 'workers': {
      const words = ['sequential', 'auto', 'per-device'];
      if (typeof value === 'number' ? Number.isInteger(value) && value > 0 : words.includes(String(value))) return;
      throw wrong(`expected a number of threads or one of ${words.join(', ')}`, nearestName(String(value), words));
    }
    case 'machine':
      if (/[./\\]/.test(String(value))) throw wrong('an axis takes machines of the catalogue only');
      try {
        machineByName(String(value));
      } catch (error) {
        throw wrong(`unknown machine`, (error as { nearest?: string }).nearest);
      }
      return;
    default:
  }
}

/** Picoseconds of the unit that a target counts durations in: constants have their own, parameters take ps. */
function durationUnit(target: Target): number {
  if (target.kind === 'change') return 1e6;
  if (target.kind !== 'constant') return 1;
  const { unit } = { ...DEVICE_TIMING, ...HOST_TIMING }[target.name as keyof typeof DEVICE_TIMING];
  return unit === 'ns' ? 1e3 : unit === 'us' ? 1e6 : 1;
}
