import type { LoggedBlocks } from './block-log.ts';
import type { DeviceRecord } from './device-record.ts';
import type { AwaitedFlag } from './flags.ts';
import type { OpenMeeting } from './meetings.ts';

/** What a device has recorded of a run. */
export interface DeviceResult {
  /** In order of arrival. */
  readonly operations: readonly DeviceRecord[];
  readonly awaitedFlags: readonly AwaitedFlag[];
  /** Collectives that have not ended. */
  readonly meetings: readonly OpenMeeting[];
  readonly blocks: LoggedBlocks | undefined;
}
