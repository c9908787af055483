import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { linkBandwidth, timingFromDataSheet } from './derived.ts';
import { limitsOf } from './limits.ts';

/** NVIDIA B200 SXM, from documents. */
export const B200: DeviceProfile = {
  name: 'b200',
  computeCapability: [10, 0],
  limits: limitsOf('10.0', { sms: 148, memoryBytes: 180e9, l2Bytes: 126 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 10.0; B200 data sheets, which name 180 and 192 GB (the smaller is taken); copy engines assumed as on an H200',
  timing: timingFromDataSheet({
    name: 'B200',
    clockGhz: 1.965,
    fp32LanesPerSm: 128,
    memoryPeak: 8e12,
    pcie: { name: 'PCIe 5 x16', peak: 63e9 },
    programmaticLaunch: true,
  }),
};

export const B200_LINK_BANDWIDTH: Constant = linkBandwidth('B200, NVLink 5', 900e9);
