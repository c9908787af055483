import type { Call, Dim3Input, DurationInput, GraphEdge } from '@griddep/program';
import { parseDuration } from '@griddep/program';
import {
  cudaGraphDependencyTypeDefault,
  cudaGraphKernelNodePortDefault,
  cudaGraphKernelNodePortProgrammatic,
} from './constants.ts';
import { addNode, type MadeGraph, madeGraph } from './graph-table.ts';
import type { CudaGraph, CudaGraphNode, CudaPointer } from './handles.ts';
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

/** cudaGraphEdgeData (rules 4.1 to 4.3); each is 0 if absent. */
export interface EdgeData {
  readonly from_port?: number;
  readonly to_port?: number;
  readonly type?: number;
}

const PORTS = ['default', 'programmatic', 'launchCompletion'] as const;
const TYPES = ['full', 'programmatic'] as const;

/** Graphs made by hand: nodes and edges. */
export class GraphMaking extends LaunchCalls {
  /** An empty graph. */
  cudaGraphCreate(graph: CudaGraph, flags = 0): number {
    const resolver = this.resolve('cudaGraphCreate');
    resolver.handle(graph, 'graph');
    resolver.require(flags === 0, `${flags} is no flag of graphs`);
    return this.local(resolver, () => {
      const name = this.process.nameFor(graph.name ?? 'graph');
      this.process.graphs.add(graph, { name, shape: name, made: madeGraph() });
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

  /** Edges, each from `from[i]` to `to[i]`, full ones or as their data say (rules 4.1 to 4.3, 4.6). */
  cudaGraphAddDependencies(
    graph: CudaGraph,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[] = [],
  ): number {
    const resolver = this.resolve('cudaGraphAddDependencies');
    const made = this.madeGraph(resolver, graph);
    const edges = this.edges(resolver, made, from, to, data);
    return this.local(resolver, () => this.join(made as MadeGraph, edges));
  }

  /** Takes edges out again (rule 4.6). */
  cudaGraphRemoveDependencies(
    graph: CudaGraph,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[] = [],
  ): number {
    const resolver = this.resolve('cudaGraphRemoveDependencies');
    const made = this.madeGraph(resolver, graph);
    const edges = this.edges(resolver, made, from, to, data);
    return this.local(resolver, () => {
      const graphNow = made as MadeGraph;
      const gone = new Set(edges.map(edgeText));
      const left = graphNow.edges.filter((edge) => !gone.has(edgeText(edge)));
      if (graphNow.edges.length - left.length !== edges.length) return this.invalid('the edge is not there (rule 4.6)');
      graphNow.edges = left;
      graphNow.changed = true;
      return undefined;
    });
  }

  /** Takes a node out, with its edges. */
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
      resolver.fail('cudaErrorNotSupported', 'changes of captured graphs are not simulated');
    }
    return known?.made;
  }

  private nodeId(resolver: Resolver, made: MadeGraph | undefined, node: CudaGraphNode): string {
    const id = made?.nodes.get(node)?.id;
    resolver.require(id !== undefined, 'the node is none of the graph (rule 4.6)');
    return id ?? '';
  }

  private edges(
    resolver: Resolver,
    made: MadeGraph | undefined,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[],
  ): GraphEdge[] {
    resolver.require(from.length === to.length, 'edges have two ends');
    return from.map((node, i) => {
      const ends = { from: this.nodeId(resolver, made, node), to: this.nodeId(resolver, made, to[i] as CudaGraphNode) };
      const { from_port = 0, to_port = 0, type = 0 } = data[i] ?? {};
      const port = PORTS[from_port];
      const kind = TYPES[type];
      resolver.require(to_port === 0 && port !== undefined && kind !== undefined, 'no data of edges (rule 4.1)');
      const programmatic = type !== cudaGraphDependencyTypeDefault;
      const kernels = [node, to[i] as CudaGraphNode].map((end) => made?.nodes.get(end)?.call.kind === 'launchKernel');
      const fits = !programmatic || (kernels[0] && kernels[1] && from_port !== cudaGraphKernelNodePortDefault);
      resolver.require(fits === true, 'a programmatic edge joins kernels, from a port of the first (rule 4.2)');
      resolver.require(from_port !== cudaGraphKernelNodePortProgrammatic || programmatic, 'port and type (rule 4.3)');
      resolver.require(from_port === 0 || kernels[0] === true, 'only kernels have ports (rule 4.3)');
      return { ...ends, fromPort: port ?? 'default', type: kind ?? 'full' };
    });
  }

  private join(made: MadeGraph, added: readonly GraphEdge[]) {
    const all = new Set(made.edges.map(({ from, to }) => `${from}\n${to}`));
    for (const { from, to } of added) {
      const text = `${from}\n${to}`;
      if (all.has(text) || from === to)
        return this.invalid('the edge is there already, or leads to its node (rule 4.6)');
      all.add(text);
    }
    made.edges.push(...added);
    made.changed = true;
    return undefined;
  }
}

function edgeText({ from, to, fromPort, type }: GraphEdge): string {
  return JSON.stringify([from, to, fromPort, type]);
}
