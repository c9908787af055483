import type { Constant, Machine } from '@griddep/machine';
import { indexTrace } from './build/trace-index.ts';
import { hostPace, withHostPace } from './host-of-trace.ts';
import type { Trace, TraceOperation } from './trace.ts';

/** Devices of the catalogue by what profilers call them. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/\bH200\b/, 'h200'],
  [/\bH100\b/, 'h100'],
  [/\bB200\b/, 'b200'],
  [/\bA100\b/, 'a100'],
  [/\bRTX 4090\b/, 'rtx4090'],
];

/** The machine of the catalogue that traces were taken on, and whether it is that or only stands in for one unknown. */
export function machineNameOf(traces: readonly Trace[]): {
  readonly name: string;
  readonly device: string;
  readonly isKnown: boolean;
} {
  let count = 0;
  let device = '';
  for (const trace of traces) {
    const used = new Set(trace.operations.map((operation) => operation.device));
    count += used.size;
    device ||= trace.devices.find(({ id }) => used.has(id))?.name ?? '';
  }
  const known = KNOWN.find(([pattern]) => pattern.test(device))?.[1];
  return { name: `${known ?? 'h200'}${count > 1 ? `x${count}` : ''}`, device, isKnown: known !== undefined };
}

/** Copies below this tell latency rather than rate, bytes. */
const LEAST_BYTES = 1 << 20;

function copiesOf({ operations }: Trace): TraceOperation[] {
  return operations.filter(({ kind }) => kind === 'copy');
}

/** Copies, the pageable ones with the interval of their calls. */
function copiesAsCalled(trace: Trace): TraceOperation[] {
  const callOf = new Map(
    [...indexTrace(trace).byCall].flatMap(([call, made]) => made.map((each) => [each, call] as const)),
  );
  return copiesOf(trace).map((copy) => {
    const call = callOf.get(copy);
    if (copy.hostMemory !== 'pageable' || call === undefined || call.end < copy.end) return copy;
    return { ...copy, start: call.start, end: call.end };
  });
}

interface Rate {
  readonly side: 'device' | 'host';
  readonly constant: string;
  readonly latency: string;
  readonly covers: (copy: TraceOperation) => boolean;
}

const RATES: readonly Rate[] = [
  {
    side: 'device',
    constant: 'copyUpBandwidth',
    latency: 'copyUpLatency',
    covers: ({ copy, hostMemory }) => copy === 'hostToDevice' && hostMemory !== 'pageable',
  },
  {
    side: 'device',
    constant: 'copyDownBandwidth',
    latency: 'copyDownLatency',
    covers: ({ copy, hostMemory }) => copy === 'deviceToHost' && hostMemory !== 'pageable',
  },
  {
    side: 'device',
    constant: 'copyWithinBandwidth',
    latency: 'copyWithinLatency',
    covers: ({ copy }) => copy === 'deviceToDevice',
  },
  {
    side: 'host',
    constant: 'pageableUp',
    latency: 'copyUpLatency',
    covers: ({ copy, hostMemory }) => copy === 'hostToDevice' && hostMemory === 'pageable',
  },
  {
    side: 'host',
    constant: 'pageableDown',
    latency: 'copyDownLatency',
    covers: ({ copy, hostMemory }) => copy === 'deviceToHost' && hostMemory === 'pageable',
  },
];

export interface TraceRateOptions {
  /**
   * Pageable copies move at the rate of their calls, not of their intervals on the device, which leave out what the host
   * does in a call before its copy begins; and the host's calls take as many times as long as the trace's launches do.
   * For programs that hold no such time of the host.
   */
  readonly isUnprofiled?: boolean;
}

/** A machine with the rates at which copies of these traces moved, where they tell, in place of its own. */
export function withTraceRates(
  machine: Machine,
  traces: readonly Trace[],
  { isUnprofiled = false }: TraceRateOptions = {},
): Machine {
  const changed = { device: {} as Record<string, Constant>, host: {} as Record<string, Constant> };
  const timing = machine.devices[0]?.timing as unknown as Readonly<Record<string, Constant>>;
  const own = { device: timing, host: machine.host.timing as unknown as Readonly<Record<string, Constant>> };
  const copies = traces.flatMap((trace) => (isUnprofiled ? copiesAsCalled(trace) : copiesOf(trace)));
  for (const { side, constant, latency, covers } of RATES) {
    const before = own[side][constant];
    const long = copies.filter((copy) => covers(copy) && copy.bytes >= LEAST_BYTES);
    if (long.length === 0 || before === undefined) continue;
    const fixed = (timing[latency]?.value ?? 0) * 1000;
    const rates = long.map(({ bytes, start, end }) => (bytes / Math.max(1, end - start - fixed)) * 1e12);
    const total = long.reduce((sum, { bytes }) => sum + bytes, 0);
    const time = long.reduce((sum, { start, end }) => sum + Math.max(1, end - start - fixed), 0);
    changed[side][constant] = {
      value: Math.round((total / time) * 1e12),
      unit: 'B/s',
      status: 'measured',
      source: `${long.length} copies of the trace`,
      low: Math.floor(Math.min(...rates)),
      high: Math.ceil(Math.max(...rates)),
    };
  }
  const pace = isUnprofiled ? hostPace(traces, machine) : undefined;
  const { host } = pace === undefined ? machine : withHostPace(machine, pace);
  return {
    ...machine,
    devices: machine.devices.map((device) => ({ ...device, timing: { ...device.timing, ...changed.device } })),
    host: { ...host, timing: { ...host.timing, ...changed.host } },
  };
}
