import type { CallOf } from '@griddep/program';
import { duration } from './call-cost.ts';
import type { CopyWork } from './commands.ts';
import { cudaError } from './errors.ts';
import type { Issued, RuntimeStream } from './issued.ts';
import type { PeerAccess } from './peer-access.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** Copies, and which of them keep the host waiting (rules 6.1 to 6.4, 6.8). */
export function memcpy(state: ProcessState, peers: PeerAccess, invocation: Invocation<CallOf<'memcpy'>>): Issued {
  const { thread } = invocation;
  const stream = state.stream(thread, invocation.call.stream);
  if (invocation.call.bytes === 0) return ofNothing(state, invocation, stream);
  const capture = state.captureOf(stream);
  // Addresses say where memory lies: a copy of device memory to that of another device is one between devices.
  const call = capture === undefined ? acrossDevices(state, invocation.call) : invocation.call;
  if (call.copy === 'hostToHost') {
    const time = duration(call.bytes, state.times.pageableUp);
    if (capture === undefined) return { ...state.done(invocation, [[stream.index, stream.last]]), afterwards: time };
    return state.work(invocation, stream, { type: 'hostFunction', duration: time });
  }
  if (capture !== undefined && call.copy === 'peer') {
    capture.invalidated = true;
    const error = cudaError('cudaErrorStreamCaptureUnsupported', 'a peer copy cannot be captured (rule 6.13)');
    return state.fail(invocation, error);
  }
  if (call.copy === 'peer') return betweenDevices(state, peers, { ...invocation, call }, stream);
  const work = copyWork(state, call, stream, capture === undefined && isStaged(call));
  const cause = isStaged(call) ? 'staging' : undefined;
  return state.work(invocation, stream, work, { blocks: awaitedByHost(state, call, stream), cause });
}

/**
 * A copy between devices: direct, or without access through the host's memory, where the call takes its time for every
 * chunk (rule 6.9). The blocking form comes after all work of both devices and the current one (rule 6.8).
 */
function betweenDevices(
  state: ProcessState,
  peers: PeerAccess,
  invocation: Invocation<CallOf<'memcpy'>>,
  stream: RuntimeStream,
): Issued {
  const { thread, call } = invocation;
  const { sourceDevice: source = stream.device, destinationDevice: destination = stream.device } = call;
  const unknown = [source, destination].find((device) => state.devices[device] === undefined);
  if (unknown !== undefined) {
    return state.fail(invocation, cudaError('cudaErrorInvalidDevice', `there are ${state.devices.length} devices`));
  }
  const blocks = blocksHost(state, call);
  const involved = new Set([source, destination, state.thread(thread).device]);
  const after = call.async ? [] : state.allPending([...involved], stream.index);
  const work = copyWork(state, call, stream, false);
  if (source === destination) {
    return state.work(invocation, stream, { ...work, copy: 'deviceToDevice' }, { blocks, after, within: true });
  }
  if (peers.direct(source, destination)) {
    return state.work(invocation, stream, work, { blocks, after, fromSource: source === stream.device });
  }
  const { peerStagingBytes: chunk, peerStagingBuffers: buffers, memcpyPeerStaged } = state.times;
  const chunks = Math.ceil(call.bytes / chunk);
  const staged = { ...work, staging: { chunk, buffers } };
  const issued = state.work(invocation, stream, staged, { blocks, after, stagedChunks: chunks });
  return { ...issued, handedOver: memcpyPeerStaged, staged: { source, destination } };
}

/** A copy within a device whose buffers lie on two, as the copy between these that it is. */
function acrossDevices({ program }: ProcessState, call: CallOf<'memcpy'>): CallOf<'memcpy'> {
  if (call.copy !== 'deviceToDevice') return call;
  const source = program.buffers.get(call.source?.buffer ?? '');
  const destination = program.buffers.get(call.destination?.buffer ?? '');
  if (source === undefined || destination === undefined || source.device === destination.device) return call;
  return { ...call, copy: 'peer', sourceDevice: source.device, destinationDevice: destination.device };
}

/** A copy or memset of 0 bytes is no work of any stream: the call takes its time, and that is all. */
function ofNothing(state: ProcessState, invocation: Invocation, stream: RuntimeStream): Issued {
  return state.captureOf(stream) === undefined ? state.done(invocation) : state.captured(invocation);
}

/** Memsets return before their work is done, but for pinned host memory (rule 6.5). */
export function memset(state: ProcessState, invocation: Invocation<CallOf<'memset'>>): Issued {
  const { thread, call } = invocation;
  const stream = state.stream(thread, call.stream);
  if (call.bytes === 0) return ofNothing(state, invocation, stream);
  const target = call.destination === undefined ? undefined : state.program.buffers.get(call.destination.buffer);
  const blocks = !call.async && target?.space === 'host' && target.hostMemory === 'pinned';
  return state.work(invocation, stream, { type: 'memset', bytes: call.bytes }, { blocks });
}

/** What a copy in a stream does, without who and when; `staged` if it passes through a pinned buffer of the driver. */
export function copyWork(
  state: ProcessState,
  call: CallOf<'memcpy'>,
  stream: RuntimeStream,
  staged: boolean,
): CopyWork {
  const rate = call.copy === 'hostToDevice' ? state.times.pageableUp : state.times.pageableDown;
  return {
    type: 'copy',
    copy: call.copy,
    bytes: call.bytes,
    hostMemory: call.hostMemory,
    stagingRate: staged ? rate : 0,
    sourceDevice: call.sourceDevice ?? stream.device,
    destinationDevice: call.destinationDevice ?? stream.device,
  };
}

function isStaged(call: CallOf<'memcpy'>): boolean {
  return (call.copy === 'hostToDevice' || call.copy === 'deviceToHost') && call.hostMemory === 'pageable';
}

/**
 * What keeps the host in a copy to or from its memory. What fits into one buffer of the driver is uploaded from pageable
 * memory once the stream's earlier work is complete, and the call does not wait for it to arrive (rule 6.1).
 */
function awaitedByHost(
  state: ProcessState,
  call: CallOf<'memcpy'>,
  stream: RuntimeStream,
): boolean | readonly (readonly [stream: number, op: number])[] {
  const small = call.copy === 'hostToDevice' && isStaged(call) && call.bytes <= state.times.pageableAsync;
  return small && !call.async ? [[stream.index, stream.last]] : blocksHost(state, call);
}

function blocksHost(state: ProcessState, call: CallOf<'memcpy'>): boolean {
  if (!isStaged(call)) return !call.async && call.copy !== 'deviceToDevice';
  return !(call.async && call.copy === 'hostToDevice' && call.bytes <= state.times.pageableAsync);
}
