import type { CopyKind, HostMemory } from '@griddep/program';

/**
 * What a profiler saw, whichever it was: the host's calls, what ran on devices, and what tied them. All times are
 * integer picoseconds since `epoch`. Calls and operations meet by correlation id within a process.
 */
export interface Trace {
  /** File that it was read from, for messages. */
  readonly file: string;
  readonly source: 'kineto' | 'nsys';
  /** Version of the schema, where the file tells it. */
  readonly version: string;
  /** Instant 0 in nanoseconds of the profiler's clock. */
  readonly epoch: bigint;
  /** Finest step of the file's times, ps. */
  readonly resolution: number;
  /** Rank in a distributed job, where told. */
  readonly rank: number | undefined;
  readonly devices: readonly TraceDevice[];
  /** Host threads that made calls. */
  readonly threads: readonly TraceThread[];
  /** In order of begin. */
  readonly calls: readonly TraceCall[];
  /** In order of start. */
  readonly operations: readonly TraceOperation[];
  readonly waits: readonly TraceWait[];
  readonly records: readonly TraceRecord[];
  readonly streams: readonly TraceStream[];
  /** NVTX ranges, CPU operators and annotations of host threads. */
  readonly ranges: RangeColumns;
  /** What was left out, by kind, and how often. */
  readonly ignored: ReadonlyMap<string, number>;
  /** What is wrong with the file, where as much as possible was to be read of it. */
  readonly cut: string | undefined;
}

export interface TraceDevice {
  readonly id: number;
  readonly name: string;
  readonly sms: number;
}

export interface TraceThread {
  readonly process: string;
  readonly name: string;
}

export interface TraceCall {
  /** As the profiler gave it, without a version suffix: `cudaLaunchKernel`. */
  readonly name: string;
  /** Index of the thread. */
  readonly thread: number;
  readonly start: number;
  readonly end: number;
  /** 0 where there is none. */
  readonly correlation: number;
}

export interface TraceOperation {
  /** `graph` is a whole graph launch that was recorded as one interval. */
  readonly kind: 'kernel' | 'copy' | 'memset' | 'graph';
  readonly name: string;
  readonly process: string;
  readonly device: number;
  readonly context: number;
  readonly stream: number;
  readonly start: number;
  readonly end: number;
  readonly correlation: number;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly cluster?: readonly [number, number, number];
  readonly registers: number;
  readonly staticSharedMemory: number;
  readonly dynamicSharedMemory: number;
  readonly bytes: number;
  readonly copy?: CopyKind;
  readonly hostMemory?: HostMemory;
  readonly sourceDevice?: number;
  readonly destinationDevice?: number;
  /** 0 where it is part of no graph, or the file does not tell. */
  readonly graphNode: number;
  readonly collective?: TraceCollective;
}

/** A collective that a kernel takes part in. */
export interface TraceCollective {
  readonly name: string;
  /** Name of the process group, with its ranks. */
  readonly group: string;
  readonly size: number;
}

/** A wait for the device: of a stream for an event, or of the host. -1 stands for what the profiler did not know. */
export interface TraceWait {
  readonly kind: 'streamWait' | 'event' | 'stream' | 'context';
  readonly process: string;
  readonly device: number;
  readonly context: number;
  /** The stream that waits (`streamWait`), or that is waited for. */
  readonly stream: number;
  readonly correlation: number;
  readonly event: number;
  /** Number of the synchronisation, which the record names too; -1 where unknown. */
  readonly sync: number;
  /** Correlation of the record that is waited for. */
  readonly record: number;
  readonly recordStream: number;
}

export interface TraceRecord {
  readonly process: string;
  readonly device: number;
  readonly context: number;
  readonly stream: number;
  readonly correlation: number;
  readonly event: number;
  /** Number of the synchronisation, which waits for it name too; -1 where unknown. */
  readonly sync: number;
}

export interface TraceStream {
  readonly process: string;
  readonly context: number;
  readonly id: number;
  readonly kind: 'blocking' | 'nonBlocking' | 'legacy';
  readonly priority: number;
}

/** Ranges of host threads in columns: there may be millions. */
export interface RangeColumns {
  readonly length: number;
  readonly names: readonly string[];
  /** Index into `names`. */
  readonly name: Uint32Array;
  readonly thread: Uint32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** 1 where a step or another part of the work was named by the user, 0 for operators of the framework. */
  readonly isAnnotation: Uint8Array;
}
