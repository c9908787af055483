import type { Constant, Provenance } from '../constant.ts';
import {
  DEVICE_TIMING,
  type DeviceTiming,
  type DeviceTimingName,
  HOST_TIMING,
  type HostTiming,
  type HostTimingName,
} from '../timing.ts';

/** A constant without its unit, which its name settles. */
export type Figure = Omit<Constant, 'unit'>;

const figure =
  (status: Provenance, suffix: string) =>
  (value: number, source: string, low?: number, high?: number): Figure => ({
    value,
    status,
    source: source + suffix,
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  });

/** A figure seen on an H200. */
export const measured = figure('measured', ' (H200, 2026-11, driver 580, CUDA 13.0)');
/** A figure from a data sheet, a manual or a published text. */
export const documented = figure('documented', '');
/** A figure that nobody measured; `source` gives the reason. */
export const assumed = figure('assumed', '');

/** Adds the units to the figures of a device. */
export function deviceTiming(figures: Readonly<Record<DeviceTimingName, Figure>>): DeviceTiming {
  return withUnits(figures, DEVICE_TIMING);
}

/** Adds the units to the figures of a host. */
export function hostTiming(figures: Readonly<Record<HostTimingName, Figure>>): HostTiming {
  return withUnits(figures, HOST_TIMING);
}

function withUnits<N extends string>(
  figures: Readonly<Record<N, Figure>>,
  names: Readonly<Record<N, { readonly unit: Constant['unit'] }>>,
): Readonly<Record<N, Constant>> {
  const entries = Object.keys(names).map((name) => [name, { ...figures[name as N], unit: names[name as N].unit }]);
  return Object.fromEntries(entries) as Readonly<Record<N, Constant>>;
}

/**
 * All constants of another device as assumptions of this one, each between a half and twice the value, except those
 * given in `known`.
 */
export function assumedFrom(
  base: DeviceTiming,
  reason: string,
  known: Readonly<Partial<Record<DeviceTimingName, Figure>>>,
): DeviceTiming {
  const figures = Object.entries(base).map(([name, constant]) => [
    name,
    known[name as DeviceTimingName] ?? assumed(constant.value, reason, constant.value / 2, constant.value * 2),
  ]);
  return deviceTiming(Object.fromEntries(figures) as Record<DeviceTimingName, Figure>);
}
