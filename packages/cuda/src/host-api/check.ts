import { CUDA_ERRORS, type CudaErrorName } from '../errors.ts';

const NAMES = new Map<number, CudaErrorName>(
  Object.entries(CUDA_ERRORS).map(([name, code]) => [code, name as CudaErrorName]),
);

/** cudaGetErrorName: the name of an error code, `cudaSuccess` for 0, `cudaErrorUnknown` for none of CUDA's. */
export function cudaGetErrorName(code: number): string {
  return code === 0 ? 'cudaSuccess' : (NAMES.get(code) ?? 'cudaErrorUnknown');
}

/** What `check` throws: the code that a call returned, and its name. */
export class CudaFailure extends Error {
  override readonly name = 'CudaFailure';
  readonly code: number;

  constructor(code: number) {
    super(`a CUDA call returned ${cudaGetErrorName(code)} (${code})`);
    this.code = code;
  }
}

/** What programs wrap calls in. @throws CudaFailure for any code but cudaSuccess */
export function check(code: number): void {
  if (code !== 0) throw new CudaFailure(code);
}
