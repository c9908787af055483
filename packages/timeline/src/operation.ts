/** Virtual time in integer picoseconds since the start of the simulation; NaN where an operation has no such instant. */
export type Instant = number;

/** What an operation is. Host calls stand in the timeline too, as operations of their thread. */
export type OperationKind =
  | 'kernel'
  | 'copy'
  | 'memset'
  | 'eventRecord'
  | 'eventWait'
  | 'hostFunction'
  | 'allocation'
  | 'graph'
  | 'collective'
  | 'hostCall';

/** Whether it is a grid of blocks: kernels, and collectives as NCCL's kernels are. */
export function runsOnSms(kind: OperationKind): boolean {
  return kind === 'kernel' || kind === 'collective';
}

/**
 * Why something started when it did, or what it waited for: the condition that was satisfied last.
 * `operation` is the index of the operation that satisfied it, where there is one.
 */
export type CauseKind =
  /** The host's call reached the device; the operation, if any, is the call that had held its thread before. */
  | 'host'
  /** The predecessor in the stream completed. */
  | 'stream'
  /** The predecessor allowed the early launch: all its blocks had triggered or exited. */
  | 'trigger'
  /** An event that the stream waited for. */
  | 'event'
  /** A programmatic or launch-completion event or graph edge. */
  | 'programmaticEvent'
  | 'launchCompletion'
  /** Implicit order with the legacy default stream. */
  | 'legacyStream'
  /** Another command at the head of the same hardware queue. */
  | 'hardwareQueue'
  /** The front end was processing another launch. */
  | 'launchProcessing'
  /** No room on any SM; `detail` names the resource. */
  | 'resources'
  /** An SM had to be empty to change its shared-memory carve-out. */
  | 'carveOut'
  /** All slots for resident grids were taken. */
  | 'residentGrids'
  /** Blocks of a grid of higher priority, or earlier in line, went first. */
  | 'priority'
  /** The copy engine was busy. */
  | 'engine'
  /** Staging through pinned memory. */
  | 'staging'
  /** An implicit synchronisation (allocation, legacy call). */
  | 'implicitSync'
  /** A dependency in a graph. */
  | 'graphEdge'
  /** The host's queue of pending work was full. */
  | 'queueFull'
  /** The host waited for the device. */
  | 'synchronize'
  /** A flag in memory. */
  | 'flag'
  /** The last member of a collective arrived. */
  | 'collective';

export interface Cause {
  readonly kind: CauseKind;
  /** Index of the operation in the timeline. */
  readonly operation?: number;
  /** For `resources`: registers, sharedMemory, threads, blocks, barriers, cluster; otherwise free text. */
  readonly detail?: string;
}

/**
 * One wait, in order of time: of the operation on the way to its start, or of the call that made it, before or in the
 * call. `until` is when its condition was satisfied.
 */
export interface Wait extends Cause {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * Time of the blocks against the time that those of the operation which were there would have taken had nothing else used the
 * resource, at least 1. What blocks of one kernel cost each other is no slowdown.
 */
export interface Slowdown {
  readonly resource: 'arithmetic' | 'deviceMemory' | 'link' | 'engine';
  readonly factor: number;
}

/** One operation. Instants are the device's own; `view.ts` derives what other observers would see. */
export interface Operation {
  /** Stable id: the author's label, or made from the call (`rms#12`); unique within a timeline. */
  readonly id: string;
  readonly kind: OperationKind;
  /** Kernel, event or call name. */
  readonly name: string;
  /** Device index, or -1 for the host. */
  readonly device: number;
  /** Name of the stream; of the thread for host calls. */
  readonly stream: string;
  readonly thread: string;
  /** Group path (module, layer, NVTX range), parts joined by `/`. */
  readonly path: string;
  /** `file:line:column` where the call stands, or empty. */
  readonly origin: string;
  /** The host's call: begin and return. */
  readonly callBegin: Instant;
  readonly callEnd: Instant;
  /** The command reached the device. */
  readonly enqueue: Instant;
  /** Its conditions held and processing began. */
  readonly processing: Instant;
  /** First and last block start; for copies the transfer's start (first) and NaN (last). */
  readonly start: Instant;
  readonly lastStart: Instant;
  readonly firstTrigger: Instant;
  readonly lastTrigger: Instant;
  readonly firstRelease: Instant;
  readonly lastRelease: Instant;
  readonly firstEnd: Instant;
  /** Last block end; the transfer's end. */
  readonly end: Instant;
  /** Complete and flushed: what follows in the stream may rely on it. */
  readonly completion: Instant;
  readonly blocks: number;
  /** SMs used, and the most blocks of it on one SM at once. */
  readonly sms: number;
  readonly maxBlocksPerSm: number;
  /** Hardware queue (kernels) or copy engine or link; empty where none. */
  readonly unit: string;
  readonly bytes: number;
  readonly cause: Cause;
  readonly waits: readonly Wait[];
  readonly slowdown: readonly Slowdown[];
  /** True if launched with programmatic stream serialisation or a programmatic edge. */
  readonly programmatic: boolean;
}
