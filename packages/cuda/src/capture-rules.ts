import type { Call, CaptureMode } from '@griddep/program';
import type { Capture } from './capture.ts';
import { type CudaError, cudaError } from './errors.ts';
import type { RuntimeStream } from './issued.ts';
import type { ProcessState } from './process-state.ts';

/** Calls about captures, which say themselves what fails. */
const OF_CAPTURES: ReadonlySet<Call['kind']> = new Set([
  'streamBeginCapture',
  'streamEndCapture',
  'streamGetCaptureInfo',
]);

/**
 * The error of a call that a capture in progress forbids, if it does (rules 5.20 to 5.22). The call then invalidates
 * the captures that forbid it: what they have is lost, and each further call on them fails until they end.
 */
export function captureForbids(state: ProcessState, thread: number, call: Call): CudaError | undefined {
  if (state.captures.length === 0) return undefined;
  if ('stream' in call) return forbiddenInStream(state, state.stream(thread, call.stream), call);
  switch (call.kind) {
    case 'malloc':
    case 'free':
    case 'mallocHost':
    case 'freeHost': {
      const strict = state.captures.filter((c) => forbidsUnsafe(c, thread, state.thread(thread).captureMode));
      return invalidate(strict, 'cudaErrorStreamCaptureUnsupported', `${call.kind} during a capture (rule 5.20)`);
    }
    case 'deviceSynchronize': {
      const { device } = state.thread(thread);
      const there = state.captures.filter((c) => streamsOf(state, c).some((s) => s.device === device));
      return invalidate(there, 'cudaErrorStreamCaptureUnsupported', `device ${device} has a stream that is capturing`);
    }
    case 'eventSynchronize':
    case 'eventQuery':
      return forbiddenOnEvents(state, [call.event]);
    case 'eventElapsedTime':
      return forbiddenOnEvents(state, [call.start, call.end]);
    default:
      return undefined;
  }
}

/** Whether a capture forbids a thread, whose own mode is `mode`, calls that are unsafe while it lasts (rule 5.20). */
function forbidsUnsafe(capture: Capture, thread: number, mode: CaptureMode): boolean {
  if (mode === 'relaxed' || capture.mode === 'relaxed') return false;
  return capture.thread === thread || (capture.mode === 'global' && mode === 'global');
}

function forbiddenInStream(state: ProcessState, stream: RuntimeStream, call: Call): CudaError | undefined {
  if (OF_CAPTURES.has(call.kind)) return undefined;
  if (stream.kind === 'legacy') {
    const implicit = state.captures.filter((c) => c.holdsBlocking(state.streams, stream.device));
    const message = 'the legacy stream would depend on a blocking stream that is capturing (rule 5.22)';
    return invalidate(implicit, 'cudaErrorStreamCaptureImplicit', message);
  }
  const capture = state.captureOf(stream);
  if (capture === undefined) return undefined;
  if (capture.invalidated) {
    const message = `the capture that stream "${stream.name}" is in was invalidated (rule 5.21)`;
    return cudaError('cudaErrorStreamCaptureInvalidated', message);
  }
  const waits = call.kind === 'streamSynchronize' || call.kind === 'streamQuery';
  if (!waits && (call.kind !== 'memcpy' || call.async)) return undefined;
  return invalidate([capture], 'cudaErrorStreamCaptureUnsupported', `stream "${stream.name}" is capturing (rule 5.21)`);
}

function forbiddenOnEvents(state: ProcessState, names: readonly string[]): CudaError | undefined {
  for (const name of names) {
    const { captured } = state.event(name);
    if (captured === undefined) continue;
    const message = `event "${name}" was recorded in a capture (rule 5.21)`;
    return invalidate([captured.capture], 'cudaErrorCapturedEvent', message);
  }
  return undefined;
}

function invalidate(captures: readonly Capture[], name: CudaError['name'], message: string): CudaError | undefined {
  if (captures.length === 0) return undefined;
  for (const capture of captures) capture.invalidated = true;
  return cudaError(name, message);
}

function streamsOf(state: ProcessState, capture: Capture): RuntimeStream[] {
  return [...capture.streams()].map((index) => state.streams[index] as RuntimeStream);
}
