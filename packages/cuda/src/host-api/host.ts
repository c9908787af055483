import type { CallOf, DurationInput } from '@griddep/program';
import { parseDuration } from '@griddep/program';
import { GraphCalls } from './graph-calls.ts';
import type { CudaPointer, Out, StreamRef } from './handles.ts';
import type { HostContext } from './host-calls.ts';
import { HostUseError } from './port.ts';

/**
 * A host thread: CUDA's calls by their names. Those that only enqueue return cudaError at once, and their time passes
 * later; those that observe or block are awaited. Methods may be taken off the object and called by themselves.
 */
export class CudaHost extends GraphCalls {
  constructor(context: HostContext) {
    super(context);
    for (let proto = CudaHost.prototype as object; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
        if (name === 'constructor' || typeof value !== 'function' || Object.hasOwn(this, name)) continue;
        Object.defineProperty(this, name, { value: value.bind(this) });
      }
    }
  }

  /** The device that later calls of this thread are about. */
  cudaSetDevice(device: number): number {
    const resolver = this.resolve('cudaSetDevice');
    resolver.deviceIndex(device);
    return this.enqueue(resolver, { kind: 'setDevice', device });
  }

  cudaGetDevice(device: Out<number>): number {
    return this.local(this.resolve('cudaGetDevice'), () => {
      device.value = this.currentDevice;
    });
  }

  cudaGetDeviceCount(count: Out<number>): number {
    return this.local(this.resolve('cudaGetDeviceCount'), () => {
      count.value = this.process.devices.length;
    });
  }

  /** Returns when all work of the current device is complete. */
  cudaDeviceSynchronize(): Promise<number> {
    return this.observe(this.resolve('cudaDeviceSynchronize'), { kind: 'deviceSynchronize' });
  }

  /** `can` gets 1 if the device could be given access to the memory of the other, else 0 (rule 6.10). */
  cudaDeviceCanAccessPeer(can: Out<number>, device: number, peer: number): number {
    const resolver = this.resolve('cudaDeviceCanAccessPeer');
    const rules = this.process.devices[resolver.deviceIndex(device)];
    resolver.deviceIndex(peer);
    return this.local(resolver, () => {
      can.value = device !== peer && rules?.peers.canAccess(peer) === true ? 1 : 0;
      return undefined;
    });
  }

  /** Kernels of the current device may touch the memory of the other from now on (rule 6.10). */
  cudaDeviceEnablePeerAccess(peer: number, flags = 0): number {
    const resolver = this.resolve('cudaDeviceEnablePeerAccess');
    resolver.deviceIndex(peer);
    resolver.require(flags === 0, `${flags} is no flag of peer access`);
    return this.enqueue(resolver, { kind: 'deviceEnablePeerAccess', peer });
  }

  cudaDeviceDisablePeerAccess(peer: number): number {
    const resolver = this.resolve('cudaDeviceDisablePeerAccess');
    resolver.deviceIndex(peer);
    return this.enqueue(resolver, { kind: 'deviceDisablePeerAccess', peer });
  }

  /** A collective of a group's devices, in a stream of each: the n-th of one meets the n-th of the others. */
  collective(operation: CallOf<'collective'>['collective'], group: string, bytes: number, stream: StreamRef): number {
    const resolver = this.resolve('collective');
    const call = { collective: operation, group, bytes: resolver.bytes(bytes), stream: resolver.stream(stream) };
    return this.enqueue(resolver, { kind: 'collective', ...call });
  }

  /** The host computes for so long, outside CUDA. */
  compute(duration: DurationInput): void {
    const resolver = this.resolve('compute', true);
    this.enqueue(resolver, { kind: 'hostCompute', duration: parseDuration(duration) });
  }

  /** The host reads memory that it can reach: what came from the devices. */
  read(pointer: CudaPointer, bytes: number): void {
    this.touch('hostRead', pointer, bytes);
  }

  /** The host writes memory that it can reach. */
  write(pointer: CudaPointer, bytes: number): void {
    this.touch('hostWrite', pointer, bytes);
  }

  /**
   * Sets a variable of the environment. CUDA_DEVICE_MAX_CONNECTIONS has been read by then (rule 5.11): `setenv` of the
   * program sets what the process begins with.
   *
   * @throws HostUseError where CUDA would read it: in the first thread, before its first call of CUDA
   */
  setenv(name: string, value: string | number): void {
    if (name === 'CUDA_DEVICE_MAX_CONNECTIONS' && this.context.port.index === 0 && !this.calledCuda) {
      throw new HostUseError(`${name} is set for the process: cuda.setenv, before its threads begin`);
    }
    this.enqueue(this.resolve('setenv', true), { kind: 'hostSetenv', name, value: String(value) });
  }

  /** The host writes a flag in mapped memory that kernels or other threads await. */
  signal(flag: string, value = 1): void {
    this.enqueue(this.resolve('signal', true), { kind: 'hostSignal', flag, value });
  }

  /** The host spins until a flag in mapped memory holds at least a value. */
  async awaitFlag(flag: string, value = 1): Promise<void> {
    await this.observed(this.resolve('awaitFlag', true), { kind: 'hostAwait', flag, value });
  }

  private touch(kind: 'hostRead' | 'hostWrite', pointer: CudaPointer, bytes: number): void {
    const resolver = this.resolve(kind, true);
    const range = resolver.range(pointer, resolver.bytes(bytes));
    resolver.require(this.process.memoryOf(pointer)?.buffer.space === 'host', 'the host reaches its own memory');
    if (resolver.error !== undefined) throw new HostUseError(`${kind}: ${resolver.error.message}`);
    if (range !== undefined) this.enqueue(resolver, { kind, range });
  }

  /** The thread's virtual time when the calls made so far have returned, ps. */
  now(): Promise<number> {
    this.context.port.assertRunning('now');
    return this.context.port.now();
  }
}
