export { type Awaited, awaitedBy } from './awaited.ts';
export { duration, type HostTimes } from './call-cost.ts';
export { type CollectiveGroups, collectiveGroups, rendezvousOf } from './collectives.ts';
export type {
  CollectiveCommand,
  CollectiveWork,
  Command,
  CopyCommand,
  CopyWork,
  EnqueuedOperation,
  ExecutableGraph,
  ExecutableNode,
  GraphCommand,
  HostFunctionCommand,
  KernelCommand,
  KernelWork,
  MemsetCommand,
  MemsetWork,
  Milestone,
  NodeEdge,
  NodeWork,
  Order,
  PoolCommand,
  RecordCommand,
  Rendezvous,
  WaitCommand,
} from './commands.ts';
export { CUDA_ERRORS, type CudaError, type CudaErrorName, cudaError } from './errors.ts';
export type { Block, BlockCause, Issued, RuntimeStream } from './issued.ts';
export {
  checkLaunch,
  type DeviceRules,
  deviceRules,
  kernelResources,
  machineRules,
  type PeerRules,
  withCluster,
} from './launch-rules.ts';
export { type InitialBuffer, initialBuffers } from './memory.ts';
export { CudaRuntime, type OperationNumbers } from './runtime.ts';
export { touchedDevices } from './touched-devices.ts';
