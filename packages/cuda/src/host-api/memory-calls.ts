import type { BufferInput, Call } from '@griddep/program';
import { EventCalls } from './event-calls.ts';
import type { CudaPointer, StreamRef } from './handles.ts';
import type { Memory } from './process.ts';
import type { Resolver } from './resolve.ts';

/** Memory of devices and of the host. */
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
