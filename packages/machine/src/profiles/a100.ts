import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { linkBandwidth, timingFromDataSheet } from './derived.ts';
import { limitsOf } from './limits.ts';

/** NVIDIA A100 SXM4 80 GB, from documents; no programmatic launch. */
export const A100: DeviceProfile = {
  name: 'a100',
  computeCapability: [8, 0],
  limits: limitsOf('8.0', { sms: 108, memoryBytes: 80 * 1024 ** 3, l2Bytes: 40 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 8.0; A100 SXM4 80 GB data sheet; copy engines assumed as on an H200',
  timing: timingFromDataSheet({
    name: 'A100',
    clockGhz: 1.41,
    fp32LanesPerSm: 64,
    memoryPeak: 2.039e12,
    pcie: { name: 'PCIe 4 x16', peak: 31.5e9 },
    programmaticLaunch: false,
  }),
};

export const A100_LINK_BANDWIDTH: Constant = linkBandwidth('A100, NVLink 3', 300e9);
