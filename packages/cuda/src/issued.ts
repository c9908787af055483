import type { Picoseconds, Stream } from '@griddep/program';
import type { Command, ExecutableGraph } from './commands.ts';
import type { CudaError } from './errors.ts';

/** Why a call waits that is not there to wait: an implicit synchronisation (rule 6.6), or staging (rules 6.1, 6.4). */
export type BlockCause = 'implicitSync' | 'staging';

/** What a call waits for before it returns. */
export type Block =
  /** Each stream's work up to an operation is complete; `until` holds (stream, operation) pairs. */
  | {
      readonly on: 'streams';
      readonly until: readonly (readonly [stream: number, op: number])[];
      /** Why, if the call does not say so itself. */
      readonly cause?: BlockCause;
    }
  | { readonly on: 'flag'; readonly flag: string; readonly value: number };

/** What a call did. */
export interface Issued {
  /** Number of the operation; graph nodes take the numbers that follow their launch. */
  readonly op: number;
  /** Host time before the call returns, or begins to wait. */
  readonly cost: Picoseconds;
  /** The last part of the cost, in which a pool grows. */
  readonly growth?: Picoseconds;
  readonly commands: readonly { readonly device: number; readonly command: Command }[];
  readonly block?: Block;
  /** Host time that passes after what it waits for, before it returns. */
  readonly afterwards?: Picoseconds;
  readonly error?: CudaError;
  /** True when the call went into a capture. */
  readonly captured: boolean;
  /** Host time before commands are handed over, if that is not the whole cost. */
  readonly handedOver?: Picoseconds;
  /** For a copy between devices that is staged, whose halves take the two numbers that follow: the devices. */
  readonly staged?: { readonly source: number; readonly destination: number };
  /** For graph launches, what was launched. */
  readonly graph?: ExecutableGraph;
}

/** A stream of the running process; per-thread default streams exist once a thread. */
export interface RuntimeStream {
  readonly index: number;
  readonly name: string;
  readonly device: number;
  readonly kind: Stream['kind'];
  readonly priority: number;
  /** Newest operation, or -1. */
  last: number;
}
