import { deviceByName, machineByName } from '../catalogue.ts';
import type { Constant } from '../constant.ts';
import { DURATION, RATE } from '../constant-range.ts';
import { limitsProblem } from '../limits-problem.ts';
import {
  type DeviceLimits,
  type DeviceProfile,
  type HostProfile,
  type Machine,
  MOST_DEVICES,
  type Topology,
} from '../machine.ts';
import { MachineError } from '../machine-error.ts';
import { MEASURED_HOST } from '../profiles/hosts.ts';
import { type ConstantRule, DEVICE_TIMING, type DeviceTiming, HOST_TIMING } from '../timing.ts';
import { nodeTopology, pcieTopology } from '../topologies.ts';
import { ConstantError, constantFromFile } from './constant.ts';
import { type Issue, plainWords } from './plain-words.ts';
import {
  type FileConstant,
  type FileDevice,
  type FileHost,
  type FileTopology,
  LIMIT_NAMES,
  type MachineFile,
  machineFile,
  namesAt,
} from './schema.ts';
import { SourceText } from './source-text.ts';

type Path = readonly PropertyKey[];

const LINK_RATE = { unit: 'B/s', range: RATE } as const;
const LINK_LATENCY = { unit: 'ns', range: DURATION } as const;

/**
 * Reads a machine from YAML or JSON text: a `base` of the catalogue with changes of single constants and limits, or a
 * whole machine as `writeMachine` gives it. `file` is what errors name. Throws MachineError with `file:line:column`,
 * the offending text and the nearest valid name.
 */
export function readMachine(text: string, file = '<machine>'): Machine {
  const source = new SourceText(text, file);
  const parsed = machineFile.safeParse(source.data());
  if (!parsed.success) throw schemaError(source, parsed.error.issues[0]);
  return new Reader(source, parsed.data).machine();
}

function schemaError(source: SourceText, given: unknown): MachineError {
  const issue = deepest(given as Issue);
  const key = issue.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined;
  if (key !== undefined) return source.errorAtKey(issue.path, key, namesAt(issue.path));
  const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return source.errorAt(issue.path, where + plainWords(issue, source.valueAt(issue.path)));
}

/** Of a union's issues the most telling: an unknown name, then one inside the map that was given. */
function deepest(issue: Issue): Issue {
  const inner = (issue.errors ?? []).flat();
  const first = inner.find((each) => each.code === 'unrecognized_keys') ?? inner.find((each) => each.path.length > 0);
  if (first === undefined) return issue;
  return deepest({ ...first, path: [...issue.path, ...first.path] });
}

class Reader {
  private readonly source: SourceText;
  private readonly file: MachineFile;

  constructor(source: SourceText, file: MachineFile) {
    this.source = source;
    this.file = file;
  }

  machine(): Machine {
    const { file } = this;
    const { base: baseName } = file;
    const base = baseName === undefined ? undefined : this.named(['base'], () => machineByName(baseName));
    const devices = this.devices(base);
    return {
      name: file.name ?? base?.name ?? 'machine',
      devices,
      topology: this.topology(devices, base),
      host: this.host(base?.host ?? MEASURED_HOST),
    };
  }

  private devices(base: Machine | undefined): readonly DeviceProfile[] {
    const listed = this.file.devices?.flatMap((entry, index) => {
      const { base: baseName } = entry;
      const path = ['devices', index];
      const from = baseName === undefined ? undefined : this.named([...path, 'base'], () => deviceByName(baseName));
      return new Array<DeviceProfile>(entry.count ?? 1).fill(this.device(entry, from, path));
    });
    const devices = listed ?? base?.devices;
    if (devices === undefined) throw this.source.errorAt([], 'a machine needs a `base` or `devices`');
    if (devices.length > MOST_DEVICES) {
      throw this.source.errorAt(['devices'], `${devices.length} devices, at most ${MOST_DEVICES} are possible`);
    }
    const { device: changes } = this.file;
    if (changes === undefined) return devices;
    const changed = new Map<DeviceProfile, DeviceProfile>();
    for (const device of devices) {
      if (!changed.has(device)) changed.set(device, this.device(changes, device, ['device']));
    }
    return devices.map((device) => changed.get(device) as DeviceProfile);
  }

  private device(entry: FileDevice, base: DeviceProfile | undefined, path: Path): DeviceProfile {
    const limits = { ...base?.limits, ...entry.limits } as DeviceProfile['limits'];
    for (const name of LIMIT_NAMES) if (limits[name] === undefined) throw this.missing([...path, 'limits'], name);
    const timing = this.timing(entry.timing ?? {}, base?.timing, DEVICE_TIMING, [...path, 'timing']);
    this.checkLimits(entry, limits, timing, path);
    const name = entry.name ?? base?.name;
    const computeCapability = entry.computeCapability ?? base?.computeCapability;
    if (name === undefined) throw this.missing(path, 'name');
    if (computeCapability === undefined) throw this.missing(path, 'computeCapability');
    const changed =
      entry.limits === undefined ? '' : `; ${Object.keys(entry.limits).join(', ')} set in the machine file`;
    return {
      name,
      computeCapability,
      limits,
      limitsSource: entry.limitsSource ?? (base === undefined ? 'the machine file' : base.limitsSource + changed),
      timing,
    };
  }

  /** Points at the first of the disagreeing names that the file itself gives. */
  private checkLimits(given: FileDevice, limits: DeviceLimits, timing: DeviceTiming, path: Path): void {
    const problem = limitsProblem(limits, timing);
    if (problem === undefined) return;
    const own = problem.names.find((name) => Object.hasOwn(given.limits ?? {}, name));
    const constant = problem.names.find((name) => Object.hasOwn(given.timing ?? {}, name));
    const at = own !== undefined ? ['limits', own] : constant !== undefined ? ['timing', constant] : [];
    throw this.source.errorAt([...path, ...at], `${[...path, ...at].map(String).join('.')}: ${problem.message}`);
  }

  private host(base: HostProfile): HostProfile {
    const given: FileHost = this.file.host ?? {};
    return {
      cudaVersion: given.cudaVersion ?? base.cudaVersion,
      maxConnections: given.maxConnections ?? base.maxConnections,
      perThreadDefaultStream: given.perThreadDefaultStream ?? base.perThreadDefaultStream,
      queueDepth: given.queueDepth ?? base.queueDepth,
      implicitSynchronization: given.implicitSynchronization ?? base.implicitSynchronization,
      timing: this.timing(given.timing ?? {}, base.timing, HOST_TIMING, ['host', 'timing']),
    };
  }

  private timing<N extends string>(
    given: Readonly<Partial<Record<N, FileConstant | undefined>>>,
    base: Readonly<Record<N, Constant>> | undefined,
    names: Readonly<Record<N, ConstantRule>>,
    path: Path,
  ): Readonly<Record<N, Constant>> {
    const entries = (Object.keys(names) as N[]).map((name) => {
      const own = given[name];
      const constant = own === undefined ? base?.[name] : this.constant(own, names[name], [...path, name]);
      if (constant === undefined) throw this.missing(path, name);
      return [name, constant];
    });
    return Object.fromEntries(entries) as Readonly<Record<N, Constant>>;
  }

  private topology(devices: readonly DeviceProfile[], base: Machine | undefined): Topology {
    const { topology: given, devices: listed } = this.file;
    if (given !== undefined) return this.givenTopology(given, devices.length, ['topology']);
    if (listed === undefined && base !== undefined) return base.topology;
    const first = devices[0];
    const alike = first !== undefined && devices.length > 1 && devices.every((device) => device.name === first.name);
    return alike ? nodeTopology(first) : pcieTopology(devices);
  }

  private givenTopology(given: FileTopology, devices: number, path: Path): Topology {
    const root = 'peerAccess' in given && given.peerAccess !== undefined ? { peerAccess: given.peerAccess } : {};
    if (given.kind === 'pcie') return { kind: given.kind, ...root };
    const bandwidth = this.constant(given.bandwidth, LINK_RATE, [...path, 'bandwidth']);
    const latency = this.constant(given.latency, LINK_LATENCY, [...path, 'latency']);
    if (given.kind === 'nvlinkSwitch') return { kind: given.kind, bandwidth, latency };
    if (given.kind === 'nvlinkPairs') {
      for (const [index, pair] of given.pairs.entries()) {
        if (pair[0] !== pair[1] && pair[0] < devices && pair[1] < devices) continue;
        throw this.source.errorAt([...path, 'pairs', index], `no pair of two of the ${devices} devices`);
      }
      return { kind: given.kind, pairs: given.pairs, ...root, bandwidth, latency };
    }
    const { devicesPerNode } = given;
    if (devices % devicesPerNode !== 0) {
      const message = `${devices} devices are no whole number of nodes of ${devicesPerNode}`;
      throw this.source.errorAt([...path, 'devicesPerNode'], message);
    }
    const within = this.givenTopology(given.within, devicesPerNode, [...path, 'within']);
    return { kind: given.kind, devicesPerNode, within, bandwidth, latency };
  }

  private constant(given: FileConstant, rule: Pick<ConstantRule, 'unit' | 'range'>, path: Path): Constant {
    try {
      return constantFromFile(given, rule);
    } catch (error) {
      if (!(error instanceof ConstantError)) throw error;
      throw this.source.errorAt(path, `${path.map(String).join('.')}: ${error.message}`);
    }
  }

  private named<T>(path: Path, find: () => T): T {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      throw this.source.errorAt(path, error.reason, error.nearest);
    }
  }

  private missing(path: Path, name: string): MachineError {
    return this.source.errorAt(path, `${[...path, name].map(String).join('.')} is missing; give it, or a \`base\``);
  }
}
