import {
  blocksPerSm,
  canAccessPeer,
  type DeviceLimits,
  type DeviceProfile,
  type Machine,
  mostPeers,
  nodeOf,
} from '@griddep/machine';
import { type Dim3, type Kernel, type LaunchAttributes, volume } from '@griddep/program';
import { type CudaError, cudaError } from './errors.ts';

/** What a device and its code allow. */
export interface DeviceRules {
  readonly limits: DeviceLimits;
  readonly memoryBytes: number;
  /** Programmatic dependent launch: compute capability 9.0 and CUDA 12.0 (rules 1.1, 7.10). */
  readonly programmaticLaunch: boolean;
  /** Node in which it stands: within one, devices can have access to each other's memory. */
  readonly node: number;
  /** Whose memory it can be given access to, and of how many at a time (rule 6.10). */
  readonly peers: PeerRules;
  /** Clamps silently to the device's range (rule 5.10). */
  clampPriority(priority: number): number;
}

export interface PeerRules {
  /** Whether access to another device, by its index, can be enabled. */
  canAccess(peer: number): boolean;
  readonly most: number;
}

const ANY_PEER: PeerRules = { canAccess: () => true, most: Number.POSITIVE_INFINITY };

/** What the devices of a machine allow, in order. */
export function machineRules({ devices, topology, host }: Machine): readonly DeviceRules[] {
  const most = mostPeers(topology);
  return devices.map((profile, i) => {
    const peers = { canAccess: (peer: number) => canAccessPeer(topology, i, peer), most };
    return deviceRules(profile, host.cudaVersion, nodeOf(topology, i), peers);
  });
}

/** What a device of this profile, in a node, allows under a CUDA version (1000 * major + 10 * minor). */
export function deviceRules(profile: DeviceProfile, cudaVersion: number, node = 0, peers = ANY_PEER): DeviceRules {
  const { limits } = profile;
  return {
    limits,
    memoryBytes: limits.memoryBytes,
    programmaticLaunch: profile.computeCapability[0] >= 9 && cudaVersion >= 12000,
    node,
    peers,
    clampPriority: (p) => Math.max(limits.priorityHighest, Math.min(limits.priorityLowest, p)),
  };
}

/** The error that a launch returns at once, if any: geometry, resources, cooperative size (rules 5.14, section 7). */
export function checkLaunch(kernel: Kernel, attributes: LaunchAttributes, rules: DeviceRules): CudaError | undefined {
  const { limits } = rules;
  const tooBig =
    kernel.grid.some((n, i) => n > (limits.maxGrid[i] as number)) ||
    kernel.block.some((n, i) => n > (limits.maxBlock[i] as number));
  if (tooBig)
    return cudaError('cudaErrorInvalidValue', `kernel "${kernel.name}": grid or block beyond the device's limits`);
  if (kernel.staticSharedMemory > limits.staticSharedMemory) {
    return cudaError(
      'cudaErrorInvalidValue',
      `kernel "${kernel.name}": ${kernel.staticSharedMemory} B of static shared memory, at most ${limits.staticSharedMemory} B (rule 7.2)`,
    );
  }
  const clustered = withCluster(kernel, attributes.clusterDimension);
  const occupancy = blocksPerSm(kernelResources(clustered), limits);
  if ('error' in occupancy) return cudaError(occupancy.error, `kernel "${kernel.name}": ${occupancy.message}`);
  const { cluster } = clustered;
  if (cluster?.some((n, i) => (kernel.grid[i] as number) % n !== 0)) {
    return cudaError(
      'cudaErrorInvalidClusterSize',
      `kernel "${kernel.name}": a grid of ${kernel.grid.join(' x ')} blocks is no whole number of clusters of ${cluster.join(' x ')} (rule 7.7)`,
    );
  }
  if (attributes.cooperative === true && volume(kernel.grid) > occupancy.blocksPerSm * limits.sms) {
    return cudaError(
      'cudaErrorCooperativeLaunchTooLarge',
      `kernel "${kernel.name}": ${volume(kernel.grid)} blocks, ${occupancy.blocksPerSm * limits.sms} can be resident (rule 5.14)`,
    );
  }
  return undefined;
}

/** The kernel as a launch with attribute clusterDimension runs it. */
export function withCluster(kernel: Kernel, cluster: Dim3 | undefined): Kernel {
  return cluster === undefined ? kernel : { ...kernel, cluster };
}

/** The part of a kernel that occupancy depends on. */
export function kernelResources(kernel: Kernel) {
  return {
    threadsPerBlock: volume(kernel.block),
    registersPerThread: kernel.registersPerThread,
    sharedMemoryPerBlock: kernel.staticSharedMemory + kernel.dynamicSharedMemory,
    ...(kernel.launchBounds === undefined ? {} : { launchBounds: kernel.launchBounds }),
    ...(kernel.cluster === undefined ? {} : { cluster: volume(kernel.cluster) }),
  };
}
