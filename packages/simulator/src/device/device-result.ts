import type { LoggedBlocks } from './block-log.ts';
import type { Unfinished } from './device-record.ts';
import type { AwaitedFlag } from './flags.ts';
import type { OpenMeeting } from './meetings.ts';
import type { LoggedOperations } from './operation-log.ts';

/** What a device has recorded of a run. */
export interface DeviceResult {
  readonly operations: LoggedOperations;
  /** Operations that did not complete, in order of arrival; `start` in ps, NaN for what has not begun. */
  readonly unfinished: readonly (Unfinished & { readonly op: number; readonly start: number })[];
  readonly awaitedFlags: readonly AwaitedFlag[];
  /** Collectives that have not ended. */
  readonly meetings: readonly OpenMeeting[];
  readonly blocks: LoggedBlocks | undefined;
}
