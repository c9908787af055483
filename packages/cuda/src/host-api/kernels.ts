import type { Dim3, Dim3Input, KernelInput } from '@griddep/program';

/** A kernel as the host program knows it; grid, block and shared memory may come with each launch. */
export type HostKernelInput = Omit<KernelInput, 'grid' | 'block'> & {
  readonly grid?: Dim3Input | undefined;
  readonly block?: Dim3Input | undefined;
};

/** What a launch says in its angle brackets, but for the stream. */
export interface Geometry {
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedMemory: number;
}

/** A `__global__` function: what launches name. */
export class CudaKernel {
  readonly name: string;
  readonly input: HostKernelInput;

  constructor(name: string, input: HostKernelInput) {
    this.name = name;
    this.input = input;
  }

  /** Names of its parameters in order. */
  get parameters(): readonly string[] {
    return (this.input.parameters ?? []).map((each) => (typeof each === 'string' ? each : each.name));
  }
}

/** `__global__ void name(parameters)`: what it does, and if launches do not say, its grid and block. */
export function cudaKernel(name: string, input: HostKernelInput): CudaKernel {
  return new CudaKernel(name, input);
}

/** Three dimensions, undefined for what no launch takes: parts that are no whole numbers above 0. */
export function dimensions(input: Dim3Input): Dim3 | undefined {
  const given = typeof input === 'number' ? [input] : input;
  const [x = 1, y = 1, z = 1] = given;
  const all = [x, y, z] as const;
  return given.length <= 3 && all.every((n) => Number.isSafeInteger(n) && n > 0) ? [x, y, z] : undefined;
}

export function sameGeometry(a: Geometry, b: Geometry): boolean {
  return geometryText(a) === geometryText(b);
}

/** As between the angle brackets of a launch. */
export function geometryText({ grid, block, dynamicSharedMemory }: Geometry): string {
  const sizes = [grid, block].map((size) => size.join('x'));
  return [...sizes, ...(dynamicSharedMemory === 0 ? [] : [dynamicSharedMemory])].join(', ');
}
