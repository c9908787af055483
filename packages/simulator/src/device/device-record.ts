import type { CauseKind } from '@griddep/timeline';

/** A condition that held an operation back, as the timeline tells it. */
export interface Held {
  readonly kind: CauseKind;
  readonly op: number;
  readonly from: number;
  readonly until: number;
  readonly detail?: string;
}

/** What operations slow each other on. */
export type SharedResource = 'arithmetic' | 'deviceMemory' | 'link';

/** Time on a shared resource, ps, beside what it would have been alone; summed over blocks. */
export interface SharedTime {
  actual: number;
  alone: number;
}

/** What an operation that never completed waits for: words, and the operations that they end in. */
export interface Unfinished {
  readonly state: string;
  readonly awaits: readonly number[];
  /** Its hardware queue, whether it is still in that, and whether it waits behind the head. */
  readonly queue: string;
  readonly inQueue: boolean;
  readonly behind?: boolean;
  /** It waits for room on the SMs. */
  readonly room?: boolean;
  /** Of a collective: the meeting that it is for. */
  readonly meets?: { readonly group: string; readonly sequence: number };
}

/** What a device knows of an operation: instants in ps, NaN for what did not happen. */
export interface DeviceRecord {
  readonly op: number;
  readonly arrived: number;
  readonly processing: number;
  readonly start: number;
  readonly lastStart: number;
  readonly firstTrigger: number;
  readonly lastTrigger: number;
  readonly firstRelease: number;
  readonly lastRelease: number;
  readonly firstEnd: number;
  readonly end: number;
  readonly completion: number;
  readonly sms: number;
  readonly maxBlocksPerSm: number;
  readonly unit: string;
  readonly cause: CauseKind;
  readonly causeOp: number;
  readonly causeDetail: string | undefined;
  readonly held: readonly Held[];
  readonly shared: readonly ({ readonly resource: SharedResource } & Readonly<SharedTime>)[];
  readonly programmatic: boolean;
}
