import type { Command, ExecutableGraph, Milestone, Rendezvous } from '@griddep/cuda';
import type { Buffer, Kernel } from '@griddep/program';

/** Host to device: a command reaches the front end. */
export interface CommandMessage {
  readonly type: 'command';
  readonly command: Command;
}
/** Host to device: what the host has created while it runs, with the index of the first of each kind. */
export interface DeclareMessage {
  readonly type: 'declare';
  readonly firstKernel: number;
  readonly kernels: readonly Kernel[];
  readonly firstStream: number;
  readonly streams: readonly { readonly device: number; readonly priority: number }[];
  readonly buffers: readonly Buffer[];
}
/** Host to device: another device has been given work that waits for an operation of this one. */
export interface WatchMessage {
  readonly type: 'watch';
  readonly op: number;
  readonly milestone: Milestone;
  /** Index of the device to tell. */
  readonly watcher: number;
}
/** Device to device: an operation that the other waits for has come so far. */
export interface ReachedMessage {
  readonly type: 'reached';
  readonly op: number;
  readonly milestone: Milestone;
  /** When the other can have seen it first, ps. */
  readonly visible: number;
}
/** Host to device, or device to device: a flag in memory now holds at least this value. */
export interface FlagMessage {
  readonly type: 'flag';
  readonly flag: string;
  readonly value: number;
}
/** Device to host: the semaphore in host memory that tells how far a stream has come. */
export interface ProgressMessage {
  readonly type: 'progress';
  readonly stream: number;
  readonly op: number;
}
/** Bytes of a device's memory that a transfer reads or writes, per byte that it moves. */
export interface MemoryLoad {
  /** Actor of the device. */
  readonly actor: number;
  readonly perByte: number;
}
/** Device to fabric: a copy engine asks for a transfer over the named ports. */
export interface TransferMessage {
  readonly type: 'transfer';
  readonly id: number;
  readonly bytes: number;
  readonly ports: readonly string[];
  /** The most the asker can move, bytes per second; Infinity where only the ports limit. */
  readonly limit: number;
  /** Latency of the answer, ps. */
  readonly answerDelay: number;
  readonly loads: readonly MemoryLoad[];
}
/** Fabric to device: the transfer has ended. `alone` is the time it would have taken without others, ps. */
export interface TransferDoneMessage {
  readonly type: 'transferDone';
  readonly id: number;
  readonly actual: number;
  readonly alone: number;
}
/** Fabric to device: what its transfers take of the device's memory bandwidth from now on. */
export interface MemoryLoadMessage {
  readonly type: 'memoryLoad';
  readonly bytesPerSecond: number;
}
/** Device to device: the engine of the other, whose memory is read, shall do a copy for this one. */
export interface PeerCopyMessage {
  readonly type: 'peerCopy';
  readonly op: number;
  readonly bytes: number;
  readonly destination: number;
  /** Index of the device that asks. */
  readonly asker: number;
}
/** Device to device: the copy that was asked for is done. */
export interface PeerCopyDoneMessage {
  readonly type: 'peerCopyDone';
  readonly op: number;
  readonly actual: number;
  readonly alone: number;
  /** What it waited for at the engine: operation that was in front, or -1, and since when and until when. */
  readonly behind: number;
  readonly from: number;
  readonly until: number;
}
/** A copy between devices through the host's memory, as each of its devices knows it. */
export interface StagedCopy {
  readonly op: number;
  readonly bytes: number;
  /** Bytes of a staging buffer, and how many there are. */
  readonly chunk: number;
  readonly buffers: number;
  readonly source: number;
  readonly destination: number;
  /** Index of the device in whose stream it is. */
  readonly asker: number;
}
/** Device to device: a step of a staged copy, beginning with the source being asked. */
export interface StagingMessage {
  readonly type: 'staging';
  /** `begin`: the source may download; `filled`, `emptied`: a staging buffer holds the chunk, or is free again; `done`: all is. */
  readonly step: 'begin' | 'filled' | 'emptied' | 'done';
  readonly chunk: number;
  readonly copy: StagedCopy;
}

/** Device to device: a graph has been launched of which the other runs some nodes. */
export interface GraphPartMessage {
  readonly type: 'graphPart';
  /** Number of the launch, which those of the nodes follow. */
  readonly op: number;
  readonly stream: number;
  readonly graph: ExecutableGraph;
  /** Index of the device whose stream the launch is in. */
  readonly launcher: number;
}
/** Device to device: all nodes of the other's graph that are this one's are complete. */
export interface GraphPartDoneMessage {
  readonly type: 'graphPartDone';
  readonly op: number;
}
/** Device to its meeting place: the blocks of a member have started. */
export interface ArriveMessage {
  readonly type: 'arrive';
  readonly op: number;
  readonly rendezvous: Rendezvous;
  /** Index of the member's device, and when its blocks started, ps. */
  readonly device: number;
  readonly started: number;
}
/** Meeting place to meeting place: all members whose devices belong to the sender have come. */
export interface PartArrivedMessage {
  readonly type: 'partArrived';
  readonly rendezvous: Rendezvous;
  /** Number of the sender's place, and the most bytes that a member names. */
  readonly place: number;
  readonly bytes: number;
  /** Device and operation of the member that came last, and when its blocks started, ps. */
  readonly device: number;
  readonly op: number;
  readonly started: number;
}
/** From its meeting place to the device of each member: the collective ends now. */
export interface MetMessage {
  readonly type: 'met';
  readonly op: number;
  /** Operation of the member that came last, and when it did, ps. */
  readonly last: number;
  readonly since: number;
}

export type HostInbound = ProgressMessage | FlagMessage;
export type DeviceInbound =
  | CommandMessage
  | DeclareMessage
  | WatchMessage
  | ReachedMessage
  | FlagMessage
  | TransferDoneMessage
  | MemoryLoadMessage
  | PeerCopyMessage
  | PeerCopyDoneMessage
  | StagingMessage
  | MetMessage
  | GraphPartMessage
  | GraphPartDoneMessage;
export type FabricInbound = TransferMessage;
export type MeetingInbound = ArriveMessage | PartArrivedMessage;
