import type { KernelResources } from './kernel-resources.ts';
import type { DeviceLimits } from './machine.ts';

/** Why a kernel cannot be launched: the name of CUDA's error, and the limit that is exceeded. */
export interface LaunchError {
  readonly error: 'cudaErrorInvalidValue' | 'cudaErrorLaunchOutOfResources' | 'cudaErrorInvalidClusterSize';
  readonly message: string;
}

const invalidValue = (message: string): LaunchError => ({ error: 'cudaErrorInvalidValue', message });

/**
 * Checks a launch against limits that do not depend on what is resident. Too many threads give cudaErrorInvalidValue,
 * as CUDA 13.0 with driver 580 answers on an H200; earlier versions document cudaErrorInvalidConfiguration.
 */
export function launchError(kernel: KernelResources, limits: DeviceLimits): LaunchError | undefined {
  const {
    threadsPerBlock: threads,
    registersPerThread,
    sharedMemoryPerBlock: shared,
    cluster = 1,
    launchBounds,
  } = kernel;
  if (threads < 1) return invalidValue('a block has at least one thread');
  if (threads > limits.threadsPerBlock) {
    return invalidValue(`${threads} threads in a block, at most ${limits.threadsPerBlock}`);
  }
  if (launchBounds !== undefined && threads > launchBounds.maxThreadsPerBlock) {
    return invalidValue(`${threads} threads in a block, the launch bounds allow ${launchBounds.maxThreadsPerBlock}`);
  }
  if (registersPerThread > limits.registersPerThread) {
    const message = `${registersPerThread} registers a thread, at most ${limits.registersPerThread}`;
    return { error: 'cudaErrorLaunchOutOfResources', message };
  }
  if (shared > limits.sharedMemoryPerBlockOptIn) {
    return invalidValue(`${shared} B of shared memory in a block, at most ${limits.sharedMemoryPerBlockOptIn} B`);
  }
  if (cluster > limits.maxClusterSizeOptIn) {
    const { maxClusterSize: portable, maxClusterSizeOptIn: most } = limits;
    const optIn =
      portable < most ? `; above ${portable} a kernel counts as opted in to sizes that are not portable` : '';
    const message = `a cluster of ${cluster} blocks, at most ${most}${optIn}`;
    return { error: 'cudaErrorInvalidClusterSize', message };
  }
  return undefined;
}
