import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { measured } from './constants.ts';
import { H200_TIMING } from './h200-timing.ts';
import { hopperLimits } from './limits.ts';

/** NVIDIA H200 SXM, as measured. */
export const H200: DeviceProfile = {
  name: 'h200',
  computeCapability: [9, 0],
  limits: hopperLimits({ sms: 132, memoryBytes: 150_109_880_320, l2Bytes: 60 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 9.0; SMs, L2, three copy engines and memory as the device reports them (sold as 141 GB)',
  timing: H200_TIMING,
};

/** Bandwidth of one device's NVLink to the switch, per direction. */
export const H200_LINK_BANDWIDTH: Constant = {
  ...measured(394e9, 'peer writes 394, reads 389 GB/s, case families `p2pwrite-*` and `p2pread-*`', 385e9, 396e9),
  unit: 'B/s',
};

/** Completion on one device to its being seen by a stream of another one, beyond flush and launch. */
export const H200_LINK_LATENCY: Constant = {
  ...measured(
    3250,
    'end to start across devices less the gap within one, in two modes: 4.3-5.5 and 7.5-11 us, case family `pair-event-*`; the first mode is taken',
    2650,
    9350,
  ),
  unit: 'ns',
};
