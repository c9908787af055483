import type { CallOf } from '@griddep/program';
import type { EnqueuedOperation } from './commands.ts';
import { cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import { type EventState, type Invocation, nodeId, type ProcessState, progressOf } from './process-state.ts';

/** cudaEventRecord: the event stands for the stream's work so far, or for the capture's (rule 5.4). */
export function recordEvent(state: ProcessState, invocation: Invocation<CallOf<'eventRecord'>>): Issued {
  const { op, thread, call } = invocation;
  const stream = state.stream(thread, call.stream);
  const recorded = state.event(call.event);
  const { device, timing } = recorded.event;
  if (device !== stream.device) {
    const message = `event "${call.event}" is of device ${device}, stream "${stream.name}" of device ${stream.device} (rule 5.4)`;
    return state.fail(invocation, cudaError('cudaErrorInvalidResourceHandle', message));
  }
  const capture = state.captureOf(stream);
  if (capture !== undefined) {
    if (call.external === true) {
      const id = nodeId(invocation, capture, 'eventRecord');
      capture.append(stream.index, id, stream.device, { type: 'record', timing, event: call.event }, false, op);
      return state.captured(invocation);
    }
    recorded.captured = { capture, edges: capture.recorded(stream.index) };
    return state.captured(invocation);
  }
  if (call.external === true) return outsideCapture(state, invocation);
  Object.assign(recorded, { op, stream: stream.index, inGraph: false, milestone: 'complete', captured: undefined });
  return state.enqueue(invocation, stream, (base) => ({ type: 'record', timing, ...base }), { timing });
}

/** cudaStreamWaitEvent: on the newest record (rule 5.4), on nothing if there is none (rule 5.5); a captured event draws the stream into its capture. */
export function waitEvent(state: ProcessState, invocation: Invocation<CallOf<'streamWaitEvent'>>): Issued {
  const { thread, call } = invocation;
  const stream = state.stream(thread, call.stream);
  const awaited = state.event(call.event);
  const capture = state.captureOf(stream);
  if (call.external === true) {
    if (capture === undefined) return outsideCapture(state, invocation);
    const id = nodeId(invocation, capture, 'eventWait');
    const wait = { type: 'wait', event: call.event, on: undefined, milestone: 'complete' } as const;
    capture.append(stream.index, id, stream.device, wait, false, invocation.op);
    return state.captured(invocation);
  }
  const { captured, milestone } = awaited;
  if (captured !== undefined) {
    if (stream.kind === 'legacy') {
      captured.capture.invalidated = true;
      const message = `event "${call.event}" belongs to a capture, which the legacy stream cannot join (rule 5.21)`;
      return state.fail(invocation, cudaError('cudaErrorStreamCaptureImplicit', message));
    }
    if (capture !== undefined && capture !== captured.capture) {
      capture.invalidated = true;
      captured.capture.invalidated = true;
      const message = `event "${call.event}" belongs to another capture (rule 5.21)`;
      return state.fail(invocation, cudaError('cudaErrorStreamCaptureMerge', message));
    }
    if (captured.capture.invalidated) {
      const message = `event "${call.event}" belongs to a capture that was invalidated (rule 5.21)`;
      return state.fail(invocation, cudaError('cudaErrorInvalidValue', message));
    }
    captured.capture.join(stream.index, captured.edges);
    return state.captured(invocation);
  }
  if (capture !== undefined) {
    capture.invalidated = true;
    const message = `event "${call.event}" was recorded outside the capture (rule 5.23)`;
    return state.fail(invocation, cudaError('cudaErrorStreamCaptureIsolation', message));
  }
  const otherDevice = awaited.event.device !== stream.device;
  const wait = { type: 'wait', on: recordOf(state, awaited), milestone } as const;
  return state.enqueue(invocation, stream, (base) => ({ ...wait, ...base }), { otherDevice });
}

/** The operation that an event's newest record stands for. */
export function recordOf(
  state: ProcessState,
  { event, op, stream, inGraph }: EventState,
): EnqueuedOperation | undefined {
  const device = inGraph ? event.device : state.streams[stream]?.device;
  return op < 0 || device === undefined ? undefined : { op, stream, device };
}

/** cudaEventSynchronize; an event that was never recorded is complete (rule 5.5). */
export function synchronizeEvent(state: ProcessState, invocation: Invocation<CallOf<'eventSynchronize'>>): Issued {
  const event = state.event(invocation.call.event);
  return state.done(invocation, event.op < 0 ? [] : [[progressOf(event), event.op]]);
}

/** cudaEventElapsedTime, as far as it fails (rules 5.6, 5.7). */
export function elapsedTime(state: ProcessState, invocation: Invocation<CallOf<'eventElapsedTime'>>): Issued {
  const ends = [state.event(invocation.call.start), state.event(invocation.call.end)];
  const [first, second] = ends.map((e) => e.event.device);
  const unfit = ends.find((e) => e.op < 0 || !e.event.timing);
  if (unfit === undefined && first === second) {
    const early = ends.find((e) => !state.isComplete(progressOf(e), e.op));
    if (early === undefined) return state.done(invocation);
    return state.fail(
      invocation,
      cudaError('cudaErrorNotReady', `event "${early.event.name}" is not complete (rule 5.7)`),
    );
  }
  const message =
    unfit === undefined
      ? `the events are of devices ${first} and ${second} (rule 5.6)`
      : `event "${unfit.event.name}" ${unfit.event.timing ? 'was never recorded' : 'has timing disabled'} (rule 5.7)`;
  return state.fail(invocation, cudaError('cudaErrorInvalidResourceHandle', message));
}

/** The external flag makes a node of a graph, and is refused where nothing is captured (rule 5.23). */
function outsideCapture(state: ProcessState, invocation: Invocation): Issued {
  const message = 'the external flag is for streams that are capturing (rule 5.23)';
  return state.fail(invocation, cudaError('cudaErrorInvalidValue', message));
}
