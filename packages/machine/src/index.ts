export { preferredCarveOut } from './carve-out.ts';
export { deviceByName, listMachines, type MachineSummary, machineByName } from './catalogue.ts';
export type { Constant, Provenance, Unit } from './constant.ts';
export { constantProblem } from './constant-problem.ts';
export type { ConstantRange } from './constant-range.ts';
export type { KernelResources } from './kernel-resources.ts';
export { type LaunchError, launchError } from './launch-error.ts';
export {
  type DeviceLimits,
  type DeviceProfile,
  type HostProfile,
  type ImplicitSynchronization,
  MACHINE_SCHEMA,
  type Machine,
  type Topology,
} from './machine.ts';
export { MachineError, type Place } from './machine-error.ts';
export { machinesMarkdown } from './markdown.ts';
export { nearestName } from './nearest-name.ts';
export {
  allocatedSharedMemory,
  blocksPerSm,
  type Limiter,
  type Occupancy,
} from './occupancy.ts';
export { canAccessPeer, mostPeers } from './peer-capability.ts';
export { A100 } from './profiles/a100.ts';
export { B200 } from './profiles/b200.ts';
export { H100 } from './profiles/h100.ts';
export { H200 } from './profiles/h200.ts';
export { MEASURED_HOST } from './profiles/hosts.ts';
export { type DeviceSize, type KnownCapability, limitsOf } from './profiles/limits.ts';
export { RTX4090 } from './profiles/rtx4090.ts';
export {
  type OnUse,
  type ResolvedDeviceTiming,
  type ResolvedHostTiming,
  type ResolvedTiming,
  resolvedValue,
  resolveTiming,
} from './resolved-timing.ts';
export { SUB_PARTITIONS, WARP_SIZE } from './sm.ts';
export {
  type ConstantRule,
  DEVICE_TIMING,
  type DeviceTiming,
  type DeviceTimingName,
  HOST_TIMING,
  type HostTiming,
  type HostTimingName,
} from './timing.ts';
export { nodeOf, nodesTopology, nodeTopology, pcieTopology } from './topologies.ts';
