import type { Operation } from './operation.ts';

export const TIMELINE_SCHEMA = 'griddep/timeline@1';

/** What a simulated (or measured) run was. */
export interface Timeline {
  readonly program: string;
  readonly machine: string;
  readonly devices: readonly DeviceInfo[];
  /** In order of (call begin, thread, index); causes refer to positions here. */
  readonly operations: readonly Operation[];
  /** Present when asked for. Block `i` of the columns belongs to operation `operation[i]`. */
  readonly blocks?: BlockColumns;
  /** When all host threads had returned from their last call, ps. */
  readonly hostTotal: number;
  /** The machine constants that this run used, and what they rest on. */
  readonly basis: readonly BasisEntry[];
  /** Threads or operations that can never finish, empty when all did. */
  readonly stuck: readonly string[];
  /** CUDA errors that calls returned, in order. */
  readonly errors: readonly CallError[];
}

export interface DeviceInfo {
  readonly name: string;
  readonly sms: number;
}

/** Blocks in columns, ordered by (operation, block index). Times in ps. */
export interface BlockColumns {
  readonly operation: Uint32Array;
  readonly block: Uint32Array;
  readonly sm: Uint16Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

export interface BasisEntry {
  /** Machine and constant, as `h200.timing.kernelLaunch`. */
  readonly constant: string;
  readonly status: 'measured' | 'documented' | 'assumed';
}

export interface CallError {
  readonly operation: number;
  /** CUDA's number and name, e.g. 400 and cudaErrorInvalidResourceHandle. */
  readonly code: number;
  readonly name: string;
  readonly message: string;
}
