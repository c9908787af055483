/** What a block of a kernel takes. */
export interface KernelResources {
  readonly threadsPerBlock: number;
  readonly registersPerThread: number;
  /** Static and dynamic shared memory, bytes, without the system's reserve. */
  readonly sharedMemoryPerBlock: number;
  readonly launchBounds?: { readonly maxThreadsPerBlock: number; readonly minBlocksPerSm?: number };
  /** Blocks of a cluster; sizes beyond the portable one count as opted in. */
  readonly cluster?: number;
  /** Named barriers the kernel uses, 1 to 16; 1 if absent. */
  readonly barriers?: number;
}
