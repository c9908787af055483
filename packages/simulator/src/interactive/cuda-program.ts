import { type CudaHost, CudaPointer } from '@griddep/cuda/host-api';
import type { BytesInput } from '@griddep/program';
import { parseBytes } from '@griddep/program';
import type { LiveProgram, ThreadOptions } from './live-program.ts';

/** A CUDA process: what there is when its host threads begin. */
export class CudaProgram {
  private readonly live: LiveProgram;

  constructor(live: LiveProgram) {
    this.live = live;
  }

  /**
   * Starts a host thread at virtual time 0. Its code may await the calls of its host that are to be awaited, and nothing
   * else. Settles with what the code returns.
   *
   * @throws HostUseError when the program has awaited something before
   */
  hostThread<T>(body: (host: CudaHost) => Promise<T> | T, options: ThreadOptions = {}): Promise<T> {
    let settle: (value: T) => void = () => {};
    const result = new Promise<T>((resolve) => {
      settle = resolve;
    });
    this.live.addThread(async (host) => settle(await body(host)), options);
    return result;
  }

  /** Devices whose collectives of a group's name meet, the n-th of each with the n-th of the others. */
  collectiveGroup(name: string, devices: readonly number[]): void {
    this.live.groups.set(
      name,
      [...new Set(devices)].sort((a, b) => a - b),
    );
  }

  /**
   * A variable of the environment that the process begins with: CUDA_DEVICE_MAX_CONNECTIONS (rule 5.11).
   *
   * @throws HostUseError when host threads have begun
   */
  setenv(name: string, value: string | number): void {
    this.live.setenv(name, String(value));
  }

  /** Memory of a device that is there from the start, without a call. */
  deviceMemory(name: string, bytes: BytesInput, device = 0): CudaPointer {
    return this.memory(name, { space: 'device', device, bytes: parseBytes(bytes) }, 'malloc');
  }

  /** Pinned memory of the host that is there from the start. */
  pinnedMemory(name: string, bytes: BytesInput): CudaPointer {
    return this.memory(name, { space: 'host', hostMemory: 'pinned', bytes: parseBytes(bytes) }, 'mallocHost');
  }

  /** Pageable memory of the host. */
  pageableMemory(name: string, bytes: BytesInput): CudaPointer {
    return this.memory(name, { space: 'host', hostMemory: 'pageable', bytes: parseBytes(bytes) }, 'pageable');
  }

  private memory(
    name: string,
    input: Parameters<LiveProgram['process']['declareMemory']>[1],
    from: Parameters<LiveProgram['process']['declareMemory']>[2],
  ): CudaPointer {
    const { process } = this.live;
    const pointer = new CudaPointer(name);
    process.point(pointer, process.declareMemory(pointer, input, from));
    return pointer;
  }
}
