import { RunAborted } from './faults.ts';

/** Settles when the event loop of the calling thread has had its turn. @throws RunAborted if that has stopped the run */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal?.aborted === true) throw new RunAborted('stopped');
}
