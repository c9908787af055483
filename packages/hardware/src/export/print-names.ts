import type { BufferRange, Call, Program } from '@griddep/program';
import { ExportError } from './export-error.ts';
import { known, type Objects } from './objects.ts';

const COPY = {
  hostToDevice: 'cudaMemcpyHostToDevice',
  deviceToHost: 'cudaMemcpyDeviceToHost',
  deviceToDevice: 'cudaMemcpyDeviceToDevice',
  hostToHost: 'cudaMemcpyHostToHost',
  peer: 'cudaMemcpyDefault',
} as const;

/** Memory for copies that name none: by device and side, as many bytes as the largest of them. */
export class Unnamed {
  readonly buffers: { readonly device: number; readonly space: string; bytes: number }[] = [];

  /** Number of the buffer after those of the program. */
  of(device: number, space: 'd' | 'D' | 'p' | 'g', bytes: number): number {
    let i = this.buffers.findIndex((b) => b.device === device && b.space === space);
    if (i < 0) i = this.buffers.push({ device, space, bytes: 0 }) - 1;
    const buffer = this.buffers[i] as (typeof this.buffers)[number];
    buffer.bytes = Math.max(buffer.bytes, bytes, 256);
    return i;
  }
}

/** How the written program calls the objects of a program. */
export class Names {
  readonly program: Program;
  readonly objects: Objects;
  private readonly unnamed: Unnamed;

  constructor(program: Program, objects: Objects, unnamed: Unnamed) {
    this.program = program;
    this.objects = objects;
    this.unnamed = unnamed;
  }

  sides(call: Call & { readonly kind: 'memcpy' }) {
    const { copy, bytes, source, destination, hostMemory } = call;
    const own = this.program.streams.get(call.stream)?.device ?? 0;
    const host = hostMemory === 'pinned' ? 'p' : 'g';
    const side = (range: BufferRange | undefined, onHost: boolean, device: number, first: boolean): string => {
      if (range !== undefined) return this.place(range);
      const space = onHost ? host : first ? 'd' : 'D';
      return this.unnamedPlace(this.unnamed.of(device, space, bytes));
    };
    const from = side(source, copy === 'hostToDevice' || copy === 'hostToHost', call.sourceDevice ?? own, true);
    const to = side(
      destination,
      copy === 'deviceToHost' || copy === 'hostToHost',
      call.destinationDevice ?? own,
      false,
    );
    return { to, from, bytes, kind: COPY[copy] };
  }

  target({ destination, stream, bytes }: Call & { readonly kind: 'memset' }): string {
    if (destination !== undefined) return this.place(destination);
    return this.unnamedPlace(this.unnamed.of(this.program.streams.get(stream)?.device ?? 0, 'D', bytes));
  }

  /** The variable of a node of a graph made by hand. */
  node(graph: string, id: string): string {
    const nodes = this.program.graphs.get(graph)?.nodes ?? [];
    const number = nodes.findIndex((node) => node.id === id);
    if (number < 0) throw new ExportError(`graph "${graph}": the node "${id}" of a capture cannot be named`);
    return `node_${known(this.objects.graphs, graph)}_${number}`;
  }

  place({ buffer, offset }: BufferRange): string {
    return `p.at(${known(this.objects.buffers, buffer)}, ${offset})`;
  }

  private unnamedPlace(number: number): string {
    return `p.at(${this.objects.buffers.size + number}, 0)`;
  }

  stream(name: string): string {
    return `p.st(${known(this.objects.streams, name)})`;
  }

  event(name: string): string {
    return `p.ev(${known(this.objects.events, name)})`;
  }

  graph(name: string): string {
    return `p.graphs[${known(this.objects.graphs, name)}]`;
  }

  executable(name: string): string {
    return `p.executables[${known(this.objects.executables, name)}]`;
  }
}
