import {
  type Constant,
  type ConstantRange,
  type ConstantRule,
  constantProblem,
  DEVICE_TIMING,
  type DeviceTiming,
  HOST_TIMING,
  type Machine,
} from '@griddep/machine';
import type { PreparedCase } from '../case-group.ts';
import { changedMachine } from '../machine-change.ts';
import type { RefusedCase } from '../simulate-case.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';
import type { Area, Figure, Searched } from './isolation.ts';
import { minimum, rangeBelow } from './minimum.ts';
import { hardwareSpread, incomparable, objective } from './objective.ts';
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
  /** Those of them that no search could compare with, each once. */
  readonly leftOut: readonly RefusedCase[];
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
  const found = new Findings(base);
  const leftOut = new Map<PreparedCase, RefusedCase>();
  let machine = base;

  for (const each of areas.flatMap((area) => area.readOff ?? [])) {
    const read = wanted(each.constant) ? readOff(each, fit) : undefined;
    if (read === undefined) continue;
    const isTaken = found.take({ constant: each.constant, pattern: each.cases.source, decided: true, ...read });
    if (isTaken) machine = changedMachine(machine, { host: { [each.constant]: read.value } });
  }

  const searched = areas.flatMap((area) => area.searched).filter(({ constant }) => wanted(constant));
  const comparable = comparableCases(fit, base, leftOut);
  const schedule = Array.from({ length: rounds }, () => turns(searched)).flat();
  for (const [i, each] of schedule.entries()) {
    onProgress?.(i, schedule.length, each.constant);
    const { own, reason } = comparable(each);
    const result = own.length === 0 ? reason : search(each, own, machine, timingOf(base));
    if (result === undefined) continue;
    if (typeof result === 'string') found.leave(each.constant, result);
    else if (found.take(result)) machine = changedMachine(machine, { device: { [each.constant]: result.value } });
  }
  const isolated = new Set<string>(
    areas.flatMap((area) => [...area.searched, ...(area.readOff ?? [])]).map((s) => s.constant),
  );
  return {
    machine,
    fitted: [...found.fitted.values()],
    kept: keptConstants(base, found, isolated).filter(({ constant }) => wanted(constant)),
    cases: fit.length,
    leftOut: [...leftOut.values()],
  };
}

const RULES: Readonly<Record<string, ConstantRule>> = { ...DEVICE_TIMING, ...HOST_TIMING };

/** What was found so far, and why constants that were looked for stay. */
class Findings {
  readonly fitted = new Map<string, FittedConstant>();
  readonly reasons = new Map<string, string>();
  private readonly before: Readonly<Record<string, Constant>>;

  constructor(base: Machine) {
    this.before = { ...timingOf(base), ...base.host.timing };
  }

  /** Takes what was found, unless no machine can have it. */
  take(found: FittedConstant): boolean {
    const { constant, value, low, high, cases } = found;
    const [before, rule] = [this.before[constant], RULES[constant]];
    if (before === undefined || rule === undefined) return false;
    const problem = constantProblem({ ...before, value, low, high }, rule);
    if (problem === undefined) this.fitted.set(constant, found);
    else this.leave(constant, `what ${cases} cases give ${problem}`);
    return problem === undefined;
  }

  leave(constant: string, reason: string): void {
    this.reasons.set(constant, reason);
  }
}

/** The cases that isolate a constant and can be compared; without any, why. */
function comparableCases(fit: readonly PreparedCase[], base: Machine, leftOut: Map<PreparedCase, RefusedCase>) {
  const known = new Map<Figure, Map<PreparedCase, string | undefined>>();
  const problemOf = (prepared: PreparedCase, figure: Figure): string | undefined => {
    const problems = known.get(figure) ?? new Map<PreparedCase, string | undefined>();
    known.set(figure, problems);
    if (!problems.has(prepared)) problems.set(prepared, incomparable(prepared, figure, base));
    return problems.get(prepared);
  };
  return ({ cases, figure = 'placement' }: Searched): { own: PreparedCase[]; reason?: string } => {
    const matching = fit.filter(({ measured }) => cases.test(measured.name));
    let reason: string | undefined;
    const own = matching.filter((prepared) => {
      const refused = problemOf(prepared, figure);
      if (refused === undefined) return true;
      reason ??= `none of its ${matching.length} cases can be compared: ${prepared.measured.name}: ${refused}`;
      const { name } = prepared.measured;
      leftOut.set(prepared, { name, refused, ...(prepared.file === undefined ? {} : { file: prepared.file }) });
      return false;
    });
    return reason === undefined ? { own } : { own, reason };
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

/** The value that fits cases best; a reason where they do not depend on the constant. */
function search(
  each: Searched,
  cases: readonly PreparedCase[],
  machine: Machine,
  base: DeviceTiming,
): FittedConstant | string {
  const { constant, figure = 'placement' } = each;
  const before = timingOf(machine)[constant];
  const [low, high] = boundsOf(each, base[constant], DEVICE_TIMING[constant].range);
  const off = (value: number) => objective(cases, figure, changedMachine(machine, { device: { [constant]: value } }));
  const found = minimum(
    off,
    low,
    high,
    before.value,
    Math.max(PRECISION * Math.abs(before.value), (high - low) / 4096),
  );
  if (found.points.every(([, value]) => value === found.value)) {
    return `its ${cases.length} cases are off by as much whatever it is`;
  }
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
function boundsOf(
  { bounds }: Searched,
  { value, low = value, high = value }: Constant,
  { least, most }: ConstantRange,
): readonly [number, number] {
  if (bounds !== undefined) return bounds;
  const reach = Math.max(1.5 * (value - low), 1.5 * (high - value), value / 4);
  return [Math.max(least, value - reach), Math.min(most, value + reach)];
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

function keptConstants(base: Machine, { fitted, reasons }: Findings, isolated: ReadonlySet<string>): KeptConstant[] {
  return Object.entries({ ...timingOf(base), ...base.host.timing })
    .filter(([constant]) => !fitted.has(constant))
    .map(([constant, { value, source }]) => ({
      constant,
      value,
      reason: isolated.has(constant) ? `${reasons.get(constant) ?? OUTSIDE_FIT}; ${source}` : source,
    }));
}
