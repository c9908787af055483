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
import type { BlockLog } from './device/block-log.ts';
import type { DeviceActor } from './device/device-actor.ts';
import type { DeviceOperation } from './device/operation.ts';
import type { HostActor } from './host/host-actor.ts';
import type { HostRecord } from './host/host-record.ts';

/** Joins what host and devices recorded into one timeline, in order of operation numbers. */
export function assembleTimeline(
  program: Program,
  machine: Machine,
  host: HostActor,
  devices: readonly DeviceActor[],
  basis: readonly BasisEntry[],
): Timeline {
  const records = [...host.records].sort((a, b) => a.op - b.op);
  const position = new Map(records.map((r, i) => [r.op, i]));
  const operations = records.map((record) => {
    const device = record.device < 0 ? undefined : devices[record.device];
    return toOperation(record, device?.operations.get(record.op), position);
  });
  const logs = devices.map((d) => d.blockLog).filter((l) => l !== undefined);
  return {
    program: program.name,
    machine: machine.name,
    devices: machine.devices.map((d) => ({ name: d.name, sms: d.limits.sms })),
    operations,
    ...(logs.length === 0 ? {} : { blocks: blockColumns(logs, position) }),
    hostTotal: host.end,
    basis,
    stuck: stuckReport(host, devices, operations, position),
    errors: host.errors.map(({ op, error }) => ({ operation: position.get(op) ?? -1, ...error })),
  };
}

const NONE = Number.NaN;

/** One literal with every field, so that all operations of a timeline share a shape. */
function toOperation(
  record: HostRecord,
  device: DeviceOperation | undefined,
  position: ReadonlyMap<number, number>,
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
    lastStart: device?.work.type === 'kernel' ? device.lastStart : NONE,
    firstTrigger: onHost ? NONE : device.firstTrigger,
    lastTrigger: onHost ? NONE : device.lastTrigger,
    firstRelease: onHost ? NONE : device.firstRelease,
    lastRelease: onHost ? NONE : device.lastRelease,
    firstEnd: onHost ? NONE : device.firstEnd,
    end: onHost ? record.callEnd : device.end,
    completion: onHost ? record.callEnd : device.reached.complete,
    blocks: record.blocks,
    sms: onHost ? 0 : device.sms,
    maxBlocksPerSm: onHost ? 0 : device.maxBlocksPerSm,
    unit: onHost ? '' : device.unit,
    bytes: record.bytes,
    cause: onHost ? HOST_CAUSE : causeOf(device.cause, device.causeOp, device.causeDetail, position),
    waits: onHost ? hostWaits(record, position) : deviceWaits(device, position),
    slowdown: onHost || device.shared.size === 0 ? NO_SLOWDOWN : slowdowns(device),
    programmatic: device?.programmatic ?? false,
  };
}

const HOST_CAUSE: Cause = { kind: 'host' };
const NO_SLOWDOWN: readonly Slowdown[] = [];
const NO_WAITS: readonly Wait[] = [];

function causeOf(
  kind: CauseKind,
  op: number,
  detail: string | undefined,
  position: ReadonlyMap<number, number>,
): Cause {
  const operation = position.get(op);
  if (operation === undefined) return detail === undefined ? { kind } : { kind, detail };
  return detail === undefined ? { kind, operation } : { kind, operation, detail };
}

function deviceWaits({ held }: DeviceOperation, position: ReadonlyMap<number, number>): readonly Wait[] {
  if (held.length === 0) return NO_WAITS;
  const ordered =
    held.length === 1 ? held : [...held].sort((a, b) => a.until - b.until || a.from - b.from || a.op - b.op);
  return ordered.map(({ kind, op, from, until, detail }) => ({ ...causeOf(kind, op, detail, position), from, until }));
}

function hostWaits({ waitedFor }: HostRecord, position: ReadonlyMap<number, number>): readonly Wait[] {
  if (waitedFor === undefined) return NO_WAITS;
  const { kind, op, from, until } = waitedFor;
  return [{ ...causeOf(kind, op, undefined, position), from, until }];
}

function slowdowns(device: DeviceOperation): Slowdown[] {
  return [...device.shared]
    .filter(([, { alone }]) => alone > 0)
    .map(([resource, { actual, alone }]) => ({ resource, factor: Math.max(1, actual / alone) }));
}

function blockColumns(logs: readonly BlockLog[], position: ReadonlyMap<number, number>): BlockColumns {
  const rows = logs.flatMap((log) =>
    log.op.map((op, i) => ({ log, i, operation: position.get(op) as number, block: log.block[i] as number })),
  );
  rows.sort((a, b) => a.operation - b.operation || a.block - b.block);
  return {
    operation: Uint32Array.from(rows, (r) => r.operation),
    block: Uint32Array.from(rows, (r) => r.block),
    sm: Uint16Array.from(rows, ({ log, i }) => log.sm[i] as number),
    start: Float64Array.from(rows, ({ log, i }) => log.start[i] as number),
    end: Float64Array.from(rows, ({ log, i }) => log.end[i] as number),
  };
}

/** What can never finish: host threads and device operations, each with what it waits for. */
function stuckReport(
  host: HostActor,
  devices: readonly DeviceActor[],
  operations: readonly Operation[],
  position: ReadonlyMap<number, number>,
): string[] {
  const name = (op: number): string => {
    const operation = operations[position.get(op) ?? -1];
    return operation === undefined
      ? `operation ${op}`
      : `"${operation.id}"${operation.origin === '' ? '' : ` (${operation.origin})`}`;
  };
  const lines = host
    .unfinished()
    .map((t) => `host thread "${t.thread}" waits in ${t.call}${t.op < 0 ? '' : ` for ${name(t.op)}`}`);
  for (const device of devices) {
    for (const { flag, value, op } of device.awaitedFlags())
      lines.push(`${name(op)} waits for flag "${flag}" to reach ${value}`);
    for (const operation of device.operations.values()) {
      if (operation.isComplete) continue;
      lines.push(`${name(operation.op)} ${operation.unfinishedBecause(name)}`);
    }
  }
  return lines;
}
