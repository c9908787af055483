import type { BufferRange, CollectiveBody } from './kernel.ts';
import type { Bytes, Dim3, Picoseconds } from './units.ts';

/** Attributes of cudaLaunchKernelEx; names as CUDA's without the prefix `cudaLaunchAttribute`. */
export interface LaunchAttributes {
  /** Attribute 6: programmatic dependent launch. */
  readonly programmaticStreamSerialization?: boolean;
  /** Attribute 7 (rules 3.1-3.3). */
  readonly programmaticEvent?: { readonly event: string; readonly triggerAtBlockStart: boolean };
  /** Attribute 12 (rule 3.4). */
  readonly launchCompletionEvent?: { readonly event: string };
  readonly cooperative?: boolean;
  readonly clusterDimension?: Dim3;
  readonly priority?: number;
}

export type CopyKind = 'hostToDevice' | 'deviceToHost' | 'deviceToDevice' | 'hostToHost' | 'peer';
export type HostMemory = 'pinned' | 'pageable';

/**
 * One call of a host thread, named as the CUDA runtime names it without `cuda`. Streams, events, kernels, buffers and
 * graphs are named, and the reader has checked the names. `async` calls only enqueue.
 */
export type Call =
  | {
      readonly kind: 'launchKernel';
      readonly kernel: string;
      readonly stream: string;
      readonly attributes: LaunchAttributes;
      /** Overrides of the kernel's buffers, by parameter. */
      readonly args?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'memcpy';
      readonly copy: CopyKind;
      readonly bytes: Bytes;
      readonly stream: string;
      readonly async: boolean;
      /** Kind of the host side's memory; meaningless for copies without one. */
      readonly hostMemory: HostMemory;
      readonly source?: BufferRange;
      readonly destination?: BufferRange;
      /** For peer copies: the devices; the copy runs in `stream`, of either. */
      readonly sourceDevice?: number;
      readonly destinationDevice?: number;
    }
  | {
      readonly kind: 'memset';
      readonly bytes: Bytes;
      readonly stream: string;
      readonly async: boolean;
      readonly destination?: BufferRange;
    }
  | { readonly kind: 'eventRecord'; readonly event: string; readonly stream: string; readonly external?: boolean }
  | { readonly kind: 'streamWaitEvent'; readonly stream: string; readonly event: string; readonly external?: boolean }
  | { readonly kind: 'streamSynchronize'; readonly stream: string }
  | { readonly kind: 'eventSynchronize'; readonly event: string }
  | { readonly kind: 'deviceSynchronize' }
  | { readonly kind: 'streamQuery'; readonly stream: string }
  | { readonly kind: 'eventQuery'; readonly event: string }
  | { readonly kind: 'eventElapsedTime'; readonly start: string; readonly end: string }
  | { readonly kind: 'launchHostFunc'; readonly stream: string; readonly duration: Picoseconds }
  | { readonly kind: 'malloc' | 'free'; readonly buffer: string }
  | { readonly kind: 'mallocAsync' | 'freeAsync'; readonly buffer: string; readonly stream: string }
  | { readonly kind: 'mallocHost' | 'freeHost'; readonly buffer: string }
  | { readonly kind: 'setDevice'; readonly device: number }
  | { readonly kind: 'deviceEnablePeerAccess' | 'deviceDisablePeerAccess'; readonly peer: number }
  | {
      readonly kind: 'streamBeginCapture';
      readonly stream: string;
      readonly mode: 'global' | 'threadLocal' | 'relaxed';
    }
  | { readonly kind: 'streamEndCapture'; readonly stream: string; readonly graph: string }
  | { readonly kind: 'graphInstantiate'; readonly graph: string; readonly executable: string }
  | { readonly kind: 'graphUpload' | 'graphLaunch'; readonly executable: string; readonly stream: string }
  | { readonly kind: 'graphExecUpdate'; readonly executable: string; readonly graph: string }
  | {
      readonly kind: 'collective';
      readonly collective: CollectiveBody['collective'];
      readonly group: string;
      readonly bytes: Bytes;
      readonly stream: string;
    }
  /** The host computes, or otherwise spends time outside CUDA. */
  | { readonly kind: 'hostCompute'; readonly duration: Picoseconds }
  | { readonly kind: 'hostRead' | 'hostWrite'; readonly range: BufferRange }
  /** The host writes a flag in mapped memory that kernels await, or spins on one that they signal. */
  | { readonly kind: 'hostSignal' | 'hostAwait'; readonly flag: string; readonly value: number }
  /** The host sets a variable of its environment; of those that CUDA reads, docs/RULES.md 5.11. */
  | { readonly kind: 'hostSetenv'; readonly name: string; readonly value: string }
  /** NVTX range: names what is enqueued until its end. */
  | { readonly kind: 'rangePush'; readonly name: string }
  | { readonly kind: 'rangePop' };

export type CallKind = Call['kind'];
/** The calls of a kind (several kinds can share one shape). */
export type CallOf<K extends CallKind, C extends Call = Call> = C extends { readonly kind: infer Kind }
  ? Extract<Kind, K> extends never
    ? never
    : C
  : never;

/** Where a call was written. `line` and `column` count from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
