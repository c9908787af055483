import {
  type Constant,
  type ConstantRule,
  constantProblem,
  DEVICE_TIMING,
  type DeviceTimingName,
  HOST_TIMING,
  type HostTimingName,
  type Machine,
  nearestName,
} from '@griddep/machine';
import * as z from 'zod';
import { changedDevices } from './machine-change.ts';
import { CaseFileError, parseJson } from './parse-json.ts';

export const PROFILE_SCHEMA = 'griddep/profile@1';

const constant = z.looseObject({
  value: z.number().nonnegative(),
  unit: z.enum(['ns', 'us', 'B/s', '1']),
  status: z.enum(['measured', 'documented', 'assumed']),
  source: z.string(),
  low: z.number().optional(),
  high: z.number().optional(),
});
const profile = z.looseObject({
  schema: z.literal(PROFILE_SCHEMA),
  device: z.string(),
  machine: z.string().optional(),
  constants: z.record(z.string(), constant),
});

/** Constants of a device and its host, by name, as calibration finds them. */
export interface Profile {
  readonly schema: typeof PROFILE_SCHEMA;
  /** The device it was fitted to, and whose profile it began with. */
  readonly device: string;
  /** The machine that it began with: one of a file has a name of its own. */
  readonly machine?: string;
  readonly constants: Readonly<Record<string, Constant>>;
}

/**
 * Reads a profile.
 *
 * @throws CaseFileError, also for a constant that no machine has, and for keys that stand twice
 */
export function readProfile(text: string, file: string): Profile {
  const { schema, device, machine, constants } = parseJson(text, file, profile, { strict: true });
  const rules: Readonly<Record<string, ConstantRule>> = { ...DEVICE_TIMING, ...HOST_TIMING };
  const known = Object.keys(rules);
  for (const [name, given] of Object.entries(constants)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule !== undefined) {
      const problem = constantProblem({ ...(given as Constant), source: given.source || file }, rule);
      if (problem !== undefined) throw new CaseFileError(file, `constants.${name}: ${problem}`);
      continue;
    }
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
    throw new CaseFileError(file, `constants.${name}: no such constant${hint}`);
  }
  const from = machine === undefined ? {} : { machine };
  return { schema, device, ...from, constants: constants as Record<string, Constant> };
}

export interface WithProfileOptions {
  /** Takes a profile of another device too. */
  readonly otherDevice?: boolean;
}

/** Why a profile is not for a machine; undefined if it is. */
export function profileProblem({ devices }: Machine, { device }: Profile): string | undefined {
  const other = devices.find(({ name }) => name !== device);
  return other === undefined ? undefined : `was fitted to ${device}, the machine has ${other.name}`;
}

/**
 * The machine with the constants of a profile in place of its own, on all devices; those the profile lacks stay.
 *
 * @throws RangeError for a profile of another device
 */
export function withProfile(
  machine: Machine,
  profile: Profile,
  { otherDevice = false }: WithProfileOptions = {},
): Machine {
  const problem = otherDevice ? undefined : profileProblem(machine, profile);
  if (problem !== undefined) throw new RangeError(`the profile ${problem}`);
  const { constants } = profile;
  const device = pick<DeviceTimingName>(constants, DEVICE_TIMING);
  const host = pick<HostTimingName>(constants, HOST_TIMING);
  return {
    ...machine,
    devices: changedDevices(machine, (each) => ({ ...each, timing: { ...each.timing, ...device } })),
    host: { ...machine.host, timing: { ...machine.host.timing, ...host } },
  };
}

function pick<N extends string>(
  constants: Readonly<Record<string, Constant>>,
  names: Readonly<Record<N, unknown>>,
): Partial<Record<N, Constant>> {
  const own = Object.entries(constants).filter(([name]) => Object.hasOwn(names, name));
  return Object.fromEntries(own) as Partial<Record<N, Constant>>;
}
