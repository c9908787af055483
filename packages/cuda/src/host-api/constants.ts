import { CUDA_ERRORS } from '../errors.ts';

/** CUDA's constants by their names, with the numbers of driver_types.h (12.6). */
export const cudaSuccess = 0;

export const {
  cudaErrorInvalidValue,
  cudaErrorMemoryAllocation,
  cudaErrorInvalidConfiguration,
  cudaErrorInvalidMemcpyDirection,
  cudaErrorCallRequiresNewerDriver,
  cudaErrorInvalidDevice,
  cudaErrorPeerAccessUnsupported,
  cudaErrorInvalidResourceHandle,
  cudaErrorLossyQuery,
  cudaErrorNotReady,
  cudaErrorIllegalAddress,
  cudaErrorLaunchOutOfResources,
  cudaErrorPeerAccessAlreadyEnabled,
  cudaErrorPeerAccessNotEnabled,
  cudaErrorTooManyPeers,
  cudaErrorCooperativeLaunchTooLarge,
  cudaErrorNotPermitted,
  cudaErrorNotSupported,
  cudaErrorStreamCaptureUnsupported,
  cudaErrorStreamCaptureInvalidated,
  cudaErrorStreamCaptureMerge,
  cudaErrorStreamCaptureUnmatched,
  cudaErrorStreamCaptureUnjoined,
  cudaErrorStreamCaptureIsolation,
  cudaErrorStreamCaptureImplicit,
  cudaErrorCapturedEvent,
  cudaErrorStreamCaptureWrongThread,
  cudaErrorGraphExecUpdateFailure,
  cudaErrorInvalidClusterSize,
} = CUDA_ERRORS;

export const cudaStreamDefault = 0;
export const cudaStreamNonBlocking = 1;

export const cudaEventDefault = 0;
export const cudaEventBlockingSync = 1;
export const cudaEventDisableTiming = 2;
export const cudaEventInterprocess = 4;

export const cudaEventRecordDefault = 0;
export const cudaEventRecordExternal = 1;
export const cudaEventWaitDefault = 0;
export const cudaEventWaitExternal = 1;

export const cudaMemcpyHostToHost = 0;
export const cudaMemcpyHostToDevice = 1;
export const cudaMemcpyDeviceToHost = 2;
export const cudaMemcpyDeviceToDevice = 3;
export const cudaMemcpyDefault = 4;

export const cudaStreamCaptureModeGlobal = 0;
export const cudaStreamCaptureModeThreadLocal = 1;
export const cudaStreamCaptureModeRelaxed = 2;

export const cudaStreamCaptureStatusNone = 0;
export const cudaStreamCaptureStatusActive = 1;
export const cudaStreamCaptureStatusInvalidated = 2;

export const cudaGraphExecUpdateSuccess = 0;
export const cudaGraphExecUpdateError = 1;
export const cudaGraphExecUpdateErrorTopologyChanged = 2;
export const cudaGraphExecUpdateErrorNodeTypeChanged = 3;
export const cudaGraphExecUpdateErrorFunctionChanged = 4;
export const cudaGraphExecUpdateErrorParametersChanged = 5;
export const cudaGraphExecUpdateErrorNotSupported = 6;
export const cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7;
export const cudaGraphExecUpdateErrorAttributesChanged = 8;

/** Flag of cuStreamWaitValue32: the value in memory is at least the one given. */
export const CU_STREAM_WAIT_VALUE_GEQ = 0;

/** Ports and types of a graph's edges (docs/RULES.md 4.1 to 4.3). */
export const cudaGraphKernelNodePortDefault = 0;
export const cudaGraphKernelNodePortProgrammatic = 1;
export const cudaGraphKernelNodePortLaunchCompletion = 2;
export const cudaGraphDependencyTypeDefault = 0;
export const cudaGraphDependencyTypeProgrammatic = 1;
