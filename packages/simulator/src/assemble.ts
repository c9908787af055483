import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { BasisEntry, BlockColumns, Cause, Operation, Slowdown, Timeline, Wait } from '@griddep/timeline';
import type { BlockLog } from './device/block-log.ts';
import type { DeviceActor } from './device/device-actor.ts';
import type { DeviceOperation } from './device/operation.ts';
import type { HostActor } from './host/host-actor.ts';
import type { HostRecord } from './host/host-record.ts';

/** Joins what host and devices recorded into one timeline, in order of operation numbers. */
export function assembleTimeline(program: Program, machine: Machine, host: HostActor, devices: readonly DeviceActor[], basis: readonly BasisEntry[]): Timeline {
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

function toOperation(record: HostRecord, device: DeviceOperation | undefined, position: ReadonlyMap<number, number>): Operation {
  const at = (op: number): { operation?: number } => {
    const index = position.get(op);
    return index === undefined ? {} : { operation: index };
  };
  const none = Number.NaN;
  const { id, kind, name, stream, thread, path, origin, callBegin, callEnd, bytes, blocks } = record;
  const identity = { id, kind, name, device: record.device, stream, thread, path, origin, callBegin, callEnd, bytes, blocks };
  if (device === undefined) return { ...identity, ...hostInstants(record, at) };
  const cause: Cause = { kind: device.cause, ...at(device.causeOp), ...(device.causeDetail === undefined ? {} : { detail: device.causeDetail }) };
  const waits = [...device.held]
    .sort((a, b) => a.until - b.until || a.from - b.from || a.op - b.op)
    .map(({ kind: held, op, from, until, detail }): Wait => ({ kind: held, ...at(op), from, until, ...(detail === undefined ? {} : { detail }) }));
  return {
    ...identity,
    enqueue: device.arrived,
    processing: device.processing,
    start: device.start,
    lastStart: device.work.type === 'kernel' ? device.lastStart : none,
    firstTrigger: device.firstTrigger,
    lastTrigger: device.lastTrigger,
    firstRelease: device.firstRelease,
    lastRelease: device.lastRelease,
    firstEnd: device.firstEnd,
    end: device.end,
    completion: device.reached.complete,
    sms: device.sms,
    maxBlocksPerSm: device.maxBlocksPerSm,
    unit: device.unit,
    cause,
    waits,
    slowdown: slowdowns(device),
    programmatic: device.programmatic,
  };
}

function hostInstants(record: HostRecord, at: (op: number) => { operation?: number }) {
  const none = Number.NaN;
  const waited = record.waitedFor;
  return {
    enqueue: none,
    processing: none,
    start: record.callBegin,
    lastStart: none,
    firstTrigger: none,
    lastTrigger: none,
    firstRelease: none,
    lastRelease: none,
    firstEnd: none,
    end: record.callEnd,
    completion: record.callEnd,
    sms: 0,
    maxBlocksPerSm: 0,
    unit: '',
    cause: { kind: 'host' as const },
    waits: waited === undefined ? [] : [{ kind: waited.kind, ...at(waited.op), from: waited.from, until: waited.until }],
    slowdown: [],
    programmatic: false,
  };
}

function slowdowns(device: DeviceOperation): Slowdown[] {
  return [...device.shared]
    .filter(([, { alone }]) => alone > 0)
    .map(([resource, { actual, alone }]) => ({ resource, factor: Math.max(1, actual / alone) }));
}

function blockColumns(logs: readonly BlockLog[], position: ReadonlyMap<number, number>): BlockColumns {
  const rows = logs.flatMap((log) => log.op.map((op, i) => ({ log, i, operation: position.get(op) as number, block: log.block[i] as number })));
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
function stuckReport(host: HostActor, devices: readonly DeviceActor[], operations: readonly Operation[], position: ReadonlyMap<number, number>): string[] {
  const name = (op: number): string => {
    const operation = operations[position.get(op) ?? -1];
    return operation === undefined ? `operation ${op}` : `"${operation.id}"${operation.origin === '' ? '' : ` (${operation.origin})`}`;
  };
  const lines = host.unfinished().map((t) => `host thread "${t.thread}" waits in ${t.call}${t.op < 0 ? '' : ` for ${name(t.op)}`}`);
  for (const device of devices) {
    for (const { flag, value, op } of device.awaitedFlags()) lines.push(`${name(op)} waits for flag "${flag}" to reach ${value}`);
    for (const operation of device.operations.values()) {
      if (operation.isComplete) continue;
      lines.push(`${name(operation.op)} ${operation.unfinishedBecause(name)}`);
    }
  }
  return lines;
}
