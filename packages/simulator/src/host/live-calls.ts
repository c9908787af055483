import type { CollectiveGroups } from '@griddep/cuda';
import type { DeclareMessage } from '../messages.ts';
import type { CallSource } from './call-source.ts';

/** Calls that are made while the simulation runs, with the objects that they create. */
export interface LiveCalls {
  /** Members of collectives, which no calls tell before they are made. */
  readonly groups: CollectiveGroups;
  /** What a thread calls, by its index in the program. */
  source(thread: number): CallSource;
  /** What has been created since this was asked last, for the devices; undefined if nothing has. */
  declared(): DeclareMessage | undefined;
  /** By operation of an event record with timing, when the host saw it complete, ps; NaN before. */
  readonly stamps: Map<number, number>;
}
