import type { DeviceLimits } from '@griddep/machine';
import type { Buffer, Kernel } from '@griddep/program';
import type { Lifts } from '../lifts.ts';
import type { DeviceTimes } from './body.ts';
import type { Neighbours } from './neighbours.ts';

/** Everything that a device actor is built with; of it only what the host creates while it runs is added to. */
export interface DeviceSpec {
  readonly index: number;
  readonly limits: DeviceLimits;
  readonly times: DeviceTimes;
  readonly kernels: Kernel[];
  readonly buffers: Map<string, Buffer>;
  /** Streams of the whole program: which are this device's, in order of creation. */
  readonly streams: { readonly device: number; readonly priority: number }[];
  readonly hardwareQueues: number;
  readonly blockByBlock: boolean;
  readonly recordBlocks: boolean;
  /** Actor that owns this device's link to the host, and the host to tell of progress. */
  readonly fabric: number;
  readonly host: number;
  /** Actor at which the members of collectives meet. */
  readonly collectives: number;
  /** All devices by index, as this one reaches them. */
  readonly neighbours: Neighbours;
  readonly lifts?: Lifts | undefined;
}
