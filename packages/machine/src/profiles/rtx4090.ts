import type { DeviceProfile } from '../machine.ts';
import { timingFromDataSheet } from './derived.ts';
import { limitsOf } from './limits.ts';

/** NVIDIA GeForce RTX 4090, from documents; no programmatic launch, no NVLink, no access to the memory of other devices. */
export const RTX4090: DeviceProfile = {
  name: 'rtx4090',
  computeCapability: [8, 9],
  limits: limitsOf('8.9', { sms: 128, memoryBytes: 24 * 1024 ** 3, l2Bytes: 72 * 1024 * 1024 }),
  limitsSource:
    'CUDA Programming Guide, compute capability 8.9; RTX 4090 data sheet; copy engines assumed as on an H200',
  timing: timingFromDataSheet({
    name: 'RTX 4090',
    clockGhz: 2.52,
    fp32LanesPerSm: 128,
    memoryPeak: 1.008e12,
    pcie: { name: 'PCIe 4 x16', peak: 31.5e9 },
    programmaticLaunch: false,
  }),
};
