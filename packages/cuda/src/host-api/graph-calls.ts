import type { Graph } from '@griddep/program';
import { cudaError } from '../errors.ts';
import { cudaGraphExecUpdateErrorTopologyChanged, cudaGraphExecUpdateSuccess } from './constants.ts';
import { GraphMaking } from './graph-making.ts';
import { hasCycle, type KnownGraph } from './graph-table.ts';
import type { CudaGraph, CudaGraphExec, Out, StreamRef } from './handles.ts';
import type { Resolver } from './resolve.ts';

/** Graphs, made by hand or captured: looked at, instantiated, updated, launched. */
export class GraphCalls extends GraphMaking {
  /** Number of nodes. */
  cudaGraphGetNodes(graph: CudaGraph, count: Out<number>): number {
    const resolver = this.resolve('cudaGraphGetNodes');
    const known = resolver.graph(graph);
    return this.local(resolver, () => {
      const { made, shape } = known as KnownGraph;
      count.value = made === undefined ? (this.context.runtime.graph(shape)?.nodes.length ?? 0) : made.nodes.size;
    });
  }

  /** Number of edges; without asking for their data (`withData`) an error where one is not a full one (rule 4.5). */
  cudaGraphGetEdges(graph: CudaGraph, count: Out<number>, withData = false): number {
    const resolver = this.resolve('cudaGraphGetEdges');
    const known = resolver.graph(graph);
    return this.local(resolver, () => {
      const plain = this.plainEdges(known as KnownGraph);
      if (!withData && plain.includes(false)) {
        return cudaError('cudaErrorLossyQuery', 'edges with data (rule 4.5)');
      }
      count.value = plain.length;
      return undefined;
    });
  }

  /** An executable of the graph as it is now. */
  cudaGraphInstantiate(executable: CudaGraphExec, graph: CudaGraph, flags = 0): number {
    const resolver = this.resolve('cudaGraphInstantiate');
    resolver.handle(executable, 'graphExec');
    resolver.require(flags === 0, `${flags} are no flags that are simulated`);
    const shape = this.shape(resolver, graph);
    const name = resolver.error === undefined ? this.process.nameFor(executable.name ?? 'executable') : '';
    const code = this.enqueue(resolver, { kind: 'graphInstantiate', graph: shape, executable: name });
    if (code === 0) this.process.executables.set(executable, name);
    return code;
  }

  /** `result` gets cudaGraphExecUpdateSuccess, or why the executable stays as it is (rule 4.10). */
  cudaGraphExecUpdate(executable: CudaGraphExec, graph: CudaGraph, result?: Out<number>): number {
    const resolver = this.resolve('cudaGraphExecUpdate');
    const name = resolver.executable(executable);
    const code = this.enqueue(resolver, {
      ...{ kind: 'graphExecUpdate', executable: name },
      graph: this.shape(resolver, graph),
    });
    if (result !== undefined) {
      result.value = code === 0 ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
    }
    return code;
  }

  cudaGraphUpload(executable: CudaGraphExec, stream: StreamRef): number {
    const resolver = this.resolve('cudaGraphUpload');
    const call = { executable: resolver.executable(executable), stream: resolver.stream(stream) };
    return this.enqueue(resolver, { kind: 'graphUpload', ...call });
  }

  /** After the stream's work and after earlier launches of the executable (rule 4.9). */
  cudaGraphLaunch(executable: CudaGraphExec, stream: StreamRef): number {
    const resolver = this.resolve('cudaGraphLaunch');
    const call = { executable: resolver.executable(executable), stream: resolver.stream(stream) };
    return this.enqueue(resolver, { kind: 'graphLaunch', ...call });
  }

  /** The handle is none afterwards; a launch that goes on ends. */
  cudaGraphExecDestroy(executable: CudaGraphExec): number {
    const resolver = this.resolve('cudaGraphExecDestroy');
    resolver.executable(executable);
    return this.local(resolver, () => {
      this.process.executables.delete(executable);
    });
  }

  /** The name that runtimes know the graph's present shape by. */
  private shape(resolver: Resolver, graph: CudaGraph): string {
    const known = resolver.graph(graph);
    if (known?.made === undefined) return known?.shape ?? '';
    const { made } = known;
    resolver.require(!hasCycle(made), `graph "${known.name}" has a cycle`);
    if (made.changed && resolver.error === undefined) {
      known.shape = this.process.nameFor(known.name);
      const shape: Graph = { name: known.shape, nodes: [...made.nodes.values()], edges: [...made.edges] };
      this.process.declareGraph(shape);
      made.changed = false;
    }
    return known.shape;
  }

  /** For each edge, whether it is a full one. */
  private plainEdges({ made, shape }: KnownGraph): boolean[] {
    if (made !== undefined) return made.edges.map(({ fromPort, type }) => fromPort === 'default' && type === 'full');
    const nodes = this.context.runtime.graph(shape)?.nodes ?? [];
    return nodes.flatMap(({ edges }) =>
      edges.map(({ milestone, programmatic }) => milestone === 'complete' && !programmatic),
    );
  }
}
