import type { Call } from '@griddep/program';
import type { CudaError } from '../errors.ts';

/** A call as a host thread makes it. */
export interface MadeCall {
  readonly call: Call;
  /** Why the call fails before the runtime sees it: a handle that is none, a value that cannot be. */
  readonly refused?: CudaError;
  /** A kernel that touches memory it may not: the device finds out when it runs. */
  readonly faults?: boolean;
  readonly label: string | undefined;
  /** Names of the ranges that the call lies in. */
  readonly path: string;
  /** `file:line:column`, or ''. */
  readonly origin: string;
}

/** What a call that waits returned. */
export interface Answer {
  readonly error: CudaError | undefined;
  /** For eventElapsedTime: the time between the two records, ps. */
  readonly elapsed: number | undefined;
}

/** How a host thread makes its calls: what runs the simulation provides it. */
export interface ThreadPort {
  /** Index among the host threads. */
  readonly index: number;
  /** A call that only enqueues: what it returns is known at once, and its time passes later. @throws HostUseError */
  enqueue(made: MadeCall): CudaError | undefined;
  /** A call that observes or blocks: settles when it returns. @throws HostUseError */
  observe(made: MadeCall): Promise<Answer>;
  /** Settles when the calls made so far have returned: the thread's time then, ps. @throws HostUseError */
  now(): Promise<number>;
  /** The error that every call returns since a kernel failed on its device, if one did. */
  failed(): CudaError | undefined;
  /** An error that a call turned out to return when its time came, because of what another thread did meanwhile. */
  late: CudaError | undefined;
  /** Checks that code of this thread is running. @throws HostUseError */
  assertRunning(what: string): void;
}

/** The API was used in a way that no CUDA error stands for: the message has the place. */
export class HostUseError extends Error {
  override readonly name = 'HostUseError';
}
