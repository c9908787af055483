import type { CallOf, CopyKind } from '@griddep/program';
import { cudaMemcpyDefault, cudaMemcpyHostToHost } from './constants.ts';
import type { CudaPointer, StreamRef } from './handles.ts';
import { MemoryCalls } from './memory-calls.ts';
import type { Memory } from './process.ts';
import type { Resolver } from './resolve.ts';

/** By the numbers of driver_types.h. */
const COPIES = ['hostToHost', 'hostToDevice', 'deviceToHost', 'deviceToDevice'] as const;
const ASYNC = { async: true } as const;
const BLOCKING = { async: false } as const;
type Way = typeof ASYNC | typeof BLOCKING;

/** Copies and memsets. */
export class CopyCalls extends MemoryCalls {
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
}
