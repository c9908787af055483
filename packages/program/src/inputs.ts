import type { CopyKind, HostMemory } from './calls.ts';
import type { Access, BlockCondition, CollectiveBody, DurationBody } from './kernel.ts';
import type { Ref } from './names.ts';
import type { BytesInput, DurationInput } from './quantity.ts';

/** Grid, block or cluster: x alone, or up to three dimensions; missing ones are 1. */
export type Dim3Input = number | readonly number[];

/**
 * A buffer by name, or part of one. `bytes` defaults to what the operation moves, or else to the rest of the buffer;
 * `blockStride` to 0, so that every block touches the same bytes.
 */
export type RangeInput =
  | Ref
  | {
      readonly buffer: Ref;
      readonly offset?: BytesInput | undefined;
      readonly bytes?: BytesInput | undefined;
      readonly blockStride?: BytesInput | undefined;
      readonly wrap?: BytesInput | undefined;
    };

export type PhaseInput =
  | { readonly op: 'spin'; readonly duration: DurationInput }
  | { readonly op: 'ramp'; readonly duration: DurationInput; readonly modulus: number }
  | { readonly op: 'fma'; readonly iterations: number }
  | {
      readonly op: 'load' | 'store';
      readonly bytes: BytesInput;
      readonly range?: RangeInput | undefined;
      readonly threadRate?: number | undefined;
      readonly evictFirst?: boolean | undefined;
    }
  | { readonly op: 'fence'; readonly scope?: 'block' | 'device' | 'system' | undefined }
  | { readonly op: 'trigger'; readonly when?: BlockCondition | undefined }
  | { readonly op: 'wait' | 'blockBarrier' | 'gridBarrier' }
  | { readonly op: 'signal' | 'await'; readonly flag: string; readonly value?: number | undefined };

export interface RoleInput {
  readonly name: string;
  readonly warps?: number | undefined;
  readonly phases: readonly PhaseInput[];
}

export interface AccessInput {
  readonly range: RangeInput;
  readonly mode: Access['mode'];
  /** Default `generic`. */
  readonly proxy?: Access['proxy'] | undefined;
  /** Default `device`. */
  readonly scope?: Access['scope'] | undefined;
  /** Default: the kernel's first role. */
  readonly role?: string | undefined;
  readonly phase: number;
}

export interface CollectiveInput {
  readonly operation: CollectiveBody['collective'];
  readonly group: string;
  readonly bytes: BytesInput;
}

/** A kernel; its body is exactly one of `phases`, `roles`, `duration`, `ptx` and `collective`. */
export interface KernelInput {
  readonly grid: Dim3Input;
  readonly block: Dim3Input;
  readonly cluster?: Dim3Input | undefined;
  /** Default 32. */
  readonly registersPerThread?: number | undefined;
  readonly staticSharedMemory?: BytesInput | undefined;
  readonly dynamicSharedMemory?: BytesInput | undefined;
  readonly launchBounds?:
    | { readonly maxThreadsPerBlock: number; readonly minBlocksPerSm?: number | undefined }
    | undefined;
  readonly parameters?: readonly (string | { readonly name: string; readonly buffer?: Ref | undefined })[] | undefined;
  readonly target?: string | undefined;
  /** Default: true when a phase triggers or waits, and for PTX; false for a `target` below sm_90. */
  readonly griddepcontrol?: boolean | undefined;
  readonly instrumented?: boolean | undefined;
  readonly accesses?: readonly AccessInput[] | undefined;
  readonly phases?: readonly PhaseInput[] | undefined;
  readonly roles?: readonly RoleInput[] | undefined;
  readonly duration?: DurationInput | undefined;
  /** Who measured `duration`; default `blocks`. */
  readonly observer?: DurationBody['observer'] | undefined;
  readonly ptx?:
    | { readonly file: string; readonly entry: string; readonly duration?: DurationInput | undefined }
    | undefined;
  readonly collective?: CollectiveInput | undefined;
}

export interface StreamInput {
  /** Default 0. */
  readonly device?: number | undefined;
  /** Default `blocking`, as cudaStreamCreate makes; `legacy` and `perThread` for streams of these names. */
  readonly kind?: 'blocking' | 'nonBlocking' | 'legacy' | 'perThread' | undefined;
  /** Default 0; smaller is higher. */
  readonly priority?: number | undefined;
}

export interface EventInput {
  readonly device?: number | undefined;
  /** Default true; false for cudaEventDisableTiming. */
  readonly timing?: boolean | undefined;
  readonly interprocess?: boolean | undefined;
}

export interface BufferInput {
  readonly bytes: BytesInput;
  /** Default `device`. */
  readonly space?: 'device' | 'host' | undefined;
  readonly device?: number | undefined;
  /** Default `pageable`, as malloc gives. */
  readonly hostMemory?: HostMemory | undefined;
  /** Identity of the allocation it lies in; default its own name. */
  readonly allocation?: string | undefined;
  readonly offset?: BytesInput | undefined;
}

export interface AttributesInput {
  readonly programmaticStreamSerialization?: boolean | undefined;
  readonly programmaticEvent?:
    | Ref
    | { readonly event: Ref; readonly triggerAtBlockStart?: boolean | undefined }
    | undefined;
  readonly launchCompletionEvent?: Ref | { readonly event: Ref } | undefined;
  readonly cooperative?: boolean | undefined;
  readonly clusterDimension?: Dim3Input | undefined;
  readonly priority?: number | undefined;
}

export interface CopyOptions {
  /** Default: that of the host buffer named, else `pageable`. */
  readonly hostMemory?: HostMemory | undefined;
  readonly source?: RangeInput | undefined;
  readonly destination?: RangeInput | undefined;
}

interface OnStream {
  readonly stream: Ref;
}
interface PeerCopy extends CopyOptions {
  readonly destinationDevice: number;
  readonly sourceDevice: number;
  readonly bytes: BytesInput;
}

/** Arguments of each call, by the name CUDA gives it (without `cuda`). */
export interface CallInputs {
  launchKernel: OnStream & {
    readonly kernel: Ref;
    readonly attributes?: AttributesInput | undefined;
    readonly args?: Readonly<Record<string, Ref>> | undefined;
  };
  memcpyAsync: OnStream & CopyOptions & { readonly copy: Exclude<CopyKind, 'peer'>; readonly bytes: BytesInput };
  /** `stream` defaults to the current device's legacy default stream. */
  memcpy: CopyOptions & {
    readonly copy: Exclude<CopyKind, 'peer'>;
    readonly bytes: BytesInput;
    readonly stream?: Ref | undefined;
  };
  memcpyPeerAsync: OnStream & PeerCopy;
  memcpyPeer: PeerCopy & { readonly stream?: Ref | undefined };
  memsetAsync: OnStream & { readonly bytes: BytesInput; readonly destination?: RangeInput | undefined };
  memset: {
    readonly bytes: BytesInput;
    readonly destination?: RangeInput | undefined;
    readonly stream?: Ref | undefined;
  };
  eventRecord: OnStream & { readonly event: Ref; readonly external?: boolean | undefined };
  streamWaitEvent: OnStream & { readonly event: Ref; readonly external?: boolean | undefined };
  streamSynchronize: OnStream;
  streamQuery: OnStream;
  eventSynchronize: { readonly event: Ref };
  eventQuery: { readonly event: Ref };
  deviceSynchronize: Readonly<Record<never, never>>;
  eventElapsedTime: { readonly start: Ref; readonly end: Ref };
  launchHostFunc: OnStream & { readonly duration: DurationInput };
  malloc: { readonly buffer: Ref };
  free: { readonly buffer: Ref };
  mallocAsync: OnStream & { readonly buffer: Ref };
  freeAsync: OnStream & { readonly buffer: Ref };
  mallocHost: { readonly buffer: Ref };
  freeHost: { readonly buffer: Ref };
  setDevice: { readonly device: number };
  deviceEnablePeerAccess: { readonly peer: number };
  deviceDisablePeerAccess: { readonly peer: number };
  streamBeginCapture: OnStream & { readonly mode?: 'global' | 'threadLocal' | 'relaxed' | undefined };
  streamEndCapture: OnStream & { readonly graph: Ref };
  graphInstantiate: { readonly graph: Ref; readonly executable: string };
  graphUpload: OnStream & { readonly executable: string };
  graphLaunch: OnStream & { readonly executable: string };
  graphExecUpdate: { readonly executable: string; readonly graph: Ref };
  collective: OnStream & CollectiveInput;
  hostCompute: { readonly duration: DurationInput };
  hostRead: { readonly range: RangeInput };
  hostWrite: { readonly range: RangeInput };
  hostSignal: { readonly flag: string; readonly value?: number | undefined };
  hostAwait: { readonly flag: string; readonly value?: number | undefined };
  hostSetenv: { readonly name: string; readonly value: string | number };
  rangePush: { readonly name: string };
  rangePop: Readonly<Record<never, never>>;
}
export type CallName = keyof CallInputs;

/** A call by name, as one-key object: `{ eventRecord: { event: 'e', stream: 's' } }`. */
export type CallInput = { [K in CallName]: { readonly [N in K]: CallInputs[K] } }[CallName];

/** A node of a hand-made graph. */
export type GraphNodeInput = { readonly id: string; readonly call: CallInput };

/** An edge; ports and types as in docs/RULES.md 4.1-4.3. As a tuple, the third element is the type. */
export type GraphEdgeInput =
  | readonly [from: string, to: string, type?: 'full' | 'programmatic']
  | {
      readonly from: string;
      readonly to: string;
      /** Default `programmatic` on a programmatic edge, else `default`. */
      readonly fromPort?: 'default' | 'programmatic' | 'launchCompletion' | undefined;
      readonly type?: 'full' | 'programmatic' | undefined;
    };
