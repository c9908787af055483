import type { BufferInput, Call, CallOf, CopyKind } from '@griddep/program';
import { cudaMemcpyDefault, cudaMemcpyHostToHost } from './constants.ts';
import { EventCalls } from './event-calls.ts';
import type { CudaPointer, StreamRef } from './handles.ts';
import type { Memory } from './process.ts';
import type { Resolver } from './resolve.ts';

/** By the numbers of driver_types.h. */
const COPIES = ['hostToHost', 'hostToDevice', 'deviceToHost', 'deviceToDevice'] as const;
const ASYNC = { async: true } as const;
const BLOCKING = { async: false } as const;
type Way = typeof ASYNC | typeof BLOCKING;

/** Memory of devices and of the host, and copies between them. */
export class MemoryCalls extends EventCalls {
  /** Memory of the current device; waits for its work (rule 6.6). Of 0 bytes it gives none, and succeeds. */
  cudaMalloc(pointer: CudaPointer, bytes: number): Promise<number> {
    return this.allocate('malloc', pointer, bytes, {});
  }

  /** Pinned memory of the host; takes time by the byte (rule 6.12). */
  cudaMallocHost(pointer: CudaPointer, bytes: number): Promise<number> {
    return this.allocate('mallocHost', pointer, bytes, { space: 'host', hostMemory: 'pinned' });
  }

  /** C's malloc: pageable memory of the host. No call of CUDA's, and it takes no time. */
  malloc(pointer: CudaPointer, bytes: number): void {
    const resolver = this.resolve('malloc', true);
    resolver.handle(pointer, 'pointer');
    const input = { space: 'host', hostMemory: 'pageable', bytes: resolver.bytes(bytes) } as const;
    if (resolver.error !== undefined) throw new RangeError(`malloc: ${resolver.error.message}`);
    this.process.point(pointer, this.process.declareMemory(pointer, input, 'pageable'));
  }

  /** Frees device memory; waits for the device's work (rule 6.7). A null pointer may be freed. */
  cudaFree(pointer: CudaPointer): Promise<number> {
    return this.release('free', pointer, (from) => from === 'malloc' || from === 'mallocAsync');
  }

  /** Frees pinned memory. A null pointer may be freed. */
  cudaFreeHost(pointer: CudaPointer): Promise<number> {
    return this.release('freeHost', pointer, (from) => from === 'mallocHost');
  }

  /** Memory of the stream's device, from its pool, in stream order (rule 6.7). */
  cudaMallocAsync(pointer: CudaPointer, bytes: number, stream: StreamRef = 0): number {
    const resolver = this.resolve('cudaMallocAsync');
    const record = resolver.streamRecord(stream);
    const memory = this.declared(resolver, pointer, bytes, 'mallocAsync', { device: record?.device ?? 0 });
    const call = { buffer: memory?.buffer.name ?? '', stream: record?.name ?? '' };
    const code = this.enqueue(resolver, { kind: 'mallocAsync', ...call });
    if (code === 0 && memory !== undefined) this.process.point(pointer, memory);
    return code;
  }

  /** Gives memory back in stream order. */
  cudaFreeAsync(pointer: CudaPointer, stream: StreamRef = 0): number {
    const resolver = this.resolve('cudaFreeAsync');
    const name = resolver.stream(stream);
    const memory = this.freeable(resolver, pointer, (from) => from === 'malloc' || from === 'mallocAsync');
    if (memory === undefined) resolver.require(false, 'a null pointer was not allocated');
    const code = this.enqueue(resolver, { kind: 'freeAsync', buffer: memory?.buffer.name ?? '', stream: name });
    if (code === 0 && memory !== undefined) memory.freed = true;
    return code;
  }

  /** In the legacy stream; what it waits for depends on the kinds of memory (rules 6.1 to 6.3). */
  cudaMemcpy(destination: CudaPointer, source: CudaPointer, bytes: number, kind: number): Promise<number> {
    const resolver = this.resolve('cudaMemcpy');
    return this.observe(resolver, this.copy(resolver, destination, source, bytes, kind, 0, BLOCKING));
  }

  /** In a stream; fully asynchronous with pinned memory only (rule 6.4). */
  cudaMemcpyAsync(
    destination: CudaPointer,
    source: CudaPointer,
    bytes: number,
    kind: number,
    stream: StreamRef = 0,
  ): number {
    const resolver = this.resolve('cudaMemcpyAsync');
    return this.enqueue(resolver, this.copy(resolver, destination, source, bytes, kind, stream, ASYNC));
  }

  /** Between two devices, after all work of both (rule 6.8). */
  cudaMemcpyPeer(
    destination: CudaPointer,
    destinationDevice: number,
    source: CudaPointer,
    sourceDevice: number,
    bytes: number,
  ): Promise<number> {
    const resolver = this.resolve('cudaMemcpyPeer');
    const sides = { destination, destinationDevice, source, sourceDevice };
    return this.observe(resolver, this.peerCopy(resolver, sides, bytes, 0, BLOCKING));
  }

  /** Between two devices, in a stream of either. */
  cudaMemcpyPeerAsync(
    destination: CudaPointer,
    destinationDevice: number,
    source: CudaPointer,
    sourceDevice: number,
    bytes: number,
    stream: StreamRef = 0,
  ): number {
    const resolver = this.resolve('cudaMemcpyPeerAsync');
    const sides = { destination, destinationDevice, source, sourceDevice };
    return this.enqueue(resolver, this.peerCopy(resolver, sides, bytes, stream, ASYNC));
  }

  /** In the legacy stream; does not wait but for pinned memory (rule 6.5). */
  cudaMemset(pointer: CudaPointer, value: number, bytes: number): Promise<number> {
    const resolver = this.resolve('cudaMemset');
    return this.observe(resolver, this.set(resolver, pointer, value, bytes, 0, BLOCKING));
  }

  /** In a stream. */
  cudaMemsetAsync(pointer: CudaPointer, value: number, bytes: number, stream: StreamRef = 0): number {
    const resolver = this.resolve('cudaMemsetAsync');
    return this.enqueue(resolver, this.set(resolver, pointer, value, bytes, stream, ASYNC));
  }

  /** The call that a copy is; also of a graph's node. */
  protected copy(
    resolver: Resolver,
    to: CudaPointer,
    from: CudaPointer,
    bytes: number,
    kind: number,
    stream: StreamRef,
    way: Way,
  ): CallOf<'memcpy'> {
    const name = resolver.stream(stream);
    const size = resolver.bytes(bytes);
    const destination = resolver.range(to, size);
    const source = resolver.range(from, size);
    if (!(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault && Number.isInteger(kind))) {
      resolver.fail('cudaErrorInvalidMemcpyDirection', `${kind} is no kind of copies`);
    }
    const [left, right] = [this.buffer(from), this.buffer(to)];
    const sides = `${left?.space ?? 'host'}To${right?.space === 'device' ? 'Device' : 'Host'}` as CopyKind;
    const asked = COPIES[kind] ?? sides;
    if (resolver.error === undefined && size > 0)
      resolver.require(asked === sides, `the copy is ${sides}, not ${asked}`);
    const host = left?.space === 'host' ? left : right;
    const hostMemory = host?.hostMemory ?? 'pageable';
    const ranges = source === undefined || destination === undefined ? {} : { source, destination };
    const copy = size > 0 ? sides : asked;
    return { kind: 'memcpy', copy, bytes: size, stream: name, ...way, hostMemory, ...ranges };
  }

  /** The call that a memset is; also of a graph's node. */
  protected set(
    resolver: Resolver,
    pointer: CudaPointer,
    value: number,
    bytes: number,
    stream: StreamRef,
    way: Way,
  ): CallOf<'memset'> {
    const name = resolver.stream(stream);
    resolver.require(Number.isInteger(value), `${value} is no byte`);
    const size = resolver.bytes(bytes);
    const destination = resolver.range(pointer, size);
    const range = destination === undefined ? {} : { destination };
    return { kind: 'memset', bytes: size, stream: name, ...way, ...range };
  }

  private buffer(pointer: CudaPointer): Memory['buffer'] | undefined {
    return this.process.memoryOf(pointer)?.buffer;
  }

  private peerCopy(
    resolver: Resolver,
    given: {
      readonly destination: CudaPointer;
      readonly destinationDevice: number;
      readonly source: CudaPointer;
      readonly sourceDevice: number;
    },
    bytes: number,
    stream: StreamRef,
    way: Way,
  ): CallOf<'memcpy'> {
    const name = resolver.stream(stream);
    const devices = [resolver.deviceIndex(given.sourceDevice), resolver.deviceIndex(given.destinationDevice)] as const;
    const size = resolver.bytes(bytes);
    const source = resolver.range(given.source, size);
    const destination = resolver.range(given.destination, size);
    for (const [pointer, device] of [
      [given.source, devices[0]],
      [given.destination, devices[1]],
    ] as const) {
      const memory = this.process.memoryOf(pointer)?.buffer;
      const fits = memory?.space === 'device' && memory.device === device;
      if (size > 0) resolver.require(fits, `the memory does not lie on device ${device}`);
    }
    const record = this.process.streamRecord(name);
    const fits = record === undefined || devices.includes(record.device);
    if (!fits) resolver.fail('cudaErrorInvalidResourceHandle', `stream "${name}" is of neither device`);
    return {
      ...{ kind: 'memcpy', copy: 'peer', bytes: size, stream: name, ...way, hostMemory: 'pageable' },
      ...{ sourceDevice: devices[0], destinationDevice: devices[1] },
      ...(source === undefined || destination === undefined ? {} : { source, destination }),
    };
  }

  private async allocate(
    kind: 'malloc' | 'mallocHost',
    pointer: CudaPointer,
    bytes: number,
    where: Omit<BufferInput, 'bytes'>,
  ): Promise<number> {
    const resolver = this.resolve(kind);
    if (bytes === 0 && resolver.error === undefined) return this.settled(resolver, () => {});
    const memory = this.declared(resolver, pointer, bytes, kind, { device: this.currentDevice, ...where });
    const code = await this.observe(resolver, { kind, buffer: memory?.buffer.name ?? '' });
    if (code === 0 && memory !== undefined) this.process.point(pointer, memory);
    return code;
  }

  private declared(
    resolver: Resolver,
    pointer: CudaPointer,
    bytes: number,
    from: Memory['from'],
    where: Omit<BufferInput, 'bytes'>,
  ): Memory | undefined {
    resolver.handle(pointer, 'pointer');
    resolver.require(pointer?.base === undefined, 'a place within memory is no variable');
    const size = resolver.bytes(bytes);
    resolver.require(size > 0, 'an allocation of 0 bytes');
    if (resolver.error !== undefined) return undefined;
    return this.process.declareMemory(pointer, { ...where, bytes: size }, from);
  }

  private async release(
    kind: 'free' | 'freeHost',
    pointer: CudaPointer,
    fits: (from: Memory['from']) => boolean,
  ): Promise<number> {
    const resolver = this.resolve(kind);
    const memory = this.freeable(resolver, pointer, fits);
    if (memory === undefined && resolver.error === undefined) return this.settled(resolver, () => {});
    const call: Call = { kind, buffer: memory?.buffer.name ?? '' };
    const code = await this.observe(resolver, call);
    if (code === 0 && memory !== undefined) memory.freed = true;
    return code;
  }

  /** Memory that can be freed as asked; undefined for a null pointer. */
  private freeable(
    resolver: Resolver,
    pointer: CudaPointer,
    fits: (from: Memory['from']) => boolean,
  ): Memory | undefined {
    resolver.handle(pointer, 'pointer');
    if (resolver.error !== undefined) return undefined;
    const memory = this.process.memoryOf(pointer);
    if (memory === undefined) return undefined;
    resolver.require(!memory.freed, `"${memory.buffer.name}" has been freed`);
    resolver.require(pointer.offset === 0, `an address within "${memory.buffer.name}" was not allocated`);
    resolver.require(fits(memory.from), `"${memory.buffer.name}" comes from ${memory.from}`);
    return memory;
  }
}
