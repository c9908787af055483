import { type Call, CallTable, type Picoseconds, type Program } from '@griddep/program';
import { SeedError } from './seeds.ts';

/** Something that a run may do otherwise at no fault of the program: what takes time is not promised. */
export type Change =
  /** The launch comes after its primary's end, although it might early (rule 1.2). */
  | { readonly what: 'late'; readonly thread: number; readonly call: number }
  /** The host thread is held up before a call. */
  | { readonly what: 'pause'; readonly thread: number; readonly call: number; readonly duration: Picoseconds }
  /** Ready work of a stream goes before that of all others; by its index among the program's streams. */
  | { readonly what: 'first'; readonly stream: number };

/** A priority as high as any device has; CUDA takes its own highest in its place (rule 5.10). */
const HIGHEST = -1000;

const WORK: ReadonlySet<Call['kind']> = new Set(['launchKernel', 'memcpy', 'memset', 'graphLaunch', 'collective']);

/** All changes that can be made to a program, with pauses of a length. */
export function changesOf({ threads, streams }: Program, pause: Picoseconds): Change[] {
  const ofCalls = threads.flatMap(({ calls }, thread) =>
    Array.from({ length: calls.length }, (_, call): Change[] => {
      const made = calls.at(call);
      const early = made.kind === 'launchKernel' && made.attributes.programmaticStreamSerialization === true;
      return [
        ...(early ? [{ what: 'late', thread, call } as const] : []),
        ...(WORK.has(made.kind) && pause > 0 ? [{ what: 'pause', thread, call, duration: pause } as const] : []),
      ];
    }).flat(),
  );
  const several = streams.size > 1 ? [...streams.keys()].map((_, stream) => ({ what: 'first', stream }) as const) : [];
  return [...ofCalls, ...several];
}

/** The program with some changes. */
export function changed(program: Program, changes: readonly Change[]): Program {
  const late = keysOf(changes, 'late');
  const pauses = new Map(changes.flatMap((c) => (c.what === 'pause' ? [[`${c.thread}.${c.call}`, c.duration]] : [])));
  const first = new Set(changes.flatMap((c) => (c.what === 'first' ? [c.stream] : [])));
  const threads = program.threads.map((thread, t) => {
    const calls = new CallTable(thread.calls.file);
    for (let i = 0; i < thread.calls.length; i++) {
      const path = thread.calls.path(i);
      const duration = pauses.get(`${t}.${i}`);
      if (duration !== undefined) calls.push({ kind: 'hostCompute', duration }, undefined, undefined, path);
      const call = thread.calls.at(i);
      const made = late.has(`${t}.${i}`) && call.kind === 'launchKernel' ? plain(call) : call;
      calls.push(made, thread.calls.origin(i), thread.calls.label(i), path);
    }
    return { ...thread, calls };
  });
  const streams = new Map(
    [...program.streams].map(([name, stream], i) => [name, first.has(i) ? { ...stream, priority: HIGHEST } : stream]),
  );
  return { ...program, threads, streams };
}

/** As a seed, such as `late@0.3/pause@0.5=10000000/first@1`: thread and call, picoseconds, stream. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return 'as-is';
  return changes
    .map((c) => {
      if (c.what === 'first') return `first@${c.stream}`;
      return `${c.what}@${c.thread}.${c.call}${c.what === 'pause' ? `=${c.duration}` : ''}`;
    })
    .join('/');
}

/** @throws SeedError for a text that is no list of changes of the program */
export function readChanges(text: string, { threads, streams }: Program): Change[] {
  if (text === 'as-is') return [];
  return text.split('/').map((part): Change => {
    const [, what, a, b, length] = /^(late|pause|first)@(\d{1,9})(?:\.(\d{1,9}))?(?:=(\d{1,15}))?$/.exec(part) ?? [];
    const [thread, call] = [Number(a), Number(b)];
    if (what === 'first' && b === undefined && length === undefined && thread < streams.size) {
      return { what, stream: thread };
    }
    const isCall = call < (threads[thread]?.calls.length ?? 0);
    if (what === 'late' && isCall && length === undefined) return { what, thread, call };
    if (what === 'pause' && isCall && length !== undefined) return { what, thread, call, duration: Number(length) };
    throw new SeedError(`no seed of a run of this program: "${text}"`);
  });
}

function keysOf(changes: readonly Change[], what: 'late' | 'pause'): Set<string> {
  return new Set(changes.flatMap((c) => (c.what === what ? [`${c.thread}.${c.call}`] : [])));
}

function plain(call: Extract<Call, { kind: 'launchKernel' }>): Call {
  const { programmaticStreamSerialization: _, ...attributes } = call.attributes;
  return { ...call, attributes };
}
