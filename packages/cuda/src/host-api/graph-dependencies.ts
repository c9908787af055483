import type { CallOf } from '@griddep/program';
import type { Milestone, NodeEdge } from '../commands.ts';
import { addEdge, knowsEdgeData, MILESTONE_OF_PORT, newerDriver, removeEdge } from '../graph-edges.ts';
import { GraphMaking } from './graph-making.ts';
import { handlesOf, idOf, type KnownGraph } from './graph-table.ts';
import type { CudaGraph, CudaGraphNode, Out } from './handles.ts';
import type { Resolver } from './resolve.ts';

/** cudaGraphEdgeData (rules 4.1 to 4.3); each is 0 if absent. */
export interface EdgeData {
  readonly from_port?: number;
  readonly to_port?: number;
  readonly type?: number;
}

/** An edge as cudaGraphGetEdges tells of it. */
export interface EdgeOfNodes {
  readonly from: CudaGraphNode;
  readonly to: CudaGraphNode;
  readonly data: Required<EdgeData>;
}

const PORTS = ['default', 'programmatic', 'launchCompletion'] as const;
const TYPES = ['full', 'programmatic'] as const;
const PORT_OF_MILESTONE = new Map<Milestone, number>(PORTS.map((port, i) => [MILESTONE_OF_PORT[port], i]));
type EdgeCall = CallOf<'graphAddDependencies'>;

/** Edges of graphs, made by hand or captured. */
export class GraphDependencies extends GraphMaking {
  /** Edges, each from `from[i]` to `to[i]`, full ones or as their data say (rules 4.1 to 4.3, 4.6): all or none. */
  cudaGraphAddDependencies(
    graph: CudaGraph,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[] = [],
  ): number {
    return this.changeEdges(this.resolve('cudaGraphAddDependencies'), 'graphAddDependencies', graph, from, to, data);
  }

  /** Takes edges out again (rule 4.6): all or none. */
  cudaGraphRemoveDependencies(
    graph: CudaGraph,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[] = [],
  ): number {
    const resolver = this.resolve('cudaGraphRemoveDependencies');
    return this.changeEdges(resolver, 'graphRemoveDependencies', graph, from, to, data);
  }

  /** Number of nodes, and the nodes. */
  cudaGraphGetNodes(graph: CudaGraph, count: Out<number>, nodes?: Out<readonly CudaGraphNode[]>): number {
    const resolver = this.resolve('cudaGraphGetNodes');
    const known = resolver.graph(graph);
    const shape = this.shape(resolver, known);
    return this.local(resolver, () => {
      const all = this.context.runtime.graph(shape)?.nodes ?? [];
      count.value = all.length;
      if (nodes !== undefined)
        nodes.value = handlesOf(
          known as KnownGraph,
          all.map(({ id }) => id),
        );
    });
  }

  /** Number of edges, and the edges; without asking for their data (`withData`) an error where one is not a full one (rule 4.5). */
  cudaGraphGetEdges(
    graph: CudaGraph,
    count: Out<number>,
    withData = false,
    edges?: Out<readonly EdgeOfNodes[]>,
  ): number {
    const resolver = this.resolve('cudaGraphGetEdges');
    const known = resolver.graph(graph);
    const shape = this.shape(resolver, known);
    const code = this.enqueue(resolver, { kind: 'graphGetEdges', graph: shape, edgeData: withData });
    if (code !== 0) return code;
    const all = this.edgesOf(known as KnownGraph);
    count.value = all.length;
    if (edges !== undefined) edges.value = all;
    return code;
  }

  /** Number of edges into a node, and the nodes that they come from; `withData` as above. */
  cudaGraphNodeGetDependencies(
    node: CudaGraphNode,
    count: Out<number>,
    withData = false,
    nodes?: Out<readonly CudaGraphNode[]>,
  ): number {
    const resolver = this.resolve('cudaGraphNodeGetDependencies');
    return this.neighbours(resolver, 'graphNodeGetDependencies', node, withData, (edges) => {
      const found = edges.filter(({ to }) => to === node).map(({ from }) => from);
      count.value = found.length;
      if (nodes !== undefined) nodes.value = found;
    });
  }

  /** Number of edges out of a node, and the nodes that they lead to; `withData` as above. */
  cudaGraphNodeGetDependentNodes(
    node: CudaGraphNode,
    count: Out<number>,
    withData = false,
    nodes?: Out<readonly CudaGraphNode[]>,
  ): number {
    const resolver = this.resolve('cudaGraphNodeGetDependentNodes');
    return this.neighbours(resolver, 'graphNodeGetDependentNodes', node, withData, (edges) => {
      const found = edges.filter(({ from }) => from === node).map(({ to }) => to);
      count.value = found.length;
      if (nodes !== undefined) nodes.value = found;
    });
  }

  private neighbours(
    resolver: Resolver,
    kind: 'graphNodeGetDependencies' | 'graphNodeGetDependentNodes',
    node: CudaGraphNode,
    edgeData: boolean,
    found: (edges: readonly EdgeOfNodes[]) => void,
  ): number {
    const known = this.process.graphs.ofNode(node);
    resolver.require(known !== undefined, 'the node is of no graph (rule 4.6)');
    const id = known === undefined ? '' : (idOf(known, node) ?? '');
    const code = this.enqueue(resolver, { kind, graph: this.shape(resolver, known), node: id, edgeData });
    if (code === 0) found(this.edgesOf(known as KnownGraph));
    return code;
  }

  /** Each edge is a call of the runtime; that all of them are possible is known before the first is made. */
  private changeEdges(
    resolver: Resolver,
    kind: EdgeCall['kind'],
    graph: CudaGraph,
    from: readonly CudaGraphNode[],
    to: readonly CudaGraphNode[],
    data: readonly EdgeData[],
  ): number {
    const known = resolver.graph(graph);
    resolver.require(from.length === to.length, 'edges have two ends');
    const ends = from.map((node, i) => ({
      from: this.nodeIn(resolver, known, node),
      to: this.nodeIn(resolver, known, to[i] as CudaGraphNode),
      ...portAndType(resolver, data[i]),
    }));
    const shape = this.shape(resolver, known);
    const calls = ends.map((end): EdgeCall => ({ kind, graph: shape, ...end }));
    this.foresee(resolver, calls);
    const [first, ...rest] = calls;
    if (first === undefined) return this.local(resolver, () => undefined);
    let code = this.enqueue(resolver, first);
    resolver.label = undefined;
    for (const call of rest) if (code === 0) code = this.enqueue(resolver, call);
    if (code === 0) this.keep(known as KnownGraph, calls);
    return code;
  }

  private foresee(resolver: Resolver, calls: readonly EdgeCall[]): void {
    let graph = this.context.runtime.graph(calls[0]?.graph ?? '');
    for (const call of calls) {
      if (graph === undefined || resolver.error !== undefined) return;
      const plain = call.fromPort === 'default' && call.type === 'full';
      if (!plain && !knowsEdgeData(this.process)) resolver.error = newerDriver();
      const changed = call.kind === 'graphAddDependencies' ? addEdge(graph, call) : removeEdge(graph, call);
      if ('code' in changed) resolver.error ??= changed;
      else graph = changed;
    }
  }

  /** The next shape of a graph made by hand has the edges too. */
  private keep({ made }: KnownGraph, calls: readonly EdgeCall[]): void {
    if (made === undefined) return;
    for (const { kind, from, to, fromPort, type } of calls) {
      const isIt = (edge: (typeof made.edges)[number]) =>
        edge.from === from && edge.to === to && edge.fromPort === fromPort && edge.type === type;
      if (kind === 'graphAddDependencies') made.edges.push({ from, to, fromPort, type });
      else made.edges = made.edges.filter((edge) => !isIt(edge));
    }
  }

  private edgesOf(known: KnownGraph): EdgeOfNodes[] {
    const nodes = this.context.runtime.graph(known.shape)?.nodes ?? [];
    const handles = handlesOf(
      known,
      nodes.map(({ id }) => id),
    );
    return nodes.flatMap(({ edges }, i) =>
      edges.map((edge) => ({
        from: handles[edge.from] as CudaGraphNode,
        to: handles[i] as CudaGraphNode,
        data: dataOf(edge),
      })),
    );
  }

  private nodeIn(resolver: Resolver, known: KnownGraph | undefined, node: CudaGraphNode): string {
    const id = known === undefined ? undefined : idOf(known, node);
    resolver.require(id !== undefined, 'the node is none of the graph (rule 4.6)');
    return id ?? '';
  }
}

function portAndType(resolver: Resolver, { from_port = 0, to_port = 0, type = 0 }: EdgeData = {}) {
  const [fromPort, kind] = [PORTS[from_port], TYPES[type]];
  resolver.require(fromPort !== undefined && kind !== undefined, 'no data of edges (rule 4.1)');
  return { fromPort: fromPort ?? 'default', type: kind ?? 'full', toPort: to_port } as const;
}

function dataOf({ milestone, programmatic }: NodeEdge): Required<EdgeData> {
  return { from_port: PORT_OF_MILESTONE.get(milestone) ?? 0, to_port: 0, type: programmatic ? 1 : 0 };
}
