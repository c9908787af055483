import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { measured } from './constants.ts';
import { H200_TIMING } from './h200-timing.ts';
import { limitsOf } from './limits.ts';

/** NVIDIA H200 SXM, as measured. */
export const H200: DeviceProfile = {
  name: 'h200',
  computeCapability: [9, 0],
  limits: limitsOf('9.0', { sms: 132, memoryBytes: 150_109_880_320, l2Bytes: 60 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 9.0; SMs, L2, three copy engines and memory as the device reports them (sold as 141 GB)',
  timing: H200_TIMING,
};

/** Bandwidth of one device's NVLink to the switch, per direction. */
export const H200_LINK_BANDWIDTH: Constant = {
  ...measured(397e9, 'case families `p2pwrite-*` and `p2pread-*`, 16 MiB to 256 MiB', 389e9, 401e9),
  unit: 'B/s',
};

/** Completion on one device to the earliest time at which another one can see it. */
export const H200_LINK_LATENCY: Constant = {
  ...measured(
    1200,
    'a look 1670 ns after completion sees it, one 360 ns after does not, case families `pair-event-*`, `host-events-across-*`',
    400,
    1700,
  ),
  unit: 'ns',
};
