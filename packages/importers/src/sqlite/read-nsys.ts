import type { HostMemory } from '@griddep/program';
import sqlite from 'node-sqlite3-wasm';
import { RangeBuilder } from '../range-builder.ts';
import type {
  Trace,
  TraceCall,
  TraceDevice,
  TraceOperation,
  TraceRecord,
  TraceStream,
  TraceThread,
  TraceWait,
} from '../trace.ts';
import { TraceError } from '../trace-error.ts';
import { COPIES, NO_EVENT, NVTX_RANGES, WAITS } from './codes.ts';
import { processOf, threadOf } from './global-id.ts';
import { type Row, Tables, whole } from './tables.ts';

export interface NsysOptions {
  /** Name in messages; the path by default. */
  readonly file?: string;
  /** Leave out rows that make no sense. */
  readonly partial?: boolean;
  readonly onProgress?: (rows: number) => void;
}

const SPAN = ['start', 'end'];
const PLACE = [...SPAN, 'deviceId', 'streamId'];
/**
 * Reads an SQLite export of Nsight Systems (schemas 2.9 to 3.25).
 *
 * @throws TraceError
 */
export function readNsys(path: string, options: NsysOptions = {}): Trace {
  const { file = path } = options;
  let database: InstanceType<typeof sqlite.Database>;
  try {
    database = new sqlite.Database(path, { readOnly: true, fileMustExist: true });
  } catch (error) {
    throw new TraceError(`${file}: cannot be opened as SQLite: ${(error as Error).message}`);
  }
  try {
    return new NsysReader(database, file, options).read();
  } catch (error) {
    if (error instanceof TraceError) throw error;
    if ((error as Error).name !== 'SQLite3Error') throw error;
    throw new TraceError(`${file}: is damaged: ${(error as Error).message}`);
  } finally {
    database.close();
  }
}

class NsysReader {
  readonly #tables: Tables;
  readonly #file: string;
  readonly #options: NsysOptions;
  readonly #texts = new Map<number, string>();
  readonly #threads: TraceThread[] = [];
  readonly #threadIndices = new Map<string, number>();
  readonly #ignored = new Map<string, number>();
  readonly #ranges = new RangeBuilder();
  #base: bigint | undefined;
  #rows = 0;

  constructor(database: InstanceType<typeof sqlite.Database>, file: string, options: NsysOptions) {
    this.#tables = new Tables(database, file);
    this.#file = file;
    this.#options = options;
  }

  read(): Trace {
    const tables = this.#tables;
    if (!tables.isExport) throw new TraceError(`${this.#file}: is an SQLite file, but no export of Nsight Systems`);
    if (!tables.has('StringIds'))
      throw new TraceError(`${this.#file}: lacks the table StringIds, which holds all names`);
    for (const row of tables.rows('StringIds', ['id', 'value']))
      this.#texts.set(whole(row.id), String(row.value ?? ''));
    const operations = [...this.#kernels(), ...this.#copies(), ...this.#memsets(), ...this.#graphs()];
    if (operations.length === 0) {
      throw new TraceError(
        `${this.#file}: has no kernel, copy or memset: record CUDA with \`nsys profile --trace=cuda\``,
      );
    }
    const calls = [...this.#calls()];
    if (calls.length === 0) this.#ignored.set('calls of the host: the table CUPTI_ACTIVITY_KIND_RUNTIME is missing', 1);
    const waits = [...this.#waits()];
    const records = [...this.#records()];
    this.#nvtx();
    return {
      file: this.#file,
      source: 'nsys',
      version: this.#version(),
      epoch: this.#base ?? 0n,
      resolution: 1000,
      rank: undefined,
      devices: this.#devices(operations),
      threads: this.#threads,
      calls: calls.sort((a, b) => a.start - b.start || b.end - a.end),
      operations: operations.sort((a, b) => a.start - b.start || a.correlation - b.correlation),
      waits,
      records,
      streams: [...this.#streams()],
      ranges: this.#ranges.finish(),
      ignored: this.#ignored,
      cut: undefined,
    };
  }

  #version(): string {
    for (const row of this.#tables.rows('META_DATA_EXPORT', ['name', 'value'])) {
      if (row.name === 'EXPORT_SCHEMA_VERSION') return String(row.value);
    }
    return '';
  }

  *#kernels(): Generator<TraceOperation> {
    for (const row of this.#spans('CUPTI_ACTIVITY_KIND_KERNEL', PLACE)) {
      const cluster = [whole(row.clusterX), whole(row.clusterY), whole(row.clusterZ)] as const;
      yield {
        ...this.#operation('kernel', this.#text(row.demangledName ?? row.shortName), row),
        grid: [whole(row.gridX, 1), whole(row.gridY, 1), whole(row.gridZ, 1)],
        block: [whole(row.blockX, 1), whole(row.blockY, 1), whole(row.blockZ, 1)],
        ...(cluster[0] > 0 && cluster[1] > 0 && cluster[2] > 0 ? { cluster } : {}),
        registers: whole(row.registersPerThread),
        staticSharedMemory: whole(row.staticSharedMemory),
        dynamicSharedMemory: whole(row.dynamicSharedMemory),
      };
    }
  }

  *#copies(): Generator<TraceOperation> {
    for (const row of this.#spans('CUPTI_ACTIVITY_KIND_MEMCPY', [...PLACE, 'bytes', 'copyKind'])) {
      const copy = COPIES.get(whole(row.copyKind)) ?? 'deviceToDevice';
      const host = copy === 'hostToDevice' ? row.srcKind : row.dstKind;
      const hostMemory: HostMemory =
        host !== undefined && host !== null && whole(host, 1) === 0 ? 'pageable' : 'pinned';
      const peers =
        copy === 'peer' && typeof row.srcDeviceId === 'number' && typeof row.dstDeviceId === 'number'
          ? { sourceDevice: row.srcDeviceId, destinationDevice: row.dstDeviceId }
          : {};
      yield { ...this.#operation('copy', `Memcpy ${copy}`, row), copy, hostMemory, ...peers };
    }
  }

  *#memsets(): Generator<TraceOperation> {
    for (const row of this.#spans('CUPTI_ACTIVITY_KIND_MEMSET', PLACE)) yield this.#operation('memset', 'Memset', row);
  }

  /** Graph launches that were recorded as a whole, without their nodes. */
  *#graphs(): Generator<TraceOperation> {
    for (const row of this.#spans('CUPTI_ACTIVITY_KIND_GRAPH_TRACE', PLACE)) {
      yield this.#operation('graph', `graph ${whole(row.graphId)}`, row);
    }
  }

  #operation(kind: TraceOperation['kind'], name: string, row: Row): TraceOperation {
    return {
      kind,
      name,
      process: processOf(row.globalPid),
      device: whole(row.deviceId),
      context: whole(row.contextId),
      stream: whole(row.streamId),
      start: this.#time(row.start),
      end: this.#time(row.end),
      correlation: whole(row.correlationId),
      grid: [1, 1, 1],
      block: [1, 1, 1],
      registers: 0,
      staticSharedMemory: 0,
      dynamicSharedMemory: 0,
      bytes: whole(row.bytes),
      graphNode: whole(row.graphNodeId),
    };
  }

  *#calls(): Generator<TraceCall> {
    for (const table of ['CUPTI_ACTIVITY_KIND_RUNTIME', 'CUPTI_ACTIVITY_KIND_DRIVER']) {
      for (const row of this.#spans(table, [...SPAN, 'nameId'])) {
        yield {
          name: this.#text(row.nameId).replace(/_v\d+$/, ''),
          thread: this.#thread(row.globalTid),
          start: this.#time(row.start),
          end: this.#time(row.end),
          correlation: whole(row.correlationId),
        };
      }
    }
  }

  *#waits(): Generator<TraceWait> {
    for (const row of this.#tables.rows('CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', SPAN, 'start')) {
      const kind = WAITS.get(whole(row.syncType ?? row.deprecatedSyncType));
      if (kind === undefined) continue;
      const event = whole(row.eventSyncId ?? row.eventId, NO_EVENT);
      yield {
        kind,
        process: processOf(row.globalPid),
        device: whole(row.deviceId, -1),
        context: whole(row.contextId),
        stream: whole(row.streamId, NO_EVENT) === NO_EVENT ? -1 : whole(row.streamId),
        correlation: whole(row.correlationId),
        event: event === NO_EVENT ? -1 : whole(row.eventId, -1),
        sync: event === NO_EVENT ? -1 : whole(row.eventSyncId, -1),
        record: -1,
        recordStream: -1,
      };
    }
  }

  *#records(): Generator<TraceRecord> {
    for (const row of this.#tables.rows('CUPTI_ACTIVITY_KIND_CUDA_EVENT', ['streamId', 'eventId'])) {
      yield {
        process: processOf(row.globalPid),
        device: whole(row.deviceId),
        context: whole(row.contextId),
        stream: whole(row.streamId),
        correlation: whole(row.correlationId),
        event: whole(row.eventId),
        sync: whole(row.eventSyncId, -1),
      };
    }
  }

  *#streams(): Generator<TraceStream> {
    for (const row of this.#tables.rows('TARGET_INFO_CUDA_STREAM', ['streamId'])) {
      const flag = whole(row.flag);
      // Priorities are stored as unsigned numbers of 32 bits.
      const priority = whole(row.priority) | 0;
      yield {
        process: String(whole(row.processId)),
        context: whole(row.contextId),
        id: whole(row.streamId),
        kind: flag === 3 ? 'legacy' : flag === 1 ? 'blocking' : 'nonBlocking',
        priority,
      };
    }
  }

  #devices(operations: readonly TraceOperation[]): TraceDevice[] {
    const byGpu = new Map<number, { name: string; sms: number }>();
    for (const row of this.#tables.rows('TARGET_INFO_GPU', ['id'])) {
      byGpu.set(whole(row.id), { name: String(row.name ?? ''), sms: whole(row.smCount) });
    }
    const used = [...new Set(operations.map(({ device }) => device))].sort((a, b) => a - b);
    return used.map((id) => ({ id, ...(byGpu.get(id) ?? { name: '', sms: 0 }) }));
  }

  #nvtx(): void {
    for (const row of this.#tables.rows('NVTX_EVENTS', ['start', 'eventType'], 'start')) {
      if (!NVTX_RANGES.has(whole(row.eventType)) || row.end === null || row.end === undefined) continue;
      const name = typeof row.text === 'string' ? row.text : this.#text(row.textId);
      if (whole(row.end) < whole(row.start)) continue;
      this.#ranges.add(name, this.#thread(row.globalTid), this.#time(row.start), this.#time(row.end), true);
    }
  }

  /** Rows that have a begin and an end, checked. */
  *#spans(table: string, required: readonly string[]): Generator<Row> {
    for (const row of this.#tables.rows(table, required, 'start')) {
      this.#rows++;
      if (this.#rows % 65_536 === 0) this.#options.onProgress?.(this.#rows);
      if (whole(row.end, -1) >= whole(row.start)) {
        yield row;
        continue;
      }
      if (this.#options.partial !== true) {
        const lasts = `${(whole(row.end) - whole(row.start)) / 1000} us`;
        throw new TraceError(
          `${this.#file}: a row of ${table} lasts ${lasts}, a negative time; --partial leaves it out`,
        );
      }
      this.#ignored.set('rows of negative duration', (this.#ignored.get('rows of negative duration') ?? 0) + 1);
    }
  }

  #time(value: Row[string]): number {
    const nanoseconds = typeof value === 'bigint' ? value : BigInt(whole(value));
    this.#base ??= nanoseconds;
    return Number(nanoseconds - this.#base) * 1000;
  }

  #text(id: Row[string]): string {
    return this.#texts.get(whole(id, -1)) ?? 'unnamed';
  }

  #thread(id: Row[string]): number {
    const key = String(id);
    let index = this.#threadIndices.get(key);
    if (index === undefined) {
      index = this.#threads.length;
      this.#threadIndices.set(key, index);
      this.#threads.push({ process: processOf(id), name: threadOf(id) });
    }
    return index;
  }
}
