import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type {
  BasisEntry,
  BlockColumns,
  Cause,
  CauseKind,
  Operation,
  Slowdown,
  Timeline,
  Wait,
} from '@griddep/timeline';
import type { LoggedBlocks } from './device/block-log.ts';
import type { DeviceRecord, Held } from './device/device-record.ts';
import type { DeviceResult } from './device/device-result.ts';
import { LogReader } from './device/operation-log.ts';
import { HeldThreads } from './host/held-threads.ts';
import type { HostRecord, HostResult } from './host/host-record.ts';
import { joinHosts } from './host/join-hosts.ts';
import { Positions } from './positions.ts';
import { stuckReport } from './stuck-report.ts';

/** Joins what host and devices recorded into one timeline, in order of operation numbers. */
export function assembleTimeline(
  program: Program,
  machine: Machine,
  hosts: readonly HostResult[],
  devices: readonly DeviceResult[],
  basis: readonly BasisEntry[],
): Timeline {
  const host = joinHosts(hosts);
  const { records } = host;
  const position = new Positions(records.map(({ op }) => op));
  const logged = new DeviceRecords(devices);
  const held = new HeldThreads();
  const operations = records.map((record) => toOperation(record, logged.of(record), held.before(record), position));
  const blocks = devices.map((d) => d.blocks).filter((l) => l !== undefined);
  return {
    program: program.name,
    machine: machine.name,
    devices: machine.devices.map((d) => ({ name: d.name, sms: d.limits.sms })),
    operations,
    ...(blocks.length === 0 ? {} : { blocks: blockColumns(blocks, position) }),
    hostTotal: host.end,
    basis,
    stuck: stuckReport({ host, devices, operations, position, program }),
    errors: host.errors.map(({ op, error: { name, code, message } }) => ({
      ...{ operation: position.get(op) ?? -1, name, code, message },
    })),
  };
}

/** What the devices know of the operations. */
class DeviceRecords {
  private readonly logs: readonly LogReader[];
  /** By device, how many rows those before it have. */
  private readonly offsets: readonly number[];
  private readonly rows: Positions;

  constructor(devices: readonly DeviceResult[]) {
    this.logs = devices.map(({ operations }) => new LogReader(operations));
    let rows = 0;
    this.offsets = this.logs.map(({ length }) => {
      rows += length;
      return rows - length;
    });
    this.rows = new Positions(this.logs.flatMap((log) => log.ops()));
  }

  /** Undefined for what no device has heard of. */
  of({ op, device }: HostRecord): DeviceRecord | undefined {
    const row = this.rows.get(op);
    return row === undefined ? undefined : this.logs[device]?.record(row - (this.offsets[device] as number));
  }
}

const NONE = Number.NaN;

/**
 * What the timeline says of an operation: one literal with every field, so that all operations of a timeline share a shape.
 *
 * @param heldBy the operation that held up its thread before the call, or -1
 * @param position where operations stand in the timeline
 */
export function toOperation(
  record: HostRecord,
  device: DeviceRecord | undefined,
  heldBy: number,
  position: Positions,
): Operation {
  const onHost = device === undefined;
  return {
    id: record.id,
    kind: record.kind,
    name: record.name,
    device: record.device,
    stream: record.stream,
    thread: record.thread,
    path: record.path,
    origin: record.origin,
    callBegin: record.callBegin,
    callEnd: record.callEnd,
    enqueue: onHost ? NONE : device.arrived,
    processing: onHost ? NONE : device.processing,
    start: onHost ? record.callBegin : device.start,
    lastStart: onHost ? NONE : device.lastStart,
    firstTrigger: onHost ? NONE : device.firstTrigger,
    lastTrigger: onHost ? NONE : device.lastTrigger,
    firstRelease: onHost ? NONE : device.firstRelease,
    lastRelease: onHost ? NONE : device.lastRelease,
    firstEnd: onHost ? NONE : device.firstEnd,
    end: onHost ? record.callEnd : device.end,
    completion: onHost ? record.callEnd : device.completion,
    blocks: record.blocks,
    sms: onHost ? 0 : device.sms,
    maxBlocksPerSm: onHost ? 0 : device.maxBlocksPerSm,
    unit: onHost ? '' : device.unit,
    bytes: record.bytes,
    cause: operationCause(device, heldBy, position),
    waits: waitsOf(record, device, position),
    slowdown: onHost || device.shared.length === 0 ? NO_SLOWDOWN : slowdowns(device),
    programmatic: device?.programmatic ?? false,
  };
}

const HOST_CAUSE: Cause = { kind: 'host' };
const NO_SLOWDOWN: readonly Slowdown[] = [];
const NO_WAITS: readonly Wait[] = [];
const NO_HELD: readonly Held[] = [];

function causeOf(kind: CauseKind, op: number, detail: string | undefined, position: Positions): Cause {
  const operation = position.get(op);
  if (operation === undefined) return detail === undefined ? { kind } : { kind, detail };
  return detail === undefined ? { kind, operation } : { kind, operation, detail };
}

function operationCause(device: DeviceRecord | undefined, heldBy: number, position: Positions): Cause {
  if (device === undefined || device.cause === 'host') {
    return heldBy < 0 ? HOST_CAUSE : causeOf('host', heldBy, undefined, position);
  }
  return causeOf(device.cause, device.causeOp, device.causeDetail, position);
}

/** Those of the call, and of the work that it made. A call that waits for its own work names no operation. */
function waitsOf(
  { op: own, waitedFor }: HostRecord,
  device: DeviceRecord | undefined,
  position: Positions,
): readonly Wait[] {
  const ofDevice = device?.held ?? NO_HELD;
  const all: readonly Held[] = waitedFor === undefined ? ofDevice : [...waitedFor, ...ofDevice];
  if (all.length === 0) return NO_WAITS;
  const ordered = all.length === 1 ? all : [...all].sort((a, b) => a.until - b.until || a.from - b.from || a.op - b.op);
  return ordered.map(({ kind, op, from, until, detail }) =>
    Object.assign(causeOf(kind, op === own ? -1 : op, detail, position), { from, until }),
  );
}

/** By resource, in the order of their names. */
function slowdowns({ shared }: DeviceRecord): Slowdown[] {
  const all = shared
    .filter(({ alone }) => alone > 0)
    .map(({ resource, actual, alone }) => ({ resource, factor: Math.max(1, actual / alone) }));
  return all.length < 2 ? all : all.sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

/** Blocks of all devices, in order of their operations and then of their indices. */
function blockColumns(logs: readonly LoggedBlocks[], position: Positions): BlockColumns {
  const log = joined(logs);
  const rank = log.op.map((op) => position.get(op) as number);
  const order = Uint32Array.from(rank.keys());
  order.sort(
    (a, b) => (rank[a] as number) - (rank[b] as number) || (log.block[a] as number) - (log.block[b] as number),
  );
  return {
    operation: order.map((i) => rank[i] as number),
    block: order.map((i) => log.block[i] as number),
    sm: Uint16Array.from(order, (i) => log.sm[i] as number),
    start: Float64Array.from(order, (i) => log.start[i] as number),
    end: Float64Array.from(order, (i) => log.end[i] as number),
  };
}

function joined(logs: readonly LoggedBlocks[]): LoggedBlocks {
  const [only] = logs;
  if (logs.length === 1 && only !== undefined) return only;
  const length = logs.reduce((n, { op }) => n + op.length, 0);
  const all = {
    op: new Uint32Array(length),
    block: new Uint32Array(length),
    sm: new Uint16Array(length),
    start: new Float64Array(length),
    end: new Float64Array(length),
  };
  let at = 0;
  for (const log of logs) {
    for (const name of ['op', 'block', 'sm', 'start', 'end'] as const) all[name].set(log[name], at);
    at += log.op.length;
  }
  return all;
}
