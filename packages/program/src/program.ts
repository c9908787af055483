import type { CallTable } from './call-table.ts';
import type { Call, EdgePort, EdgeType, HostMemory } from './calls.ts';
import type { Kernel } from './kernel.ts';
import type { Bytes, Picoseconds } from './units.ts';

export const PROGRAM_SCHEMA = 'griddep/program@1';

/** What a host program does: the objects it makes and, per host thread, its calls in order. */
export interface Program {
  readonly name: string;
  readonly description: string;
  readonly kernels: ReadonlyMap<string, Kernel>;
  readonly streams: ReadonlyMap<string, Stream>;
  readonly events: ReadonlyMap<string, Event>;
  readonly buffers: ReadonlyMap<string, Buffer>;
  readonly graphs: ReadonlyMap<string, Graph>;
  readonly threads: readonly HostThread[];
  /** Values of `params:` that the program was made with. */
  readonly params: Readonly<Record<string, number | string | boolean>>;
}

/**
 * `legacy` and `perThread` are CUDA's two default streams (rules 5.1, 5.2); `blocking` streams synchronise with the
 * legacy one. A smaller priority number is the higher priority (rule 5.10).
 */
export interface Stream {
  readonly name: string;
  readonly device: number;
  readonly kind: 'blocking' | 'nonBlocking' | 'legacy' | 'perThread';
  readonly priority: number;
}

export interface Event {
  readonly name: string;
  readonly device: number;
  /** False for cudaEventDisableTiming. */
  readonly timing: boolean;
  readonly interprocess: boolean;
}

/**
 * Memory with an identity and an address range: buffers that share `allocation` overlap where their ranges do, so
 * reuse by an allocator is visible. Preallocated unless a call allocates it.
 */
export interface Buffer {
  readonly name: string;
  readonly space: 'device' | 'host';
  readonly device: number;
  readonly hostMemory: HostMemory;
  readonly bytes: Bytes;
  readonly allocation: string;
  readonly offset: Bytes;
}

/** A graph made by hand; captured graphs come from calls. */
export interface Graph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
export interface GraphNode {
  readonly id: string;
  /** The call the node stands for; its `stream` gives the device and, for kernels, the priority. */
  readonly call: Call;
}
/** Edge data as in rules 4.1-4.3. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly fromPort: EdgePort;
  readonly type: EdgeType;
}

export interface HostThread {
  readonly name: string;
  /** Current device at the start. */
  readonly device: number;
  /** Time the thread spends between two calls, outside CUDA. */
  readonly callGap: Picoseconds;
  readonly calls: CallTable;
}
