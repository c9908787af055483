import type { Call, Dim3Input, DurationInput, Graph, GraphEdge } from '@griddep/program';
import { parseDuration } from '@griddep/program';
import { addNode, type KnownGraph, type MadeGraph, madeGraph } from './graph-table.ts';
import type { CudaEvent, CudaGraph, CudaGraphNode, CudaPointer } from './handles.ts';
import type { CudaKernel } from './kernels.ts';
import { LaunchCalls } from './launch-calls.ts';
import type { Resolver } from './resolve.ts';

/** cudaKernelNodeParams. */
export interface KernelNodeParams {
  readonly func: CudaKernel;
  readonly gridDim?: Dim3Input | undefined;
  readonly blockDim?: Dim3Input | undefined;
  readonly sharedMemBytes?: number | undefined;
  readonly kernelParams?: readonly (CudaPointer | number)[] | undefined;
}

/** Graphs made by hand, node by node. */
export class GraphMaking extends LaunchCalls {
  /** An empty graph. */
  cudaGraphCreate(graph: CudaGraph, flags = 0): number {
    const resolver = this.resolve('cudaGraphCreate');
    resolver.handle(graph, 'graph');
    resolver.require(flags === 0, `${flags} is no flag of graphs`);
    return this.local(resolver, () => {
      const name = this.process.nameFor(graph.name ?? 'graph');
      this.process.graphs.add(graph, { name, shape: name, made: madeGraph(), captured: new Map() });
    });
  }

  /** The handle is none afterwards; executables made from it stay. */
  cudaGraphDestroy(graph: CudaGraph): number {
    const resolver = this.resolve('cudaGraphDestroy');
    resolver.graph(graph);
    return this.local(resolver, () => {
      this.process.graphs.remove(graph);
    });
  }

  /** A kernel, on the current device. */
  cudaGraphAddKernelNode(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    params: KernelNodeParams,
  ): number {
    const resolver = this.resolve('cudaGraphAddKernelNode');
    const config = { gridDim: params.gridDim, blockDim: params.blockDim, dynamicSmemBytes: params.sharedMemBytes };
    const stream = resolver.stream(0);
    const { call } = this.launchCall(resolver, stream, config, {}, params.func, params.kernelParams ?? []);
    if (resolver.error === undefined) resolver.error = this.unfit(call.kernel, {});
    return this.addNode(resolver, node, graph, dependencies, params.func.name, call);
  }

  /** A copy of bytes in a row. */
  cudaGraphAddMemcpyNode1D(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    destination: CudaPointer,
    source: CudaPointer,
    bytes: number,
    kind: number,
  ): number {
    const resolver = this.resolve('cudaGraphAddMemcpyNode1D');
    const call = this.copy(resolver, destination, source, bytes, kind, 0, { async: true });
    resolver.require(bytes > 0, 'a copy of no bytes is no node');
    return this.addNode(resolver, node, graph, dependencies, call.copy, call);
  }

  /** A memset of bytes in a row. */
  cudaGraphAddMemsetNode(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    params: { readonly dst: CudaPointer; readonly value: number; readonly width: number },
  ): number {
    const resolver = this.resolve('cudaGraphAddMemsetNode');
    const call = this.set(resolver, params.dst, params.value, params.width, 0, { async: true });
    resolver.require(params.width > 0, 'a memset of no bytes is no node');
    return this.addNode(resolver, node, graph, dependencies, 'memset', call);
  }

  /** A function of the host that runs for so long. */
  cudaGraphAddHostNode(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    duration: DurationInput,
  ): number {
    const resolver = this.resolve('cudaGraphAddHostNode');
    const call = { stream: resolver.stream(0), duration: parseDuration(duration) };
    return this.addNode(resolver, node, graph, dependencies, 'hostFunction', { kind: 'launchHostFunc', ...call });
  }

  /** A node that does nothing: what follows it waits for what is before it. */
  cudaGraphAddEmptyNode(node: CudaGraphNode, graph: CudaGraph, dependencies: readonly CudaGraphNode[]): number {
    const resolver = this.resolve('cudaGraphAddEmptyNode');
    const call = { stream: resolver.stream(0), bytes: 0, async: true } as const;
    return this.addNode(resolver, node, graph, dependencies, 'empty', { kind: 'memset', ...call });
  }

  /** A node that records an event. */
  cudaGraphAddEventRecordNode(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    event: CudaEvent,
  ): number {
    const resolver = this.resolve('cudaGraphAddEventRecordNode');
    const call = { kind: 'eventRecord', event: resolver.event(event), stream: resolver.stream(0) } as const;
    return this.addNode(resolver, node, graph, dependencies, 'eventRecord', call);
  }

  /** A node that waits for the newest record of an event. */
  cudaGraphAddEventWaitNode(
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    event: CudaEvent,
  ): number {
    const resolver = this.resolve('cudaGraphAddEventWaitNode');
    const call = { kind: 'streamWaitEvent', event: resolver.event(event), stream: resolver.stream(0) } as const;
    return this.addNode(resolver, node, graph, dependencies, 'eventWait', call);
  }

  /** Takes a node out, with its edges; of graphs made by hand. */
  cudaGraphDestroyNode(graph: CudaGraph, node: CudaGraphNode): number {
    const resolver = this.resolve('cudaGraphDestroyNode');
    const made = this.madeGraph(resolver, graph);
    const id = this.nodeId(resolver, made, node);
    return this.local(resolver, () => {
      const graphNow = made as MadeGraph;
      graphNow.nodes.delete(node);
      graphNow.edges = graphNow.edges.filter(({ from, to }) => from !== id && to !== id);
      graphNow.changed = true;
    });
  }

  private addNode(
    resolver: Resolver,
    node: CudaGraphNode,
    graph: CudaGraph,
    dependencies: readonly CudaGraphNode[],
    what: string,
    call: Call,
  ): number {
    resolver.handle(node, 'graphNode');
    const made = this.madeGraph(resolver, graph);
    const before = dependencies.map((each) => this.nodeId(resolver, made, each));
    resolver.require(new Set(before).size === before.length, 'a dependency is named twice (rule 4.6)');
    return this.local(resolver, () => {
      const added = addNode(made as MadeGraph, node, what, call);
      const edges = before.map((from): GraphEdge => ({ from, to: added.id, fromPort: 'default', type: 'full' }));
      (made as MadeGraph).edges.push(...edges);
    });
  }

  /** A graph that was made by hand; a captured one is not changed. */
  private madeGraph(resolver: Resolver, graph: CudaGraph): MadeGraph | undefined {
    const known = resolver.graph(graph);
    if (known !== undefined && known.made === undefined) {
      resolver.fail('cudaErrorNotSupported', 'nodes of captured graphs are not added or taken out');
    }
    return known?.made;
  }

  private nodeId(resolver: Resolver, made: MadeGraph | undefined, node: CudaGraphNode): string {
    const id = made?.nodes.get(node)?.id;
    resolver.require(id !== undefined, 'the node is none of the graph (rule 4.6)');
    return id ?? '';
  }

  /** The name that runtimes know the graph's present shape by. */
  protected shape(resolver: Resolver, known: KnownGraph | undefined): string {
    if (known?.made?.changed === true && resolver.error === undefined) {
      const { made } = known;
      const isFirst = this.context.runtime.graph(known.name) === undefined;
      known.shape = isFirst ? known.name : this.process.nameFor(known.name);
      const shape: Graph = { name: known.shape, nodes: [...made.nodes.values()], edges: [...made.edges] };
      this.process.declareGraph(shape);
      made.changed = false;
    }
    return known?.shape ?? '';
  }
}
