import type { Call, Event, Program, Stream } from '@griddep/program';
import { type Entry, freeName, mapThreads, streamLike } from './entries.ts';
import { baseName } from './select-kernels.ts';

export interface StreamsOptions {
  /** Streams of the pool. */
  readonly count: number;
}

/** Work of one stream that repeats, and where in the calls of its thread it stands. */
interface Repetition {
  readonly stream: string;
  /** Indices of the calls, in order. */
  readonly calls: readonly number[];
  /** Calls of one repetition. */
  readonly period: number;
}

/**
 * A stream whose work repeats (chunks that are copied, computed with and copied back) dealt onto a pool of streams, one
 * repetition after another in turn. The pool forks from the stream before the first repetition and joins it after the
 * last. What is taken for granted is that no repetition needs what another makes: a program does not tell.
 */
export function streams(program: Program, { count }: StreamsOptions): Program {
  if (count < 2) return program;
  const declared = new Map<string, Stream>(program.streams);
  const events = new Map<string, Event>(program.events);
  const changed = mapThreads(program, (entries) => {
    let current = entries;
    for (const repetition of repetitionsOf(entries, program).reverse()) {
      current = dealt(current, repetition, count, program, declared, events);
    }
    return current;
  });
  return { ...changed, streams: declared, events };
}

/** How often each stream's work repeats: the repetitions that `streams` would deal out. */
export function dealable(program: Program): { readonly stream: string; readonly repetitions: number }[] {
  const found: { stream: string; repetitions: number }[] = [];
  mapThreads(program, (entries) => {
    for (const { stream, calls, period } of repetitionsOf(entries, program)) {
      found.push({ stream, repetitions: calls.length / period });
    }
    return entries;
  });
  return found;
}

/** Stretches of work of one stream, between calls that tie it to something else, that are one sequence several times. */
function repetitionsOf(entries: readonly Entry[], program: Program): Repetition[] {
  const found: Repetition[] = [];
  const open = new Map<string, number[]>();
  const close = (stream: string) => {
    const calls = open.get(stream) ?? [];
    open.delete(stream);
    const names = calls.map((i) => workName((entries[i] as Entry).call, program));
    const period = smallestPeriod(names);
    // A kernel alone that repeats is a chain more likely than chunks; a chunk is copied at least.
    const isChunk = calls.slice(0, period ?? 0).some((i) => (entries[i] as Entry).call.kind === 'memcpy');
    if (period !== undefined && isChunk) found.push({ stream, calls, period });
  };
  entries.forEach(({ call }, i) => {
    if (canBeDealt(call)) {
      const kind = program.streams.get(call.stream)?.kind;
      if (kind !== 'legacy' && kind !== 'perThread') open.set(call.stream, [...(open.get(call.stream) ?? []), i]);
    } else if ('stream' in call && typeof call.stream === 'string') {
      close(call.stream);
    } else if (call.kind === 'deviceSynchronize') {
      for (const stream of [...open.keys()]) close(stream);
    }
  });
  for (const stream of [...open.keys()]) close(stream);
  return found.sort((a, b) => (a.calls[0] as number) - (b.calls[0] as number));
}

type Work = Call & { readonly kind: 'launchKernel' | 'memcpy' | 'memset'; readonly stream: string };

function canBeDealt(call: Call): call is Work {
  return call.kind === 'launchKernel' || call.kind === 'memcpy' || call.kind === 'memset';
}

function workName(call: Call, { kernels }: Program): string {
  if (call.kind === 'launchKernel') return `${baseName(call.kernel)} ${kernels.get(call.kernel)?.grid}`;
  return call.kind === 'memcpy' ? `${call.copy} ${call.bytes}` : call.kind;
}

function dealt(
  entries: readonly Entry[],
  { stream, calls, period }: Repetition,
  count: number,
  program: Program,
  declared: Map<string, Stream>,
  events: Map<string, Event>,
): Entry[] {
  const own = program.streams.get(stream) as Stream;
  const pool = [stream];
  for (let i = 1; i < count; i++) pool.push(streamLike(own, i + 1, declared));
  const others = pool.slice(1, Math.ceil(calls.length / period));
  const event = (wanted: string): string => {
    const name = freeName(wanted, events);
    events.set(name, { name, device: own.device, timing: false, interprocess: false });
    return name;
  };
  const target = new Map(calls.map((at, i) => [at, pool[Math.floor(i / period) % count] as string]));
  const first = calls[0] as number;
  const last = calls.at(-1) as number;
  return entries.flatMap((entry, i): Entry[] => {
    const to = target.get(i);
    if (to === undefined) return [entry];
    const moved = { ...entry, call: { ...(entry.call as Work), stream: to } };
    const path = entry.path;
    const before: Entry[] = [];
    const after: Entry[] = [];
    if (i === first) {
      const fork = event(`${stream} fork`);
      before.push({ call: { kind: 'eventRecord', event: fork, stream }, path });
      for (const other of others) before.push({ call: { kind: 'streamWaitEvent', stream: other, event: fork }, path });
    }
    if (i === last) {
      for (const other of others) {
        const join = event(`${other} join`);
        after.push({ call: { kind: 'eventRecord', event: join, stream: other }, path });
        after.push({ call: { kind: 'streamWaitEvent', stream, event: join }, path });
      }
    }
    return [...before, moved, ...after];
  });
}

/** The shortest length of which a sequence is a whole number of repetitions, at least two. */
function smallestPeriod(names: readonly string[]): number | undefined {
  for (let period = 1; 2 * period <= names.length; period++) {
    if (names.length % period === 0 && names.every((name, i) => i < period || name === names[i - period]))
      return period;
  }
  return undefined;
}
