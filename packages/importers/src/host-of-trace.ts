import type { Constant, Machine } from '@griddep/machine';
import { ENOUGH_LAUNCHES, launchTimes, OWN_SHARE } from './build/call-cost.ts';
import type { Trace } from './trace.ts';

/** How many times as long as on the machine the host of a trace takes for its calls. */
export interface HostPace {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly source: string;
}

/**
 * The pace of the host that traces were taken on, from what its launches of kernels took: hosts differ, and one whose
 * cores others use too takes twice as long. Undefined where there are too few.
 */
export function hostPace(traces: readonly Trace[], machine: Machine): HostPace | undefined {
  const { launchKernel } = machine.host.timing;
  const unit = launchKernel.unit === 'us' ? 1e6 : 1e3;
  const paces = traces
    .flatMap(launchTimes)
    .map((time) => (OWN_SHARE * time) / (launchKernel.value * unit))
    .sort((a, b) => a - b);
  if (paces.length < ENOUGH_LAUNCHES) return undefined;
  const at = (share: number) => paces[Math.floor((paces.length - 1) * share)] as number;
  return { value: at(0.5), low: at(0.1), high: at(0.9), source: `${paces.length} launches of the trace` };
}

/** A machine whose host's calls take as many times as long as its own. Rates and numbers of bytes stay. */
export function withHostPace(machine: Machine, { value, low, high, source }: HostPace): Machine {
  const { timing } = machine.host;
  const paced = Object.entries(timing as Readonly<Record<string, Constant>>).map(([name, constant]) => {
    if (constant.unit !== 'ns' && constant.unit !== 'us') return [name, constant];
    const of = (pace: number) => constant.value * pace;
    const ends = { low: (constant.low ?? constant.value) * value, high: (constant.high ?? constant.value) * value };
    return [
      name,
      {
        ...constant,
        value: of(value),
        low: Math.min(ends.low, of(low)),
        high: Math.max(ends.high, of(high)),
        source: `${constant.source}; times ${value.toFixed(2)}, from ${source}`,
      },
    ];
  });
  return { ...machine, host: { ...machine.host, timing: { ...timing, ...Object.fromEntries(paced) } } };
}
