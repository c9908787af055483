import type { Bytes, Call, CollectiveBody, CopyKind, Dim3, HostMemory, Picoseconds } from '@griddep/program';

/**
 * What the host hands to devices: plain records. `op` is the number of the operation, unique in a run; `stream` the
 * index of the stream, whose earlier commands come before it.
 */
interface CommandBase {
  readonly op: number;
  readonly stream: number;
  /** Operations that must be complete before, beyond the stream's own order. */
  readonly after: readonly Order[];
}

/** An operation, and the stream and device that it was handed to. */
export interface EnqueuedOperation {
  readonly op: number;
  readonly stream: number;
  readonly device: number;
}

/** An implicit order. */
export interface Order extends EnqueuedOperation {
  readonly cause: 'legacyStream' | 'implicitSync';
}

/** When an event, or a graph edge, counts as reached (docs/RULES.md sections 3 and 4). */
export type Milestone =
  /** The operation is complete and flushed. */
  | 'complete'
  /** All blocks have triggered or exited. */
  | 'triggered'
  /** All blocks have started. */
  | 'started';

export interface KernelCommand extends CommandBase {
  readonly type: 'kernel';
  /** Index of the kernel in the program. */
  readonly kernel: number;
  /** Attribute 6, where device and code allow it. */
  readonly programmatic: boolean;
  readonly cooperative: boolean;
  readonly priority: number;
  /** A trigger at the start of each block (attribute 7 with triggerAtBlockStart). */
  readonly triggerAtStart: boolean;
  /** Blocks of a cluster where the launch says it (attribute clusterDimension), in place of the kernel's own. */
  readonly cluster?: Dim3;
  /** Buffers passed to parameters, where they differ from the kernel's own. */
  readonly args?: Readonly<Record<string, string>>;
  /** Attribute 13, of nodes. */
  readonly deviceUpdatable?: true;
  /** For a kernel that is a collective. */
  readonly rendezvous?: Rendezvous;
}

/** A meeting of the members of a group: a collective. It begins when the last has come, and ends for all together. */
export interface Rendezvous {
  readonly collective: CollectiveBody['collective'];
  readonly group: string;
  readonly bytes: Bytes;
  /** Devices of the members, ascending. */
  readonly ranks: readonly number[];
  /** Place among the collectives of the group that the member enqueues; -1 in a graph that is not being launched. */
  readonly sequence: number;
}

/** A collective of the library, which brings its own kernel. */
export interface CollectiveCommand extends CommandBase {
  readonly type: 'collective';
  readonly priority: number;
  readonly rendezvous: Rendezvous;
}
export interface CopyCommand extends CommandBase {
  readonly type: 'copy';
  readonly copy: CopyKind;
  readonly bytes: Bytes;
  readonly hostMemory: HostMemory;
  /** For pageable memory: the rate of the staging, bytes per second; the copy runs no faster. */
  readonly stagingRate: number;
  readonly sourceDevice: number;
  readonly destinationDevice: number;
  /**
   * For a copy between devices without access: the bytes that pass through the host's memory at a time, and how many
   * such buffers there are. Its two halves are operations of their own, op + 1 on the source and op + 2 on the destination.
   */
  readonly staging?: { readonly chunk: Bytes; readonly buffers: number };
}
export interface MemsetCommand extends CommandBase {
  readonly type: 'memset';
  readonly bytes: Bytes;
}
export interface RecordCommand extends CommandBase {
  readonly type: 'record';
  readonly timing: boolean;
}
export interface WaitCommand extends CommandBase {
  readonly type: 'wait';
  /** The operation whose milestone is awaited; undefined for an event that was never recorded. */
  readonly on: EnqueuedOperation | undefined;
  readonly milestone: Milestone;
}
export interface HostFunctionCommand extends CommandBase {
  readonly type: 'hostFunction';
  readonly duration: Picoseconds;
  /** CUDA function that it calls, which fails (rule 5.12). */
  readonly calls?: string;
}
/** Waits until a flag in memory is at least a value, or writes it (rule 5.13). */
export interface ValueCommand extends CommandBase {
  readonly type: 'waitValue' | 'writeValue';
  readonly flag: string;
  readonly value: number;
}
export interface PoolCommand extends CommandBase {
  readonly type: 'pool';
}
export interface GraphCommand extends CommandBase {
  readonly type: 'graph';
  /** Its nodes, whose operation numbers follow the graph's own: op + 1 + node index. */
  readonly graph: ExecutableGraph;
}

export type Command =
  | KernelCommand
  | CollectiveCommand
  | CopyCommand
  | MemsetCommand
  | RecordCommand
  | WaitCommand
  | HostFunctionCommand
  | ValueCommand
  | PoolCommand
  | GraphCommand;

/** What a command does, without who and when: what graph nodes hold. */
export type KernelWork = Omit<KernelCommand, keyof CommandBase>;
export type CollectiveWork = Omit<CollectiveCommand, keyof CommandBase>;
export type CopyWork = Omit<CopyCommand, keyof CommandBase>;
export type MemsetWork = Omit<MemsetCommand, keyof CommandBase>;
type HostFunctionWork = Omit<HostFunctionCommand, keyof CommandBase>;
type ValueWork = Omit<ValueCommand, keyof CommandBase>;
/** Event nodes; what a wait is for is known when the graph is launched. */
type RecordWork = Omit<RecordCommand, keyof CommandBase> & { readonly event: string };
type WaitWork = Omit<WaitCommand, keyof CommandBase> & { readonly event: string };

/** What a node of a graph does: its order comes from the edges. */
export type NodeWork =
  | KernelWork
  | CollectiveWork
  | CopyWork
  | MemsetWork
  | HostFunctionWork
  | ValueWork
  | RecordWork
  | WaitWork
  | { readonly type: 'empty'; readonly allocation?: true };

export interface NodeEdge {
  /** Index of the node depended on, smaller than the dependent's own. */
  readonly from: number;
  readonly milestone: Milestone;
  /** True if a griddepcontrol.wait of the dependent covers this edge (type programmatic, rule 4.3). */
  readonly programmatic: boolean;
}

export interface ExecutableNode {
  readonly id: string;
  readonly device: number;
  /** Index of the stream it was captured in, or -1. */
  readonly stream: number;
  readonly work: NodeWork;
  readonly edges: readonly NodeEdge[];
  /** Number of the operation whose call was captured. */
  readonly captured?: number;
  /** The call that a node of a graph made by hand stands for. */
  readonly call?: Call;
}

/** An instantiated graph; nodes in topological order. */
export interface ExecutableGraph {
  readonly name: string;
  readonly nodes: readonly ExecutableNode[];
}
