import type { Constant } from '@griddep/machine';
import { PROFILE_SCHEMA, type Profile } from '../profile.ts';
import type { Calibration } from './calibrate.ts';

/** A profile with how it was found. */
export interface CalibratedProfile extends Profile {
  readonly fit: {
    /** What measured the cases. */
    readonly measuredBy: readonly string[];
    readonly cases: number;
    readonly rounds: number;
    /** Constant to what is left of the error of its cases, and how many they are. */
    readonly constants: Readonly<Record<string, { readonly residual: number; readonly cases: number }>>;
    /** Constants that stayed as they were, and why. */
    readonly kept: Readonly<Record<string, string>>;
  };
}

/** The profile that a calibration makes: all constants of the device and its host. */
export function profileOf(
  { machine, fitted, kept, cases }: Calibration,
  { rounds, measuredBy }: { readonly rounds: number; readonly measuredBy: readonly string[] },
): CalibratedProfile {
  const device = machine.devices[0] as (typeof machine.devices)[number];
  const constants: Record<string, Constant> = { ...device.timing, ...machine.host.timing };
  for (const { constant, value, low, high, pattern, cases: count, decided } of fitted) {
    const { unit } = constants[constant] as Constant;
    const open = decided ? '' : '; they leave it open within these bounds';
    const source = `fitted to ${count} cases, names matching ${pattern}${open}`;
    constants[constant] = { value, unit, status: 'measured', source, low, high };
  }
  return {
    schema: PROFILE_SCHEMA,
    device: device.name,
    machine: machine.name,
    constants,
    fit: {
      measuredBy,
      cases,
      rounds,
      constants: Object.fromEntries(
        fitted.map(({ constant, residual, cases: count }) => [constant, { residual, cases: count }]),
      ),
      kept: Object.fromEntries(kept.map(({ constant, reason }) => [constant, reason])),
    },
  };
}
