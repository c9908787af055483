import type {
  Constant,
  DeviceLimits,
  DeviceProfile,
  DeviceTimingName,
  HostProfile,
  HostTimingName,
  Machine,
} from '@griddep/machine';

/** Values in the units of the constants, or the name of a constant whose value to take. */
export type Values<N extends string> = Readonly<Partial<Record<N, number | N>>>;

/** A change of a machine; every device of it is changed alike. */
export interface MachineChange {
  readonly device?: Values<DeviceTimingName>;
  readonly host?: Values<HostTimingName>;
  readonly limits?: Readonly<Partial<DeviceLimits>>;
  readonly hostSettings?: Readonly<Partial<Pick<HostProfile, 'cudaVersion' | 'maxConnections'>>>;
}

/**
 * A machine with some constants, limits and settings changed; what the constants rest on stays as it was. Names of constants
 * that the machine lacks are passed over.
 */
export function changedMachine(machine: Machine, change: MachineChange): Machine {
  const { device = {}, host = {}, limits = {}, hostSettings = {} } = change;
  return {
    ...machine,
    devices: changedDevices(machine, (each) => ({
      ...each,
      limits: { ...each.limits, ...limits },
      timing: withValues(each.timing, device),
    })),
    host: { ...machine.host, ...hostSettings, timing: withValues(machine.host.timing, host) },
  };
}

/** The devices of a machine changed: those that are one object stay one, since a machine may have thousands. */
export function changedDevices(
  { devices }: Machine,
  change: (device: DeviceProfile) => DeviceProfile,
): readonly DeviceProfile[] {
  const changed = new Map<DeviceProfile, DeviceProfile>();
  return devices.map((device) => {
    const own = changed.get(device) ?? change(device);
    changed.set(device, own);
    return own;
  });
}

function withValues<N extends string>(
  timing: Readonly<Record<N, Constant>>,
  values: Values<N>,
): Readonly<Record<N, Constant>> {
  const changed: Partial<Record<N, Constant>> = {};
  for (const [name, given] of Object.entries(values) as [N, number | N][]) {
    const constant = timing[name] as Constant | undefined;
    const value = typeof given === 'number' ? given : (timing[given] as Constant | undefined)?.value;
    if (constant !== undefined && value !== undefined) changed[name] = { ...constant, value };
  }
  return { ...timing, ...changed };
}
