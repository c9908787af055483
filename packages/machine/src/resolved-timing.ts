import type { Constant, Unit } from './constant.ts';
import { DEVICE_TIMING, type DeviceTimingName, HOST_TIMING, type HostTimingName } from './timing.ts';

/**
 * Timing constants as the simulator computes with them: durations in integer picoseconds, rates in bytes per second,
 * pure numbers as they are. Reading a name marks its constant as used.
 */
export type ResolvedTiming<N extends string> = Readonly<Record<N, number>> & {
  /** The constants read so far as `prefix.name`, in the order of the name table. */
  used(): readonly string[];
};
export type ResolvedDeviceTiming = ResolvedTiming<DeviceTimingName>;
export type ResolvedHostTiming = ResolvedTiming<HostTimingName>;
/** Called once per constant, at its first read. */
export type OnUse = (name: string, constant: Constant) => void;

const PICOSECONDS: Readonly<Record<Unit, number | undefined>> = { ns: 1e3, us: 1e6, 'B/s': undefined, '1': undefined };

/** Value of a constant in the simulator's unit: integer picoseconds, bytes per second, or a pure number. */
export function resolvedValue(constant: Constant): number {
  const factor = PICOSECONDS[constant.unit];
  return factor === undefined ? constant.value : Math.round(constant.value * factor);
}

abstract class Resolved {
  private readonly names: readonly string[];
  private readonly constants: Readonly<Record<string, Constant>>;
  private readonly prefix: string;
  private readonly onUse: OnUse | undefined;
  readonly values: Float64Array;
  readonly read: Uint8Array;

  constructor(
    names: readonly string[],
    constants: Readonly<Record<string, Constant>>,
    prefix: string,
    onUse: OnUse | undefined,
  ) {
    this.names = names;
    this.constants = constants;
    this.prefix = prefix;
    this.onUse = onUse;
    this.values = Float64Array.from(names, (name) => resolvedValue(constants[name] as Constant));
    this.read = new Uint8Array(names.length);
  }

  mark(index: number): void {
    this.read[index] = 1;
    const name = this.names[index] as string;
    this.onUse?.(`${this.prefix}.${name}`, this.constants[name] as Constant);
  }

  used(): readonly string[] {
    return this.names.filter((_, index) => this.read[index] === 1).map((name) => `${this.prefix}.${name}`);
  }
}

type ResolvedClass = new (
  constants: Readonly<Record<string, Constant>>,
  prefix: string,
  onUse: OnUse | undefined,
) => Resolved;

// The getters stand on a prototype that all devices share, so that a read in a hot loop stays monomorphic.
function resolvedClass(table: object): ResolvedClass {
  const names = Object.keys(table);
  const made = class extends Resolved {
    constructor(constants: Readonly<Record<string, Constant>>, prefix: string, onUse: OnUse | undefined) {
      super(names, constants, prefix, onUse);
    }
  };
  for (const [index, name] of names.entries()) {
    Object.defineProperty(made.prototype, name, {
      enumerable: true,
      get(this: Resolved): number {
        if (this.read[index] === 0) this.mark(index);
        return this.values[index] as number;
      },
    });
  }
  return made;
}

const ResolvedDevice = resolvedClass(DEVICE_TIMING);
const ResolvedHost = resolvedClass(HOST_TIMING);

/**
 * Resolves all constants of a device or a host profile. `prefix` names the profile in `used()` and `onUse`, for
 * example `h200` or `host`.
 */
export function resolveTiming<N extends DeviceTimingName | HostTimingName>(
  constants: Readonly<Record<N, Constant>>,
  prefix: string,
  onUse?: OnUse,
): ResolvedTiming<N> {
  const of = 'kernelLaunch' in constants ? ResolvedDevice : ResolvedHost;
  return new of(constants, prefix, onUse) as unknown as ResolvedTiming<N>;
}
