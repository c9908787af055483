import { type ExecutableGraph, type ExecutableNode, rendezvousOf } from '@griddep/cuda';
import type { Call, Kernel } from '@griddep/program';
import { afterMeeting, type KernelCodes } from './kernel-code.ts';
import { atEnd, NO_NEEDS, type NodeList } from './node-list.ts';
import { kindOfWork, type Need, type NodeKind, type Reach, type Site } from './nodes.ts';
import type { Code } from './steps.ts';
import type { ThreadView } from './threads.ts';

const REACH = { complete: 'end', triggered: 'trigger', started: 'start' } as const satisfies Record<string, Reach>;

/** A launch of a graph, and the events that its nodes await and record. */
export interface Launched {
  readonly begin: readonly Need[];
  readonly site: Site;
  readonly timeline: number;
  /** Whether other host threads may launch the same. */
  readonly isShared: boolean;
  readonly events: {
    awaited(event: string): readonly Need[];
    record(event: string, needs: readonly Need[]): void;
  };
}

/** The nodes of graphs, once for every launch. */
export class GraphLaunches {
  private readonly list: NodeList;
  private readonly codes: KernelCodes;
  private readonly kernels: readonly Kernel[];
  private readonly codeOf: (call: Call) => Code;
  /** Calls that went into captures, by the numbers of their operations. */
  private readonly calls = new Map<number, { readonly site: Site; readonly call: Call }>();
  /** Launches of each executable, by host thread: the call and the end. */
  private readonly launches = new Map<string, Map<number, { readonly call: number; readonly end: Need }[]>>();

  constructor(list: NodeList, codes: KernelCodes, kernels: readonly Kernel[], codeOf: (call: Call) => Code) {
    this.list = list;
    this.codes = codes;
    this.kernels = kernels;
    this.codeOf = codeOf;
  }

  captured(op: number, site: Site, call: Call): void {
    this.calls.set(op, { site, call });
  }

  /**
   * What a launch comes after because one runs at a time (rule 4.9): the ends of those before that its thread knows of.
   * Which of two comes first that do not know of each other is open.
   */
  before(executable: string, thread: ThreadView): Need[] {
    return [...(this.launches.get(executable) ?? [])].flatMap(([of, launches]) => {
      const known = launches.findLast(({ call }) => of === thread.index || call < (thread.heard[of] ?? 0));
      return known === undefined ? [] : [known.end];
    });
  }

  /** Adds a launch's nodes, and what its end needs. Events are as of the launch (rules 5.4, 5.23). */
  launch(executable: string, graph: ExecutableGraph, at: Launched): Need {
    const { begin, site, events } = at;
    const records: { readonly event: string; readonly node: number }[] = [];
    const ids: number[] = [];
    const covered = new Set<number>();
    for (const node of graph.nodes) {
      const edges = node.edges.map(
        ({ from, milestone }): Need => ({ node: ids[from] as number, at: REACH[milestone] }),
      );
      const wait = node.edges
        .filter(({ programmatic }) => programmatic)
        .map(({ from }): Need => atEnd(ids[from] as number));
      const { work } = node;
      const awaited = work.type === 'wait' ? events.awaited(work.event) : NO_NEEDS;
      const needs = [...(edges.length === 0 ? begin : edges), ...awaited];
      for (const { from, milestone } of node.edges) if (milestone === 'complete') covered.add(from);
      const id = this.node(graph, node, needs, wait, at);
      ids.push(id);
      if (work.type === 'record') records.push({ event: work.event, node: id });
    }
    for (const { event, node } of records) events.record(event, [atEnd(node)]);
    const last = ids.filter((_, i) => !covered.has(i)).map(atEnd);
    const end = atEnd(this.list.add({ kind: 'join', site, begin: last.length === 0 ? begin : last }));
    const launches = this.launches.get(executable) ?? new Map<number, { call: number; end: Need }[]>();
    this.launches.set(executable, launches);
    const own = launches.get(site.thread) ?? [];
    launches.set(site.thread, own);
    // Nobody else asks for older ones where there is one thread.
    if (!at.isShared) own.length = 0;
    own.push({ call: site.call, end });
    return end;
  }

  private node(
    graph: ExecutableGraph,
    { id, device, work, captured, call: own }: ExecutableNode,
    begin: readonly Need[],
    wait: readonly Need[],
    { site: launched, timeline }: Launched,
  ): number {
    const origin = captured === undefined ? undefined : this.calls.get(captured);
    const call = own ?? origin?.call;
    const of = origin?.site ?? { graph: graph.name, node: id };
    const kernel = work.type === 'kernel' ? this.kernels[work.kernel] : undefined;
    const meeting = rendezvousOf(work);
    const plain =
      kernel !== undefined && work.type === 'kernel'
        ? this.codes.of(kernel, work.args)
        : this.codeOf(call ?? { kind: 'deviceSynchronize' });
    const kind: NodeKind = work.type === 'empty' ? (call === undefined ? 'join' : 'pool') : kindOfWork(work.type);
    return this.list.add({
      ...{ kind, site: { ...launched, of }, begin, wait: kernel === undefined ? [] : wait, timeline, device },
      code: meeting === undefined ? plain : afterMeeting(plain, meeting),
      ...(kernel === undefined ? {} : { kernel }),
      ...(call === undefined ? {} : { call }),
      triggerAtStart: work.type === 'kernel' && work.triggerAtStart,
      cooperative: work.type === 'kernel' && work.cooperative,
    });
  }
}
