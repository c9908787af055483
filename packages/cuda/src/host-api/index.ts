export { CudaFailure, check, cudaGetErrorName } from './check.ts';
export * from './constants.ts';
export type { EdgeData, EdgeOfNodes } from './graph-dependencies.ts';
export type { KernelNodeParams } from './graph-making.ts';
export {
  CudaEvent,
  CudaGraph,
  CudaGraphExec,
  CudaGraphNode,
  CudaPointer,
  CudaStream,
  cudaEvent,
  cudaGraph,
  cudaGraphExec,
  cudaGraphNode,
  cudaStream,
  cudaStreamLegacy,
  cudaStreamPerThread,
  type Out,
  out,
  pointer,
  type StreamRef,
} from './handles.ts';
export { CudaHost } from './host.ts';
export type { HostContext } from './host-calls.ts';
export { CudaKernel, cudaKernel, type HostKernelInput } from './kernels.ts';
export type { HostLaunchAttributes, LaunchConfig } from './launch-calls.ts';
export { callingPlace, folderOf, stackHere } from './place.ts';
export { type Answer, HostUseError, type MadeCall, type ThreadPort } from './port.ts';
export { type Declared, HostProcess } from './process.ts';
