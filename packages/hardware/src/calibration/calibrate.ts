import type { Constant, DeviceTiming, Machine } from '@griddep/machine';
import type { PreparedCase } from '../case-group.ts';
import { changedMachine } from '../machine-change.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';
import type { Area, Searched } from './isolation.ts';
import { minimum, rangeBelow } from './minimum.ts';
import { hardwareSpread, objective } from './objective.ts';
import { readOff } from './read-off.ts';

/** What was found for a constant. */
export interface FittedConstant {
  readonly constant: string;
  readonly value: number;
  /** Within these the objective stays within a tenth of its least value, or within the hardware's own spread. */
  readonly low: number;
  readonly high: number;
  /** Mean error of its cases that is left, in shares of the makespan (of the value, for calls of the host). */
  readonly residual: number;
  readonly cases: number;
  /** The pattern of their names. */
  readonly pattern: string;
  /** False where the cases allow everything between the bounds of the search. */
  readonly decided: boolean;
}

/** A constant that stays as the base profile has it, and why. */
export interface KeptConstant {
  readonly constant: string;
  readonly value: number;
  readonly reason: string;
}

export interface Calibration {
  readonly machine: Machine;
  readonly fitted: readonly FittedConstant[];
  readonly kept: readonly KeptConstant[];
  /** Cases that may be fitted to. */
  readonly cases: number;
}

export interface CalibrateOptions {
  /** Only these constants; all that cases isolate if left out. */
  readonly only?: readonly string[];
  /** Times that all constants are gone through; 2 if left out. */
  readonly rounds?: number;
  readonly areas?: readonly Area[];
  readonly onProgress?: (done: number, total: number, constant: string) => void;
}

/** Objectives nearer to the least than this share of it count as equal: the value that moves a constant least is taken. */
const EQUAL = 0.02;
/** An interval that much narrower than the constant's value ends a search. */
const PRECISION = 0.002;
const OUTSIDE_FIT = 'no case of the fit part isolates it';

/**
 * Finds the constants of a device (the first of the machine; all of them are changed alike) and its host with which the
 * simulation of measured cases is least off, one constant after another, in rounds. Cases held out and cases for judging
 * never take part. Deterministic.
 */
export function calibrate(
  cases: readonly PreparedCase[],
  base: Machine,
  { only, rounds = 2, areas = AREAS, onProgress }: CalibrateOptions = {},
): Calibration {
  const fit = cases.filter(({ measured }) => partOf(measured.name) === 'fit');
  const wanted = (constant: string) => only === undefined || only.includes(constant);
  const fitted = new Map<string, FittedConstant>();
  let machine = base;

  for (const each of areas.flatMap((area) => area.readOff ?? [])) {
    const found = wanted(each.constant) ? readOff(each, fit) : undefined;
    if (found === undefined) continue;
    fitted.set(each.constant, { constant: each.constant, pattern: each.cases.source, decided: true, ...found });
    machine = changedMachine(machine, { host: { [each.constant]: found.value } });
  }

  const searched = areas.flatMap((area) => area.searched).filter(({ constant }) => wanted(constant));
  const schedule = Array.from({ length: rounds }, () => turns(searched)).flat();
  for (const [i, each] of schedule.entries()) {
    onProgress?.(i, schedule.length, each.constant);
    const own = fit.filter(({ measured }) => each.cases.test(measured.name));
    if (own.length === 0) continue;
    const found = search(each, own, machine, timingOf(base));
    fitted.set(each.constant, found);
    machine = changedMachine(machine, { device: { [each.constant]: found.value } });
  }
  const isolated = new Set<string>(
    areas.flatMap((area) => [...area.searched, ...(area.readOff ?? [])]).map((s) => s.constant),
  );
  return {
    machine,
    fitted: [...fitted.values()],
    kept: keptConstants(base, fitted, isolated).filter(({ constant }) => wanted(constant)),
    cases: fit.length,
  };
}

/** The order of one round: a constant that is found together with others is gone back to after the last of them. */
function turns(searched: readonly Searched[]): Searched[] {
  const order: Searched[] = [];
  for (const each of searched) {
    order.push(each);
    for (const leader of searched) {
      const group = [leader.constant, ...(leader.together ?? [])];
      const last = searched.filter(({ constant }) => group.includes(constant)).at(-1);
      if (leader.together !== undefined && last === each) {
        order.push(...searched.filter(({ constant }) => group.includes(constant)));
      }
    }
  }
  return order;
}

function search(each: Searched, cases: readonly PreparedCase[], machine: Machine, base: DeviceTiming): FittedConstant {
  const { constant, figure = 'placement' } = each;
  const before = timingOf(machine)[constant];
  const [low, high] = boundsOf(each, base[constant]);
  const off = (value: number) => objective(cases, figure, changedMachine(machine, { device: { [constant]: value } }));
  const found = minimum(
    off,
    low,
    high,
    before.value,
    Math.max(PRECISION * Math.abs(before.value), (high - low) / 4096),
  );
  const level = found.value + Math.max(found.value / 10, hardwareSpread(cases));
  const [least, most] = rangeBelow(found, level);
  const [from, to] = rangeBelow(found, found.value * (1 + EQUAL));
  return {
    constant,
    value: rounded(Math.min(to, Math.max(from, before.value))),
    low: rounded(least),
    high: rounded(most),
    residual: found.value,
    cases: cases.length,
    pattern: each.cases.source,
    decided: least > low || most < high,
  };
}

/**
 * Where to look: half as far again as the spread that the base profile gives, and no less than a quarter of the value to
 * either side. Of the base, not of what was found: where two constants can stand for each other they would wander.
 */
function boundsOf({ bounds }: Searched, { value, low = value, high = value }: Constant): readonly [number, number] {
  if (bounds !== undefined) return bounds;
  const reach = Math.max(1.5 * (value - low), 1.5 * (high - value), value / 4);
  return [Math.max(0, value - reach), value + reach];
}

function timingOf({ devices }: Machine): DeviceTiming {
  const [device] = devices;
  if (device === undefined) throw new RangeError('a machine without devices has no constants to fit');
  return device.timing;
}

/** Four digits: more are noise, and would differ for no reason. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function keptConstants(
  base: Machine,
  fitted: ReadonlyMap<string, unknown>,
  isolated: ReadonlySet<string>,
): KeptConstant[] {
  return Object.entries({ ...timingOf(base), ...base.host.timing })
    .filter(([constant]) => !fitted.has(constant))
    .map(([constant, { value, source }]) => ({
      constant,
      value,
      reason: isolated.has(constant) ? `${OUTSIDE_FIT}; ${source}` : source,
    }));
}
