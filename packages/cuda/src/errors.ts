/** CUDA runtime errors that the simulator returns: number by name, as driver_types.h numbers them. */
export const CUDA_ERRORS = {
  cudaErrorInvalidValue: 1,
  cudaErrorMemoryAllocation: 2,
  cudaErrorInvalidConfiguration: 9,
  cudaErrorInvalidMemcpyDirection: 21,
  cudaErrorCallRequiresNewerDriver: 36,
  cudaErrorInvalidDevice: 101,
  cudaErrorPeerAccessUnsupported: 217,
  cudaErrorInvalidResourceHandle: 400,
  cudaErrorLossyQuery: 402,
  cudaErrorNotReady: 600,
  cudaErrorIllegalAddress: 700,
  cudaErrorLaunchOutOfResources: 701,
  cudaErrorPeerAccessAlreadyEnabled: 704,
  cudaErrorPeerAccessNotEnabled: 705,
  cudaErrorTooManyPeers: 711,
  cudaErrorCooperativeLaunchTooLarge: 720,
  cudaErrorNotPermitted: 800,
  cudaErrorNotSupported: 801,
  cudaErrorStreamCaptureUnsupported: 900,
  cudaErrorStreamCaptureInvalidated: 901,
  cudaErrorStreamCaptureMerge: 902,
  cudaErrorStreamCaptureUnmatched: 903,
  cudaErrorStreamCaptureUnjoined: 904,
  cudaErrorStreamCaptureIsolation: 905,
  cudaErrorStreamCaptureImplicit: 906,
  cudaErrorCapturedEvent: 907,
  cudaErrorStreamCaptureWrongThread: 908,
  cudaErrorGraphExecUpdateFailure: 910,
  cudaErrorInvalidClusterSize: 912,
} as const;

export type CudaErrorName = keyof typeof CUDA_ERRORS;

/** An error as CUDA returns it: a value, not an exception. `message` says what the caller did. */
export interface CudaError {
  readonly name: CudaErrorName;
  readonly code: number;
  readonly message: string;
  /** Of cudaErrorGraphExecUpdateFailure: cudaGraphExecUpdateResult (rule 4.10). */
  readonly updateResult?: number;
}

/** An error with CUDA's number for its name. */
export function cudaError(name: CudaErrorName, message: string): CudaError {
  return { name, code: CUDA_ERRORS[name], message };
}
