import type { HostTimingName } from '@griddep/machine';
import type { Call, CallOf, Picoseconds } from '@griddep/program';

/** Host timing constants in picoseconds (rates in bytes per second). */
export type HostTimes = Readonly<Record<HostTimingName, number>>;

/** What the cost of a call depends on beyond the call. */
export interface CostContext {
  readonly times: HostTimes;
  readonly captured: boolean;
  /** For records: whether the event has timing enabled. For waits: whether the event is of another device. */
  readonly timing: boolean;
  readonly otherDevice: boolean;
  /** The thread has used more than one device. */
  readonly severalDevices: boolean;
  /** For peer copies: whether the stream belongs to the source. */
  readonly fromSource: boolean;
  /** For peer copies: whether both sides are the same device; chunks that pass through the host, 0 if none does. */
  readonly within: boolean;
  readonly stagedChunks: number;
  /** The launch has the programmatic attribute, on a device that takes it. */
  readonly programmatic: boolean;
  /** Nodes of the graph that is instantiated or launched. */
  readonly nodes: number;
  /** Bytes by which a pool must grow, or of pinned memory made. */
  readonly grownBytes: number;
  readonly firstAllocation: boolean;
}

/**
 * Time a call keeps its host thread busy, in picoseconds, apart from what it waits for.
 * Source of the constants: the machine's host profile.
 */
export function callCost(call: Call, context: CostContext): Picoseconds {
  const { times } = context;
  if (context.captured) return times.capturedCall;
  switch (call.kind) {
    case 'launchKernel':
    case 'collective':
      return launchCost(context);
    case 'memcpy':
      return copyCost(call, context);
    case 'memset':
      return times.memset;
    case 'eventRecord':
      return context.timing ? times.eventRecordTiming : times.eventRecord;
    case 'streamWaitEvent':
      return context.otherDevice ? times.streamWaitEventOtherDevice : times.streamWaitEvent;
    case 'streamSynchronize':
    case 'eventSynchronize':
    case 'deviceSynchronize':
    case 'streamQuery':
    case 'eventQuery':
      return times.query;
    case 'eventElapsedTime':
      return times.elapsedTime;
    case 'launchHostFunc':
      return times.launchHostFunc;
    case 'malloc':
      return times.malloc;
    case 'free':
      return times.free;
    case 'mallocHost':
    case 'freeHost':
      return times.mallocHost + duration(context.grownBytes, times.mallocHostPerByte);
    case 'mallocAsync':
      return (
        (context.firstAllocation ? times.mallocAsyncFirst : times.mallocAsync) +
        duration(context.grownBytes, times.poolGrowth)
      );
    case 'freeAsync':
      return times.freeAsync;
    case 'setDevice':
      return times.setDevice;
    case 'deviceEnablePeerAccess':
    case 'deviceDisablePeerAccess':
      return times.peerAccess;
    case 'graphInstantiate':
      return times.graphInstantiate + context.nodes * times.graphInstantiatePerNode;
    case 'graphExecUpdate':
      return context.nodes * times.graphInstantiatePerNode;
    case 'graphUpload':
      return times.graphUpload;
    case 'graphLaunch':
      return times.graphLaunch + context.nodes * times.graphLaunchPerNode;
    case 'hostCompute':
      return call.duration;
    case 'streamBeginCapture':
    case 'streamEndCapture':
      return times.capturedCall;
    case 'hostRead':
    case 'hostWrite':
    case 'hostSignal':
    case 'hostAwait':
    case 'hostSetenv':
    case 'rangePush':
    case 'rangePop':
      return 0;
  }
}

function launchCost({ times, severalDevices, programmatic }: CostContext): Picoseconds {
  const base = programmatic ? times.launchKernelProgrammatic : times.launchKernel;
  return base + (severalDevices ? times.severalDevices : 0);
}

function copyCost(call: CallOf<'memcpy'>, context: CostContext): Picoseconds {
  const { times, fromSource, within, stagedChunks } = context;
  switch (call.copy) {
    case 'hostToDevice':
      return times.memcpyUp;
    case 'deviceToHost':
      return times.memcpyDown;
    case 'deviceToDevice':
      return times.memcpyWithin;
    case 'hostToHost':
      // Takes its time once the stream's earlier work is complete.
      return 0;
    case 'peer':
      if (within) return times.memcpyWithin;
      if (stagedChunks > 0) return times.memcpyPeerStaged + (stagedChunks - 1) * times.memcpyPeerStagedChunk;
      return fromSource ? times.memcpyPeerWrite : times.memcpyPeerRead;
  }
}

/** Time to move bytes at a rate of bytes per second, in whole picoseconds. */
export function duration(bytes: number, bytesPerSecond: number): Picoseconds {
  return bytes === 0 ? 0 : Math.round((bytes / bytesPerSecond) * 1e12);
}
