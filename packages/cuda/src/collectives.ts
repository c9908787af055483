import type { Call, CallOf, CollectiveBody, Program } from '@griddep/program';
import type { CollectiveWork, ExecutableGraph, Rendezvous } from './commands.ts';
import type { Issued } from './issued.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** A collective that has not been given its place among those of its group. */
const UNNUMBERED = -1;

/**
 * Collectives of a process. The members of a group are the devices in whose streams the program calls it; the n-th
 * collective that one member enqueues meets the n-th of the others.
 */
export class Collectives {
  private readonly state: ProcessState;
  private readonly members: CollectiveGroups;
  /** Collectives enqueued so far, by group and device. */
  private readonly counts = new Map<string, number>();

  constructor(state: ProcessState, members: CollectiveGroups) {
    this.state = state;
    this.members = members;
  }

  /** A collective in a stream, or as a node of the capture that it is in. */
  call(invocation: Invocation<CallOf<'collective'>>): Issued {
    const { state } = this;
    const { thread, call } = invocation;
    const stream = state.stream(thread, call.stream);
    const work = this.work(call, stream.priority);
    if (state.captureOf(stream) !== undefined) return state.work(invocation, stream, work);
    return state.work(invocation, stream, { ...work, rendezvous: this.numbered(work.rendezvous, stream.device) });
  }

  /** What a collective call does, without its place among those of its group. */
  work({ collective, group, bytes }: CallOf<'collective'>, priority: number): CollectiveWork {
    return { type: 'collective', priority, rendezvous: this.meeting({ kind: 'collective', collective, group, bytes }) };
  }

  /** The meeting of a kernel that is a collective. */
  meeting({ collective, group, bytes }: CollectiveBody): Rendezvous {
    return { collective, group, bytes, ranks: this.members.get(group) ?? [], sequence: UNNUMBERED };
  }

  /** The meeting with the next place among those of its group on a device. */
  numbered(rendezvous: Rendezvous, device: number): Rendezvous {
    const key = `${device} ${rendezvous.group}`;
    const sequence = this.counts.get(key) ?? 0;
    this.counts.set(key, sequence + 1);
    return { ...rendezvous, sequence };
  }

  /** A graph as one launch of it runs: every launch has its own collectives. */
  launched(graph: ExecutableGraph): ExecutableGraph {
    if (!graph.nodes.some(({ work }) => rendezvousOf(work) !== undefined)) return graph;
    const nodes = graph.nodes.map((node) => {
      const rendezvous = rendezvousOf(node.work);
      if (rendezvous === undefined) return node;
      return {
        ...node,
        work: { ...node.work, rendezvous: this.numbered(rendezvous, node.device) } as typeof node.work,
      };
    });
    return { ...graph, nodes };
  }
}

/** The meeting that work takes part in, if it is a collective. */
export function rendezvousOf(work: {
  readonly type: string;
  readonly rendezvous?: Rendezvous;
}): Rendezvous | undefined {
  return work.rendezvous;
}

/** By group of collectives, its members' devices, ascending. */
export type CollectiveGroups = ReadonlyMap<string, readonly number[]>;

/** The groups of a program: devices in whose streams it calls collectives of a group are its members. */
export function collectiveGroups({ threads, graphs, streams, kernels }: Program): CollectiveGroups {
  const members = new Map<string, Set<number>>();
  const note = (call: Call): void => {
    const body = call.kind === 'launchKernel' ? kernels.get(call.kernel)?.body : undefined;
    const group = call.kind === 'collective' ? call.group : body?.kind === 'collective' ? body.group : undefined;
    if (group === undefined || !('stream' in call)) return;
    const known = members.get(group) ?? new Set();
    members.set(group, known.add(streams.get(call.stream)?.device ?? 0));
  };
  for (const { calls } of threads) for (let i = 0; i < calls.distinct; i++) note(calls.distinctCall(i));
  for (const { nodes } of graphs.values()) for (const { call } of nodes) note(call);
  return new Map([...members].map(([group, devices]) => [group, [...devices].sort((a, b) => a - b)]));
}
