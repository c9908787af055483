import {
  type Body,
  type Call,
  type Dim3,
  type Graph,
  type Kernel,
  type Phase,
  type Program,
  ProgramError,
  volume,
} from '@griddep/program';
import { type Entry, entriesOf, freeName, mapThreads } from './entries.ts';
import { selectKernels } from './select-kernels.ts';

export interface FuseOptions {
  /** Kernels by name, all their variants meant: the second is fused into the first that it follows in its stream. */
  readonly first: string;
  readonly second: string;
}

/**
 * Kernels that follow each other in a stream, or in a graph made by hand as the only ones on their way, made one: its body is that of both, one after the other; it takes the
 * larger grid, and the resources of whichever wants more. What the host computed between the two launches goes with the
 * second. Nothing is taken off for memory that need not be moved any more.
 *
 * @throws ProgramError where there is no such kernel, or the two never follow each other
 */
export function fuse(program: Program, { first, second }: FuseOptions): Program {
  const [a, b] = [first, second].map((each) => new Set(selectKernels(program, each).map(({ name }) => name)));
  const kernels = new Map(program.kernels);
  const fusedNames = new Map<string, string>();
  const nameOf = (one: string, other: string): string => {
    const key = JSON.stringify([one, other]);
    const known = fusedNames.get(key);
    if (known !== undefined) return known;
    const name = freeName(`${one} + ${other}`, kernels);
    kernels.set(name, fusedKernel(kernels.get(one) as Kernel, kernels.get(other) as Kernel, name));
    fusedNames.set(key, name);
    return name;
  };
  const legacy = [...program.streams.values()].filter(({ kind }) => kind === 'legacy').map(({ name }) => name);
  const fuses = (one: string, other: string): boolean => a?.has(one) === true && b?.has(other) === true;
  const changing = graphsThatCallsChange(program);
  const graphs = new Map(
    [...program.graphs].map(([name, graph]) => [
      name,
      changing.has(name) ? graph : withFusedNodes(graph, fuses, nameOf),
    ]),
  );
  const changed = mapThreads({ ...program, graphs }, (entries) => {
    const out: Entry[] = [];
    /** Index in `out` of the last launch of a stream, while nothing else has come in it. */
    const open = new Map<string, number>();
    for (const entry of entries) {
      const { call } = entry;
      if (call.kind === 'launchKernel') {
        const at = open.get(call.stream);
        const before = at === undefined ? undefined : out[at];
        if (
          at !== undefined &&
          before?.call.kind === 'launchKernel' &&
          fuses(before.call.kernel, call.kernel) &&
          !signals(call)
        ) {
          out[at] = { ...before, call: { ...before.call, kernel: nameOf(before.call.kernel, call.kernel) } };
          // The pause before the second launch goes with it.
          for (let i = out.length - 1; i > at; i--) if (out[i]?.call.kind === 'hostCompute') out.splice(i, 1);
          // Positions behind it have moved.
          open.clear();
          continue;
        }
        out.push(entry);
        // Work in the legacy stream comes between the work of all others (rule 5.1).
        if (legacy.includes(call.stream)) open.clear();
        else for (const stream of legacy) open.delete(stream);
        open.set(call.stream, out.length - 1);
        continue;
      }
      if (isEnqueued(call) && !legacy.includes(call.stream))
        for (const stream of [call.stream, ...legacy]) open.delete(stream);
      else if (!isOfHostAlone(call)) open.clear();
      out.push(entry);
    }
    return out;
  });
  if (fusedNames.size === 0) {
    throw new ProgramError(`no launch of "${second}" follows one of "${first}" in its stream or graph`, {
      offending: `${first},${second}`,
      path: [],
    });
  }
  return { ...changed, kernels };
}

/** Graphs whose nodes calls name: they stay as they are. */
function graphsThatCallsChange({ threads }: Program): ReadonlySet<string> {
  const named = new Set<string>();
  for (const thread of threads) {
    for (const { call } of entriesOf(thread)) {
      if (
        call.kind.startsWith('graphAdd') ||
        call.kind.startsWith('graphRemove') ||
        call.kind.startsWith('graphNodeGet')
      )
        if ('graph' in call) named.add(call.graph);
    }
  }
  return named;
}

/** Calls that put something in a stream and let the host go on. */
function isEnqueued(call: Call): call is Call & { readonly stream: string } {
  if (call.kind === 'memcpy') return call.async;
  return ENQUEUED.has(call.kind);
}

const ENQUEUED: ReadonlySet<string> = new Set([
  ...['eventRecord', 'streamWaitEvent', 'launchHostFunc', 'streamWaitValue', 'streamWriteValue'],
  ...['memset', 'mallocAsync', 'freeAsync', 'graphUpload', 'graphLaunch', 'streamQuery'],
]);

/** What has nothing to do with any stream. */
function isOfHostAlone({ kind }: Call): boolean {
  return kind === 'hostCompute' || kind === 'rangePush' || kind === 'rangePop' || kind === 'setDevice';
}

/** A launch whose attributes tell others of it (rules 3.1, 3.4) stays a launch of its own. */
function signals({ attributes }: Call & { readonly kind: 'launchKernel' }): boolean {
  return attributes?.programmaticEvent !== undefined || attributes?.launchCompletionEvent !== undefined;
}

/** A node and the next are one where no other node follows the first or comes before the second. */
function withFusedNodes(
  graph: Graph,
  fuses: (one: string, other: string) => boolean,
  nameOf: (one: string, other: string) => string,
): Graph {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  let edges = [...graph.edges];
  for (const { from, to } of graph.edges) {
    const [one, other] = [nodes.get(from), nodes.get(to)];
    if (one?.call.kind !== 'launchKernel' || other?.call.kind !== 'launchKernel') continue;
    if (!fuses(one.call.kernel, other.call.kernel) || signals(other.call)) continue;
    const isOnly = edges.filter((e) => e.from === from).length === 1 && edges.filter((e) => e.to === to).length === 1;
    if (!isOnly) continue;
    nodes.set(from, { ...one, call: { ...one.call, kernel: nameOf(one.call.kernel, other.call.kernel) } });
    nodes.delete(to);
    edges = edges.filter((e) => e.to !== to).map((e) => (e.from === to ? { ...e, from } : e));
  }
  return { ...graph, nodes: [...nodes.values()], edges };
}

function fusedKernel(a: Kernel, b: Kernel, name: string): Kernel {
  return {
    ...a,
    name,
    grid: larger(a.grid, b.grid),
    block: larger(a.block, b.block),
    registersPerThread: Math.max(a.registersPerThread, b.registersPerThread),
    staticSharedMemory: Math.max(a.staticSharedMemory, b.staticSharedMemory),
    dynamicSharedMemory: Math.max(a.dynamicSharedMemory, b.dynamicSharedMemory),
    parameters: [],
    accesses: [],
    griddepcontrol: a.griddepcontrol || b.griddepcontrol,
    body: fusedBody(a, b),
  };
}

function larger(a: Dim3, b: Dim3): Dim3 {
  return volume(a) >= volume(b) ? a : b;
}

function fusedBody(a: Kernel, b: Kernel): Body {
  if (a.body.kind === 'duration' && b.body.kind === 'duration') {
    return { ...a.body, duration: a.body.duration + b.body.duration };
  }
  const [role] = a.body.kind === 'phases' ? a.body.roles : [];
  return {
    kind: 'phases',
    roles: [{ name: role?.name ?? 'all', phases: [...phasesOf(a), ...withoutControl(phasesOf(b))] }],
  };
}

/** What comes second neither waits nor triggers: the fused kernel does so once. */
function withoutControl(phases: readonly Phase[]): Phase[] {
  return phases.filter(({ op }) => op !== 'wait' && op !== 'trigger');
}

function phasesOf({ name, body }: Kernel): readonly Phase[] {
  if (body.kind === 'duration') return [{ op: 'spin', duration: body.duration }];
  if (body.kind === 'phases' && body.roles.length === 1) return body.roles[0]?.phases ?? [];
  throw new ProgramError(`kernel "${name}" cannot be fused: only kernels of one role, or of a duration, can`, {
    offending: name,
    path: [],
  });
}
