import type { Command } from '@griddep/cuda';

/** Host to device: a command reaches the front end. */
export interface CommandMessage {
  readonly type: 'command';
  readonly command: Command;
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
/** Device to fabric: a copy engine asks for a transfer over the named ports. */
export interface TransferMessage {
  readonly type: 'transfer';
  readonly id: number;
  readonly bytes: number;
  readonly ports: readonly string[];
  /** The most the asker can move, bytes per second; Infinity where only the ports limit. */
  readonly limit: number;
}
/** Fabric to device: the transfer has ended. `alone` is the time it would have taken without others, ps. */
export interface TransferDoneMessage {
  readonly type: 'transferDone';
  readonly id: number;
  readonly actual: number;
  readonly alone: number;
}

export type HostInbound = ProgressMessage | FlagMessage;
export type DeviceInbound = CommandMessage | FlagMessage | TransferDoneMessage;
export type FabricInbound = TransferMessage;
