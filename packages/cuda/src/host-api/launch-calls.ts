import type { Dim3Input, LaunchAttributes } from '@griddep/program';
import { checkLaunch, type DeviceRules } from '../launch-rules.ts';
import { cudaEventRecordExternal } from './constants.ts';
import { CopyCalls } from './copy-calls.ts';
import type { CudaEvent, CudaPointer, StreamRef } from './handles.ts';
import { type CudaKernel, dimensions } from './kernels.ts';
import type { KernelArguments, Resolver } from './resolve.ts';

/** Attributes of cudaLaunchKernelEx; names as CUDA's without the prefix `cudaLaunchAttribute`. */
export interface HostLaunchAttributes {
  /** Programmatic dependent launch. */
  readonly programmaticStreamSerialization?: boolean;
  /** Rules 3.1 to 3.3. */
  readonly programmaticEvent?: {
    readonly event: CudaEvent;
    readonly triggerAtBlockStart?: boolean;
    readonly flags?: number;
  };
  /** Rule 3.4. */
  readonly launchCompletionEvent?: { readonly event: CudaEvent };
  /** A node of a capture that a device may change (rule 3.5). */
  readonly deviceUpdatableKernelNode?: { readonly deviceUpdatable: boolean };
  readonly cooperative?: boolean;
  readonly clusterDimension?: Dim3Input;
  readonly priority?: number;
}

/** cudaLaunchConfig_t. Without grid or block those that the kernel was declared with; stream 0 if absent. */
export interface LaunchConfig {
  readonly gridDim?: Dim3Input | undefined;
  readonly blockDim?: Dim3Input | undefined;
  readonly dynamicSmemBytes?: number | undefined;
  readonly stream?: StreamRef | undefined;
  readonly attrs?: HostLaunchAttributes | undefined;
}

/** Launches. Arguments are addresses, or values that do not matter, in the order of the kernel's parameters. */
export class LaunchCalls extends CopyCalls {
  /** `kernel<<<grid, block, sharedMemory, stream>>>(...args)` is `launch(kernel, grid, block, sharedMemory, stream)(...args)`. */
  launch(
    kernel: CudaKernel,
    grid?: Dim3Input,
    block?: Dim3Input,
    sharedMemory?: number,
    stream: StreamRef = 0,
  ): (...args: readonly (CudaPointer | number)[]) => number {
    const config = { gridDim: grid, blockDim: block, dynamicSmemBytes: sharedMemory, stream };
    return (...args) => this.cudaLaunchKernelEx(config, kernel, ...args);
  }

  /** A launch with attributes (section 3 of the rules; 5.9, 5.14). */
  cudaLaunchKernelEx(config: LaunchConfig, kernel: CudaKernel, ...args: readonly (CudaPointer | number)[]): number {
    const resolver = this.resolve('cudaLaunchKernelEx');
    const stream = resolver.stream(config.stream ?? 0);
    const attributes = this.attributes(resolver, config.attrs ?? {});
    return this.launched(resolver, stream, config, attributes, kernel, args);
  }

  /** All blocks are resident together (rule 5.14). */
  cudaLaunchCooperativeKernel(
    kernel: CudaKernel,
    grid: Dim3Input,
    block: Dim3Input,
    args: readonly (CudaPointer | number)[] = [],
    sharedMemory = 0,
    stream: StreamRef = 0,
  ): number {
    const attrs = { cooperative: true };
    const config = { gridDim: grid, blockDim: block, dynamicSmemBytes: sharedMemory, stream, attrs };
    return this.cudaLaunchKernelEx(config, kernel, ...args);
  }

  /** The call that a launch is, and whether the kernel touches what it may not; also of a graph's node. */
  protected launchCall(
    resolver: Resolver,
    stream: string,
    config: LaunchConfig,
    attributes: LaunchAttributes,
    kernel: CudaKernel,
    args: KernelArguments,
  ) {
    const name = resolver.kernel(kernel, config.gridDim, config.blockDim, config.dynamicSmemBytes);
    const { faults, ...passed } = resolver.args(kernel, args);
    return { call: { kind: 'launchKernel', kernel: name, stream, attributes, ...passed } as const, faults };
  }

  /** The error of a kernel that does not fit the current device. */
  protected unfit(name: string, attributes: LaunchAttributes) {
    const kernel = this.process.program.kernels.get(name);
    const rules = this.process.devices[this.currentDevice] as DeviceRules;
    return kernel === undefined ? undefined : checkLaunch(kernel, attributes, rules);
  }

  private launched(
    resolver: Resolver,
    stream: string,
    config: LaunchConfig,
    attributes: LaunchAttributes,
    kernel: CudaKernel,
    args: KernelArguments,
  ): number {
    const { call, faults } = this.launchCall(resolver, stream, config, attributes, kernel, args);
    return this.enqueue(resolver, call, faults);
  }

  private attributes(resolver: Resolver, given: HostLaunchAttributes): LaunchAttributes {
    const { programmaticStreamSerialization, programmaticEvent, launchCompletionEvent, cooperative, priority } = given;
    const size = given.clusterDimension === undefined ? undefined : dimensions(given.clusterDimension);
    if (given.clusterDimension !== undefined && size === undefined) {
      resolver.fail('cudaErrorInvalidClusterSize', `clusters of ${String(given.clusterDimension)} blocks`);
    }
    resolver.require(priority === undefined || Number.isSafeInteger(priority), `${priority} is no priority`);
    return {
      ...(programmaticStreamSerialization === undefined ? {} : { programmaticStreamSerialization }),
      ...(programmaticEvent === undefined
        ? {}
        : {
            programmaticEvent: {
              event: resolver.event(programmaticEvent.event),
              triggerAtBlockStart: programmaticEvent.triggerAtBlockStart === true,
              ...(programmaticEvent.flags === cudaEventRecordExternal ? { external: true } : {}),
            },
          }),
      ...(launchCompletionEvent === undefined
        ? {}
        : { launchCompletionEvent: { event: resolver.event(launchCompletionEvent.event) } }),
      ...(given.deviceUpdatableKernelNode === undefined
        ? {}
        : { deviceUpdatable: given.deviceUpdatableKernelNode.deviceUpdatable }),
      ...(cooperative === undefined ? {} : { cooperative }),
      ...(size === undefined ? {} : { clusterDimension: size }),
      ...(priority === undefined ? {} : { priority }),
    };
  }
}
