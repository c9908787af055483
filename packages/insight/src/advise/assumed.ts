import type { Constant, Machine } from '@griddep/machine';

/**
 * A machine whose assumed timing constants are at one end of the range that the assumption leaves; undefined where it has
 * none. Measured and documented ones stay as they are.
 */
export function withAssumed(machine: Machine, end: 'low' | 'high'): Machine | undefined {
  let changed = false;
  const moved = <T extends Readonly<Record<string, Constant>>>(timing: T): T => {
    const entries = Object.entries(timing).map(([name, constant]) => {
      const value = constant[end];
      if (constant.status !== 'assumed' || value === undefined || value === constant.value) return [name, constant];
      changed = true;
      return [name, { ...constant, value }];
    });
    return Object.fromEntries(entries) as T;
  };
  const devices = new Map(
    machine.devices.map((device) => [device, { ...device, timing: moved({ ...device.timing }) }]),
  );
  const result = {
    ...machine,
    devices: machine.devices.map((device) => devices.get(device) ?? device),
    host: { ...machine.host, timing: moved({ ...machine.host.timing }) },
  };
  return changed ? result : undefined;
}
