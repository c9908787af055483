/**
 * Handles as a C program declares them: variables that a creating call fills. The name, if one is given, is what the
 * timeline calls the object. What a handle stands for is known to the process alone, so one handle can serve several
 * runs of a program.
 */
export abstract class Handle {
  abstract readonly handle: 'stream' | 'event' | 'graph' | 'graphExec' | 'graphNode' | 'pointer';
  readonly name: string | undefined;

  constructor(name: string | undefined) {
    this.name = name;
  }
}

export class CudaStream extends Handle {
  readonly handle = 'stream';
}
export class CudaEvent extends Handle {
  readonly handle = 'event';
}
export class CudaGraph extends Handle {
  readonly handle = 'graph';
}
export class CudaGraphExec extends Handle {
  readonly handle = 'graphExec';
}
export class CudaGraphNode extends Handle {
  readonly handle = 'graphNode';
}

/** An address in the memory of a device or of the host: a variable that an allocation fills, or a place in one. */
export class CudaPointer extends Handle {
  readonly handle = 'pointer';
  readonly base: CudaPointer | undefined;
  /** Bytes from what the allocation returned. */
  readonly offset: number;

  constructor(name: string | undefined, base?: CudaPointer, offset = 0) {
    super(name);
    this.base = base;
    this.offset = offset;
  }

  /** The address so many bytes further. */
  at(bytes: number): CudaPointer {
    return new CudaPointer(this.name, this.base ?? this, this.offset + bytes);
  }
}

/** `cudaStream_t name;` */
export function cudaStream(name?: string): CudaStream {
  return new CudaStream(name);
}

/** `cudaEvent_t name;` */
export function cudaEvent(name?: string): CudaEvent {
  return new CudaEvent(name);
}

/** `cudaGraph_t name;` */
export function cudaGraph(name?: string): CudaGraph {
  return new CudaGraph(name);
}

/** `cudaGraphExec_t name;` */
export function cudaGraphExec(name?: string): CudaGraphExec {
  return new CudaGraphExec(name);
}

/** `cudaGraphNode_t name;` */
export function cudaGraphNode(name?: string): CudaGraphNode {
  return new CudaGraphNode(name);
}

/** `void *name;` */
export function pointer(name?: string): CudaPointer {
  return new CudaPointer(name);
}

/** A variable that a call writes a value to, as through a pointer to it: `value` is undefined before. */
export interface Out<T> {
  value: T | undefined;
}

/** A variable for a call to write to: `int count;` passed as `&count`. */
export function out<T>(): Out<T> {
  return { value: undefined };
}

/** The legacy default stream of the current device, also written 0 (rules 5.1, 5.3). */
export const cudaStreamLegacy = new CudaStream('legacy');
/** The calling thread's own default stream of the current device (rule 5.2). */
export const cudaStreamPerThread = new CudaStream('perThread');

/** A stream, or 0 for the legacy default stream. */
export type StreamRef = CudaStream | 0;
