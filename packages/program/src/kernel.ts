import type { Bytes, Dim3, Picoseconds } from './units.ts';

/**
 * A kernel with its launch geometry. Registers and shared memory decide occupancy (docs/RULES.md section 7);
 * `griddepcontrol` tells whether the loaded code contains the two PDL instructions, apart from the launch attribute
 * (rule 1.18).
 */
export interface Kernel {
  readonly name: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly cluster?: Dim3;
  readonly registersPerThread: number;
  readonly staticSharedMemory: Bytes;
  readonly dynamicSharedMemory: Bytes;
  readonly launchBounds?: { readonly maxThreadsPerBlock: number; readonly minBlocksPerSm?: number };
  /** Formal parameters in order and, where it is a pointer, the buffer passed by default. */
  readonly parameters: readonly KernelParameter[];
  /** Target of the loaded image, as nvcc spells it: `sm_90`. */
  readonly target?: string;
  readonly griddepcontrol: boolean;
  /** True for a kernel that writes a time stamp at every phase boundary, as the measuring kernel does. */
  readonly instrumented: boolean;
  readonly body: Body;
  readonly accesses: readonly Access[];
}

export interface KernelParameter {
  readonly name: string;
  readonly buffer?: string;
}

export type Body = PhasesBody | DurationBody | PtxBody | CollectiveBody;

/** What the warps of a block do; several roles are warp-specialised code. */
export interface PhasesBody {
  readonly kind: 'phases';
  readonly roles: readonly Role[];
}
/** A measured duration of the whole grid, and who measured it (their intervals differ, docs/DESIGN.md). */
export interface DurationBody {
  readonly kind: 'duration';
  readonly duration: Picoseconds;
  readonly observer: 'blocks' | 'profiler' | 'events';
}
/** A kernel of a PTX file; its skeleton comes from the instructions, and a block of it runs for `duration`. */
export interface PtxBody {
  readonly kind: 'ptx';
  readonly file: string;
  readonly entry: string;
  readonly duration?: Picoseconds;
}
/** A kernel that couples ranks: starts when the last member arrives, ends together. */
export interface CollectiveBody {
  readonly kind: 'collective';
  readonly collective: 'allReduce' | 'allGather' | 'reduceScatter' | 'broadcast' | 'allToAll' | 'sendRecv';
  readonly group: string;
  readonly bytes: Bytes;
}

export interface Role {
  readonly name: string;
  /** Number of warps; absent in the role that takes all (remaining) warps of the block. */
  readonly warps?: number;
  readonly phases: readonly Phase[];
}

/** Which blocks a per-block condition selects: block index mod `modulus` equals `residue`. */
export interface BlockCondition {
  readonly modulus: number;
  readonly residue: number;
}

export type Phase =
  /** Busy-waits. */
  | { readonly op: 'spin'; readonly duration: Picoseconds }
  /** Busy-waits `duration` times (1 + linear block index mod `modulus`). */
  | { readonly op: 'ramp'; readonly duration: Picoseconds; readonly modulus: number }
  /** Iterations of four independent fused multiply-adds per thread. */
  | { readonly op: 'fma'; readonly iterations: number }
  /** Streams that many bytes per block through device memory. */
  | {
      readonly op: 'load' | 'store';
      readonly bytes: Bytes;
      readonly range?: BufferRange;
      /**
       * The most that one thread moves, bytes per second, where its code keeps less in flight than code that streams
       * does: narrow loads, or loads that depend on each other.
       */
      readonly threadRate?: number;
      /** Streaming hint (__ldcs, evict_first): the lines leave the cache before others, so only their block finds them. */
      readonly evictFirst?: boolean;
    }
  /** Memory fence of a scope; orders earlier writes before a later trigger (rules 1.6, 1.7). */
  | { readonly op: 'fence'; readonly scope: 'block' | 'device' | 'system' }
  /** griddepcontrol.launch_dependents (rule 1.3). */
  | { readonly op: 'trigger'; readonly when?: BlockCondition }
  /** griddepcontrol.wait (rule 1.8). */
  | { readonly op: 'wait' }
  /** All warps of the block meet. */
  | { readonly op: 'blockBarrier' }
  /** All blocks of the grid meet; wants a cooperative launch (rule 5.14). */
  | { readonly op: 'gridBarrier' }
  | { readonly op: 'signal'; readonly flag: string; readonly value: number }
  /** Spins until the flag holds at least the value. */
  | { readonly op: 'await'; readonly flag: string; readonly value: number };

/** Bytes of a buffer that block b touches: [offset + b * blockStride, + bytes), wrapped at `wrap` when given. */
export interface BufferRange {
  readonly buffer: string;
  readonly offset: Bytes;
  readonly bytes: Bytes;
  readonly blockStride: Bytes;
  readonly wrap?: Bytes;
}

export interface Access {
  /** A buffer by name, or a parameter of the kernel as `$name`. */
  readonly range: BufferRange;
  readonly mode: 'read' | 'write' | 'atomic';
  readonly proxy: 'generic' | 'async' | 'nonCoherent';
  readonly scope: 'block' | 'cluster' | 'device' | 'system';
  /** Where it stands: the role's name and index among its phases. */
  readonly role: string;
  readonly phase: number;
}
