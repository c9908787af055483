import type { Constant, Machine } from '@griddep/machine';

/** A machine whose constants stand at the quick or the slow end of their ranges: times low and rates high, or the reverse. */
export function machineAt(machine: Machine, end: 'quick' | 'slow'): Machine {
  const ends = <T extends object>(timing: T): T =>
    Object.fromEntries(Object.entries(timing).map(([name, constant]) => [name, atEnd(constant as Constant, end)])) as T;
  return {
    ...machine,
    devices: machine.devices.map((device) => ({ ...device, timing: ends(device.timing) })),
    host: { ...machine.host, timing: ends(machine.host.timing) },
  };
}

/** Pure numbers say of no end that it is the quick one, so they stay. */
function atEnd(constant: Constant, end: 'quick' | 'slow'): Constant {
  const { value, unit, low = value, high = value } = constant;
  if (unit === '1') return constant;
  const isLow = (unit === 'B/s') === (end === 'slow');
  return { ...constant, value: isLow ? low : high };
}
