import { type Call, CallTable, type HostThread, type Program, type Stream } from '@griddep/program';

/** A call with what belongs to it. */
export interface Entry {
  readonly call: Call;
  readonly label?: string | undefined;
  /** Group path. */
  readonly path: string;
  readonly at?: { readonly line: number; readonly column: number } | undefined;
}

/** The calls of a host thread, one after another. */
export function entriesOf({ calls }: HostThread): Entry[] {
  return Array.from({ length: calls.length }, (_, i): Entry => {
    const label = calls.label(i);
    const at = calls.origin(i);
    return { call: calls.at(i), path: calls.path(i), label, at };
  });
}

/** A host thread that makes other calls. */
export function withEntries(thread: HostThread, entries: Iterable<Entry>): HostThread {
  const calls = new CallTable(thread.calls.file);
  for (const { call, at, label, path } of entries) calls.push(call, at, label, path);
  return { ...thread, calls };
}

/** A program whose host threads make other calls, each from its own. */
export function mapThreads(
  program: Program,
  change: (entries: Entry[], thread: HostThread) => Iterable<Entry>,
): Program {
  return {
    ...program,
    threads: program.threads.map((thread) => withEntries(thread, change(entriesOf(thread), thread))),
  };
}

/** A program with other calls, in threads and in the nodes of graphs made by hand. */
export function mapCalls(program: Program, change: (call: Call) => Call): Program {
  const graphs = new Map(
    [...program.graphs].map(([name, graph]) => [
      name,
      { ...graph, nodes: graph.nodes.map((node) => ({ ...node, call: change(node.call) })) },
    ]),
  );
  return mapThreads({ ...program, graphs }, (entries) =>
    entries.map((entry) => ({ ...entry, call: change(entry.call) })),
  );
}

/** A name that is not taken: the wanted one, or with a number. */
export function freeName(wanted: string, taken: { has(name: string): boolean }): string {
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted} ${i}`;
  return name;
}

/** Declares another stream like one, the `number`th of its pool, and returns its name. */
export function streamLike(own: Stream, number: number, declared: Map<string, Stream>): string {
  const name = freeName(`${own.name} (pool ${number})`, declared);
  declared.set(name, { ...own, name, kind: own.kind === 'blocking' ? 'blocking' : 'nonBlocking' });
  return name;
}
