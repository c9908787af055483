import type { CallOf } from '@griddep/program';
import { cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import { type Invocation, type ProcessState, progressOf } from './process-state.ts';

/** cudaStreamQuery: success if the stream's work is complete, as far as the host can see; else not ready (600). */
export function queryStream(state: ProcessState, invocation: Invocation<CallOf<'streamQuery'>>): Issued {
  const { name, index, last } = state.stream(invocation.thread, invocation.call.stream);
  if (state.isComplete(index, last)) return state.done(invocation);
  return state.fail(invocation, cudaError('cudaErrorNotReady', `stream "${name}" has work that is not complete`));
}

/** cudaEventQuery; an event that was never recorded is complete (rule 5.5). */
export function queryEvent(state: ProcessState, invocation: Invocation<CallOf<'eventQuery'>>): Issued {
  const recorded = state.event(invocation.call.event);
  const { event, op } = recorded;
  if (state.isComplete(progressOf(recorded), op)) return state.done(invocation);
  return state.fail(invocation, cudaError('cudaErrorNotReady', `event "${event.name}" is not complete`));
}
