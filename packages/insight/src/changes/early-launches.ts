import { blocksPerSm, type DeviceLimits, type Machine } from '@griddep/machine';
import { type Graph, type Kernel, type Phase, type Program, SOLE_ROLE, volume } from '@griddep/program';
import { mapThreads } from './entries.ts';
import { baseName, selectKernels } from './select-kernels.ts';

/** Where a kernel waits and triggers, as shares of what a block does, 0 to 1. */
export interface EarlyShares {
  readonly beforeWait: number;
  readonly beforeTrigger: number;
}

export interface EarlyLaunchOptions {
  /** Kernels by name, or `all`. */
  readonly kernels: readonly string[] | 'all';
  /** By kernel's name without the number of its variant; those of others are `otherwise`. */
  readonly shares: ReadonlyMap<string, EarlyShares>;
  readonly otherwise: EarlyShares;
  readonly machine: Machine;
}

/**
 * Programmatic dependent launch: the kernels wait and trigger at given places of their blocks, and every launch of one
 * behind a kernel in its stream gets the attribute. Kernels that wait or trigger already keep their bodies; collectives
 * and kernels that meet others in memory are left alone. Whether what stands before the wait is independent of the
 * kernel before is for the caller to know.
 */
export function withEarlyLaunches(
  program: Program,
  { kernels: chosen, shares, otherwise, machine }: EarlyLaunchOptions,
): Program {
  const selected = earlyKernels(program, chosen);
  const kernels = new Map(program.kernels);
  const limits = machine.devices[0]?.limits;
  for (const kernel of selected) {
    kernels.set(
      kernel.name,
      limits === undefined ? kernel : early(kernel, shares.get(baseName(kernel.name)) ?? otherwise, limits),
    );
  }
  const names = new Set(selected.map(({ name }) => name));
  const graphs = new Map([...program.graphs].map(([name, graph]) => [name, withProgrammaticEdges(graph, names)]));
  return mapThreads({ ...program, kernels, graphs }, (entries) => {
    const last = new Map<string, boolean>();
    return entries.map((entry) => {
      const { call } = entry;
      if (!('stream' in call) || typeof call.stream !== 'string') return entry;
      const followsKernel = last.get(call.stream) === true;
      // A record of an event without timing leaves the early launch alone (measured on an H200).
      const isTransparent = call.kind === 'eventRecord' && program.events.get(call.event)?.timing === false;
      if (!isTransparent) last.set(call.stream, call.kind === 'launchKernel');
      if (call.kind !== 'launchKernel' || !followsKernel || !names.has(call.kernel)) return entry;
      return { ...entry, call: { ...call, attributes: { ...call.attributes, programmaticStreamSerialization: true } } };
    });
  });
}

/** A kernel's only predecessor may let it start early; where it has several, the others would have to end first. */
function withProgrammaticEdges(graph: Graph, names: ReadonlySet<string>): Graph {
  const kernelOf = new Map(
    graph.nodes.map(({ id, call }) => [id, call.kind === 'launchKernel' ? call.kernel : undefined]),
  );
  const incoming = new Map<string, number>();
  for (const { to } of graph.edges) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  return {
    ...graph,
    edges: graph.edges.map((edge) => {
      const isEarly = names.has(kernelOf.get(edge.to) ?? '') && kernelOf.get(edge.from) !== undefined;
      const isPlain = edge.type === 'full' && edge.fromPort === 'default';
      if (!isEarly || !isPlain || incoming.get(edge.to) !== 1) return edge;
      return { ...edge, fromPort: 'programmatic', type: 'programmatic' };
    }),
  };
}

/** The kernels that a choice means and that can launch early. */
export function earlyKernels(program: Program, chosen: readonly string[] | 'all'): Kernel[] {
  const all = chosen === 'all' ? [...program.kernels.values()] : chosen.flatMap((text) => selectKernels(program, text));
  return all.filter(({ body }) => {
    if (body.kind === 'duration') return true;
    if (body.kind !== 'phases') return false;
    return body.roles.every(({ phases }) =>
      phases.every(({ op }) => op !== 'await' && op !== 'signal' && op !== 'gridBarrier'),
    );
  });
}

function early(kernel: Kernel, { beforeWait, beforeTrigger }: EarlyShares, limits: DeviceLimits): Kernel {
  const { body } = kernel;
  const phases = (made: readonly Phase[]): Kernel => ({
    ...kernel,
    griddepcontrol: true,
    // What is not known better stands last, behind the wait.
    accesses: kernel.accesses.map((access) => ({ ...access, role: SOLE_ROLE, phase: made.length - 1 })),
    body: { kind: 'phases', roles: [{ name: SOLE_ROLE, phases: made }] },
  });
  if (body.kind === 'duration')
    return phases(divided(body.duration / waves(kernel, limits), beforeWait, beforeTrigger));
  if (body.kind !== 'phases' || body.roles.length !== 1) return kernel;
  const own = body.roles[0]?.phases ?? [];
  if (own.some(({ op }) => op === 'wait' || op === 'trigger')) return kernel;
  if (own.every(({ op }) => op === 'spin')) {
    const total = own.reduce((sum, phase) => sum + (phase.op === 'spin' ? phase.duration : 0), 0);
    return phases(divided(total, beforeWait, beforeTrigger));
  }
  return phases([{ op: 'wait' }, { op: 'trigger' }, ...own]);
}

/** A block of `duration`, ps, that waits and triggers after given shares of it. */
function divided(duration: number, beforeWait: number, beforeTrigger: number): Phase[] {
  const marks = [
    { at: Math.round(beforeWait * duration), phase: { op: 'wait' } as const },
    { at: Math.round(beforeTrigger * duration), phase: { op: 'trigger' } as const },
  ].sort((a, b) => a.at - b.at);
  const phases: Phase[] = [];
  let done = 0;
  const spinTo = (at: number) => {
    if (at > done) phases.push({ op: 'spin', duration: at - done });
    done = Math.max(done, at);
  };
  for (const { at, phase } of marks) {
    spinTo(at);
    phases.push(phase);
  }
  spinTo(Math.max(1, Math.round(duration)));
  return phases;
}

function waves(
  { grid, block, registersPerThread, staticSharedMemory, dynamicSharedMemory }: Kernel,
  limits: DeviceLimits,
): number {
  const occupancy = blocksPerSm(
    {
      threadsPerBlock: volume(block),
      registersPerThread,
      sharedMemoryPerBlock: staticSharedMemory + dynamicSharedMemory,
    },
    limits,
  );
  return 'error' in occupancy ? 1 : Math.max(1, Math.ceil(volume(grid) / (occupancy.blocksPerSm * limits.sms)));
}
