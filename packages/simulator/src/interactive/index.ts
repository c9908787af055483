export * from '@griddep/cuda/host-api';
export type { CudaProgram } from './cuda-program.ts';
export type { HostCode } from './host-code.ts';
export type { ThreadOptions } from './live-program.ts';
export { type HostCodeOptions, simulateHostCode } from './simulate-host-code.ts';
