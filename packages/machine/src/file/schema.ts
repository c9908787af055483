import { z } from 'zod';
import { type DeviceLimits, MACHINE_SCHEMA, MOST_DEVICES } from '../machine.ts';
import { DEVICE_TIMING, type DeviceTimingName, HOST_TIMING, type HostTimingName } from '../timing.ts';

const amount = z.union([z.number(), z.string()], {
  error: "expected a number or a text with a unit, such as '1.3 us'",
});

const fullConstant = z.strictObject({
  value: amount,
  unit: z.enum(['ns', 'us', 'B/s', '1']).optional(),
  status: z.enum(['measured', 'documented', 'assumed']).optional(),
  source: z.string().optional(),
  low: amount.optional(),
  high: amount.optional(),
});

/** A constant in a file: a number in the unit of its name, a text with a unit, or a map with its origin. */
const fileConstant = z.union([z.number(), z.string(), fullConstant]);
export type FileConstant = z.infer<typeof fileConstant>;

function constants<N extends string>(names: Readonly<Record<N, { readonly unit: string; readonly meaning: string }>>) {
  const entries = (Object.keys(names) as N[]).map((name) => {
    const { unit, meaning } = names[name];
    return [name, fileConstant.optional().describe(unit === '1' ? meaning : `${meaning} (${unit})`)];
  });
  return z.strictObject(Object.fromEntries(entries) as Record<N, z.ZodOptional<typeof fileConstant>>);
}

const deviceTiming = constants<DeviceTimingName>(DEVICE_TIMING);
const hostTiming = constants<HostTimingName>(HOST_TIMING);

const count = z.int().positive();
const whole = z.int().nonnegative();
const extent = z.tuple([count, count, count]);
const limits = z.strictObject({
  sms: count.max(65_535),
  warpsPerSm: count,
  threadsPerSm: count,
  blocksPerSm: count,
  threadsPerBlock: count,
  registersPerSm: count,
  registersPerThread: count,
  sharedMemoryPerSm: count,
  sharedMemoryPerBlockOptIn: count,
  sharedMemoryReservedPerBlock: whole,
  staticSharedMemory: count,
  carveOuts: z.array(whole).nonempty(),
  residentGrids: count,
  maxClusterSize: count,
  maxClusterSizeOptIn: count,
  hardwareQueues: count,
  memoryBytes: count,
  l2Bytes: count,
  copyEnginesUp: count,
  copyEnginesDown: whole,
  copyEnginesPeer: count,
  maxGrid: extent,
  maxBlock: extent,
  priorityLowest: z.int(),
  priorityHighest: z.int(),
} satisfies Record<keyof DeviceLimits, z.ZodType>);
export const LIMIT_NAMES = Object.keys(limits.shape) as readonly (keyof DeviceLimits)[];

const overrides = {
  name: z.string().min(1).optional(),
  computeCapability: z.tuple([count, whole]).optional(),
  limits: limits.partial().optional(),
  limitsSource: z.string().optional(),
  timing: deviceTiming.optional(),
};
const deviceOverrides = z.strictObject(overrides);
const device = z.strictObject({ base: z.string().optional(), count: count.max(MOST_DEVICES).optional(), ...overrides });
export type FileDevice = z.infer<typeof device>;

const host = z.strictObject({
  cudaVersion: count.optional(),
  maxConnections: z.int().min(1).max(32).optional(),
  perThreadDefaultStream: z.boolean().optional(),
  queueDepth: count.optional(),
  implicitSynchronization: z.enum(['observed', 'listed']).optional(),
  timing: hostTiming.optional(),
});
export type FileHost = z.infer<typeof host>;

const link = { bandwidth: fileConstant, latency: fileConstant };
const peerAccess = z
  .boolean()
  .optional()
  .describe("whether devices that no NVLink joins can touch each other's memory; true if absent");
const pcie = z.strictObject({ kind: z.literal('pcie'), peerAccess });
const nvlinkSwitch = z.strictObject({ kind: z.literal('nvlinkSwitch'), ...link });
const nvlinkPairs = z.strictObject({
  kind: z.literal('nvlinkPairs'),
  pairs: z.array(z.tuple([whole, whole])),
  peerAccess,
  ...link,
});
const nodes = z.strictObject({
  kind: z.literal('nodes'),
  devicesPerNode: count,
  within: z.discriminatedUnion('kind', [pcie, nvlinkSwitch, nvlinkPairs]),
  ...link,
});
const topology = z.discriminatedUnion('kind', [pcie, nvlinkSwitch, nvlinkPairs, nodes]);
export type FileTopology = z.infer<typeof topology>;

/** A machine file: what it adds to its `base`, or everything. */
export const machineFile = z.strictObject({
  schema: z.literal(MACHINE_SCHEMA).optional(),
  name: z.string().min(1).optional(),
  base: z.string().optional().describe('a machine of the catalogue, such as h200 or h200x8'),
  device: deviceOverrides.optional().describe('changes to every device'),
  devices: z.array(device).nonempty().optional().describe('the devices, in place of those of the base'),
  topology: topology.optional(),
  host: host.optional(),
});
export type MachineFile = z.infer<typeof machineFile>;

/** The schema of a machine file as JSON Schema 2020-12. */
export function machineJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(machineFile) as Record<string, unknown>;
}

type Path = readonly PropertyKey[];

/** Names that may stand in the map at a path of a machine file. */
export function namesAt(path: Path): readonly string[] {
  const last = path.at(-1);
  const shape = ((): object => {
    if (last === undefined) return machineFile.shape;
    if (last === 'timing') return path[0] === 'host' ? hostTiming.shape : deviceTiming.shape;
    if (last === 'limits') return limits.shape;
    if (last === 'device') return deviceOverrides.shape;
    if (last === 'host') return host.shape;
    if (path[0] === 'devices' && path.length === 2) return device.shape;
    if (last === 'topology' || last === 'within') return { ...nodes.shape, ...nvlinkPairs.shape };
    return fullConstant.shape;
  })();
  return Object.keys(shape);
}
