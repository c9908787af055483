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
  constants: z.record(z.string(), constant),
});

/** Constants of a device and its host, by name, as calibration finds them. */
export interface Profile {
  readonly schema: typeof PROFILE_SCHEMA;
  /** The device it was fitted to, and whose profile it began with. */
  readonly device: string;
  readonly constants: Readonly<Record<string, Constant>>;
}

/**
 * Reads a profile.
 *
 * @throws CaseFileError, also for a constant that no machine has
 */
export function readProfile(text: string, file: string): Profile {
  const { schema, device, constants } = parseJson(text, file, profile);
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
  return { schema, device, constants: constants as Record<string, Constant> };
}

/** The machine with the constants of a profile in place of its own, on all devices; those the profile lacks stay. */
export function withProfile(machine: Machine, { constants }: Profile): Machine {
  const device = pick<DeviceTimingName>(constants, DEVICE_TIMING);
  const host = pick<HostTimingName>(constants, HOST_TIMING);
  return {
    ...machine,
    devices: machine.devices.map((each) => ({ ...each, timing: { ...each.timing, ...device } })),
    host: { ...machine.host, timing: { ...machine.host.timing, ...host } },
  };
}

function pick<N extends string>(
  constants: Readonly<Record<string, Constant>>,
  names: Readonly<Record<N, unknown>>,
): Partial<Record<N, Constant>> {
  const own = Object.entries(constants).filter(([name]) => name in names);
  return Object.fromEntries(own) as Partial<Record<N, Constant>>;
}
