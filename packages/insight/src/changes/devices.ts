import { type Call, type Kernel, type Program, ProgramError } from '@griddep/program';
import { type Entry, entriesOf, withEntries } from './entries.ts';

export interface DevicesOptions {
  readonly count: number;
}

/** Keys of calls under which names of a program's objects stand. */
const NAMES: ReadonlySet<string> = new Set(['stream', 'event', 'graph', 'executable', 'buffer', 'start', 'end']);

/**
 * A program of one device on several: each does the whole work, from host threads of its own. What the devices share,
 * such as the links of the host, they then share.
 *
 * @throws ProgramError for a program of several devices, or one whose kernels or threads meet at flags
 */
export function devices(program: Program, { count }: DevicesOptions): Program {
  const refuse = (problem: string) => new ProgramError(problem, { offending: String(count), path: [] });
  const used = new Set([...program.streams.values()].map(({ device }) => device));
  if (used.size > 1)
    throw refuse(`the program runs on ${used.size} devices already; only one of one device is repeated`);
  const own = [...used][0] ?? 0;
  const calls = program.threads.flatMap((thread) => entriesOf(thread).map(({ call }) => call));
  const meets = calls.some(({ kind }) =>
    /^(hostSignal|hostAwait|streamWaitValue|streamWriteValue|collective)$/.test(kind),
  );
  if (meets || [...program.kernels.values()].some(usesFlags)) {
    throw refuse('the program waits for flags or collectives, whose part on further devices is not known');
  }
  const parts = Array.from({ length: count }, (_, i) => partOf(program, own, i));
  const merged = <T>(pick: (part: Program) => ReadonlyMap<string, T>) =>
    new Map(parts.flatMap((part) => [...pick(part)]));
  return {
    ...program,
    kernels: merged(({ kernels }) => kernels),
    streams: merged(({ streams }) => streams),
    events: merged(({ events }) => events),
    buffers: merged(({ buffers }) => buffers),
    graphs: merged(({ graphs }) => graphs),
    threads: parts.flatMap(({ threads }) => threads),
  };
}

function partOf(program: Program, own: number, index: number): Program {
  if (index === 0) return program;
  const device = own + index;
  const named = (name: string) => (name === 'legacy' || name === 'perThread' ? name : `${name} (device ${device})`);
  const call = (given: Call): Call => {
    const moved = renamed(given, named, undefined) as Call;
    if (moved.kind === 'setDevice') return { ...moved, device };
    return moved.kind === 'launchKernel' ? { ...moved, kernel: named(moved.kernel) } : moved;
  };
  const map = <T extends { readonly name: string }>(all: ReadonlyMap<string, T>, change: (each: T) => T) =>
    new Map([...all.values()].map((each) => [named(each.name), { ...change(each), name: named(each.name) }]));
  return {
    ...program,
    kernels: map(program.kernels, (kernel) => ({
      ...(renamed(kernel, named, undefined) as Kernel),
    })),
    streams: map(program.streams, (stream) => ({ ...stream, device })),
    events: map(program.events, (event) => ({ ...event, device })),
    buffers: map(program.buffers, (buffer) => ({ ...buffer, device, allocation: named(buffer.allocation) })),
    graphs: map(program.graphs, (graph) => ({
      ...graph,
      nodes: graph.nodes.map((node) => ({ ...node, call: call(node.call) })),
    })),
    threads: program.threads.map((thread) => ({
      ...withEntries(
        thread,
        entriesOf(thread).map((entry): Entry => {
          const label = entry.label === undefined ? undefined : named(entry.label);
          return { ...entry, call: call(entry.call), label };
        }),
      ),
      name: named(thread.name),
      device,
    })),
  };
}

/** A plain value in which all names that stand under the keys of names, or among arguments, are changed. */
function renamed(value: unknown, named: (name: string) => string, key: string | undefined): unknown {
  if (typeof value === 'string')
    return key !== undefined && (NAMES.has(key) || key === 'args') && !value.startsWith('$') ? named(value) : value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, named, undefined));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, each]) => [own, renamed(each, named, key === 'args' ? 'args' : own)]),
  );
}

function usesFlags({ body }: Kernel): boolean {
  if (body.kind === 'collective') return true;
  return (
    body.kind === 'phases' &&
    body.roles.some(({ phases }) => phases.some(({ op }) => op === 'signal' || op === 'await'))
  );
}
