import type { BlockCause, CudaError } from '@griddep/cuda';
import type { Call } from '@griddep/program';
import type { OperationKind } from '@griddep/timeline';

/** What the host knows of an operation: identity, and when its call began and returned. */
export interface HostRecord {
  readonly op: number;
  /** In the timeline; given when the records of all hosts are joined. */
  id: string;
  /** The author's id of it, if any; of a graph's node and of the half of a staged copy its id within that. */
  readonly label: string | undefined;
  /** A part of the operation before it: a graph's node, or the half of a staged copy. */
  readonly isPart: boolean;
  readonly kind: OperationKind;
  readonly name: string;
  readonly device: number;
  readonly stream: string;
  readonly thread: string;
  readonly path: string;
  readonly origin: string;
  readonly callBegin: number;
  callEnd: number;
  readonly bytes: number;
  readonly blocks: number;
  /** What the call waited for, in order of time; undefined if it did not. */
  waitedFor: readonly HostWait[] | undefined;
}

/** A wait of a host thread: for room in a queue before the call, or in the call. Times in ps. */
export interface HostWait {
  /** The operation that it waited for, or -1. */
  readonly op: number;
  readonly from: number;
  readonly until: number;
  readonly kind: 'synchronize' | 'queueFull' | 'flag' | BlockCause;
  readonly detail?: string;
}

/** A host thread that never ends. */
interface Unfinished {
  /** Its index in the program, and its name. */
  readonly thread: number;
  readonly name: string;
  /** How many calls it has made, with the one it is in. */
  readonly made: number;
  /** What it waits in, in words; undefined for the call that `at` names. */
  readonly call: string | undefined;
  /** The call's operation, or -1. */
  readonly at: number;
  /** The operation that it waits for, or -1. */
  readonly op: number;
  /** The stream whose queue is full. */
  readonly fullStream?: string;
  /** The flag that it waits for. */
  readonly flag?: { readonly name: string; readonly value: number };
}

/** What the host has recorded of a run. */
export interface HostResult {
  /** In order of the calls. */
  readonly records: readonly HostRecord[];
  readonly errors: readonly { readonly op: number; readonly error: CudaError }[];
  /** Time at which the last thread came to its end, ps. */
  readonly end: number;
  /** Threads that did not, with the call they are in and the operation it waits for, or -1. */
  readonly unfinished: readonly Unfinished[];
}

/** Kind and name in the timeline, or undefined for calls that leave no trace there. */
export function describeCall(call: Call): { kind: OperationKind; name: string } | undefined {
  switch (call.kind) {
    case 'launchKernel':
      return { kind: 'kernel', name: call.kernel };
    case 'memcpy':
      return { kind: call.copy === 'hostToHost' || call.bytes === 0 ? 'hostCall' : 'copy', name: call.copy };
    case 'memset':
      return { kind: call.bytes === 0 ? 'hostCall' : 'memset', name: 'memset' };
    case 'eventRecord':
      return { kind: 'eventRecord', name: call.event };
    case 'streamWaitEvent':
      return { kind: 'eventWait', name: call.event };
    case 'launchHostFunc':
      return { kind: 'hostFunction', name: 'hostFunction' };
    case 'mallocAsync':
    case 'freeAsync':
      return { kind: 'allocation', name: call.kind };
    case 'graphLaunch':
      return { kind: 'graph', name: call.executable };
    case 'graphUpload':
      return { kind: 'hostCall', name: 'graphUpload' };
    case 'collective':
      return { kind: 'collective', name: call.collective };
    case 'setDevice':
    case 'hostSetenv':
    case 'rangePush':
    case 'rangePop':
    case 'hostSignal':
    case 'hostRead':
    case 'hostWrite':
    case 'streamBeginCapture':
    case 'streamEndCapture':
      return undefined;
    default:
      return { kind: 'hostCall', name: call.kind };
  }
}
