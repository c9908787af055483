import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { linkBandwidth, timingFromDataSheet } from './derived.ts';
import { limitsOf } from './limits.ts';

/** NVIDIA H100 SXM5 80 GB, from documents. */
export const H100: DeviceProfile = {
  name: 'h100',
  computeCapability: [9, 0],
  limits: limitsOf('9.0', { sms: 132, memoryBytes: 80 * 1024 ** 3, l2Bytes: 50 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 9.0; H100 SXM5 data sheet; copy engines assumed as on an H200',
  timing: timingFromDataSheet({
    name: 'H100',
    clockGhz: 1.98,
    fp32LanesPerSm: 128,
    memoryPeak: 3.35e12,
    pcie: { name: 'PCIe 5 x16', peak: 63e9 },
    programmaticLaunch: true,
  }),
};

export const H100_LINK_BANDWIDTH: Constant = linkBandwidth('H100, NVLink 4', 450e9);
