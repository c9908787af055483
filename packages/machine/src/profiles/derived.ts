import type { Constant } from '../constant.ts';
import type { DeviceTiming, DeviceTimingName } from '../timing.ts';
import { assumed, assumedFrom, documented, type Figure } from './constants.ts';
import { H200_TIMING } from './h200-timing.ts';

/** Shares of the documented peak that an H200 reaches: 4.44 of 4.8 TB/s, 55.5 of 63 GB/s, 394 of 450 GB/s. */
const MEMORY_SHARE = 0.925;
const PCIE_SHARE = 0.88;
const LINK_SHARE = 0.875;
const H200_CLOCK_GHZ = 1.98;
/** An SM's FP32 lanes of which the measured issue rates are. */
const H200_LANES = 128;

/** What documents say of a device that nobody measured here. */
export interface DataSheet {
  readonly name: string;
  readonly clockGhz: number;
  readonly fp32LanesPerSm: number;
  /** Bytes per second. */
  readonly memoryPeak: number;
  /** Bytes per second and direction, and the generation's name. */
  readonly pcie: { readonly name: string; readonly peak: number };
  readonly programmaticLaunch: boolean;
}

/**
 * Timing of a device from its data sheet: bandwidths from the documented peaks, arithmetic scaled by clock and lanes,
 * everything else as on an H200 between half and twice the value. Nothing in it is measured.
 */
export function timingFromDataSheet(sheet: DataSheet): DeviceTiming {
  const peak = (value: number, share: number, what: string): Figure =>
    documented(
      Number((value * share).toPrecision(3)),
      `${sheet.name} data sheet: ${what}; times ${share}, the share an H200 reaches`,
      0.75 * value,
      value,
    );
  const cycles = H200_CLOCK_GHZ / sheet.clockGhz;
  const scaled = (name: DeviceTimingName, factor: number): Figure => {
    const value = Number((H200_TIMING[name].value * factor).toPrecision(3));
    return assumed(
      value,
      `taken from H200 and scaled by the clock and FP32 lanes of ${sheet.name}`,
      value / 2,
      value * 2,
    );
  };
  const memory = peak(sheet.memoryPeak, MEMORY_SHARE, `memory ${sheet.memoryPeak / 1e12} TB/s`);
  const pcie = peak(sheet.pcie.peak, PCIE_SHARE, `${sheet.pcie.name}, ${sheet.pcie.peak / 1e9} GB/s a direction`);
  const ofMemory = (name: DeviceTimingName): Figure => {
    const value = Number(((H200_TIMING[name].value * memory.value) / H200_TIMING.memoryBandwidth.value).toPrecision(3));
    return assumed(
      value,
      `taken from H200 in proportion to the memory bandwidth of ${sheet.name}`,
      value / 2,
      value * 2,
    );
  };
  const base = assumedFrom(H200_TIMING, `not measured on ${sheet.name}; taken from H200`, {
    memoryBandwidth: memory,
    copyWithinBandwidth: ofMemory('copyWithinBandwidth'),
    memsetBandwidth: ofMemory('memsetBandwidth'),
    copyUpBandwidth: pcie,
    copyDownBandwidth: pcie,
    fmaIteration: scaled('fmaIteration', cycles),
    fmaIterationOverhead: scaled('fmaIterationOverhead', cycles),
    fmaIterationPerWarp: scaled('fmaIterationPerWarp', (cycles * H200_LANES) / sheet.fp32LanesPerSm),
    fmaOldestShare: assumed(H200_TIMING.fmaOldestShare.value, 'not measured; taken from H200', 0.5, 1),
    collectiveShare: assumed(H200_TIMING.collectiveShare.value, 'not measured; taken from H200', 0.3, 1),
    copyBothPenalty: assumed(H200_TIMING.copyBothPenalty.value, 'not measured; taken from H200', 1, 1.5),
  });
  return sheet.programmaticLaunch ? base : withoutProgrammaticLaunch(base, sheet.name);
}

const PROGRAMMATIC: readonly DeviceTimingName[] = [
  'programmaticLaunch',
  'programmaticLaunchGraph',
  'waitRelease',
  'triggerIssue',
  'waitIssue',
];

function withoutProgrammaticLaunch(timing: DeviceTiming, name: string): DeviceTiming {
  const source = `${name} has no programmatic launch (rule 1.1), nothing should read this; taken from H200`;
  const entries = PROGRAMMATIC.map((key) => [key, { ...timing[key], source }]);
  return { ...timing, ...(Object.fromEntries(entries) as Partial<DeviceTiming>) };
}

/** Link to the switch from the documented peak per direction, bytes per second. */
export function linkBandwidth(name: string, peak: number): Constant {
  const value = Number((peak * LINK_SHARE).toPrecision(3));
  const source = `${name} data sheet: ${peak / 1e9} GB/s a direction; times ${LINK_SHARE}, the share an H200 reaches`;
  return { ...documented(value, source, 0.75 * peak, peak), unit: 'B/s' };
}
