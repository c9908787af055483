import { CallTable, type Program } from '@griddep/program';
import type { Site } from '../program/nodes.ts';

/** Some of a program's calls, by thread, in their order. */
export type Kept = readonly (readonly number[])[];

export function allCalls({ threads }: Program): number[][] {
  return threads.map(({ calls }) => Array.from({ length: calls.length }, (_, i) => i));
}

/** The program with these calls alone; what it declares stays. */
export function withCalls(program: Program, kept: Kept): Program {
  const threads = program.threads.map((thread, t) => {
    const calls = new CallTable(thread.calls.file);
    for (const i of kept[t] ?? []) {
      calls.push(thread.calls.at(i), thread.calls.origin(i), thread.calls.label(i), thread.calls.path(i));
    }
    return { ...thread, calls };
  });
  return { ...program, threads };
}

/** Where something stands in the whole program, as a text. */
export function siteKey({ thread, call, of }: Site, kept: Kept): string {
  const original = (t: number, c: number): string => `${t}:${kept[t]?.[c]}`;
  const launched = original(thread, call);
  if (of === undefined) return launched;
  return 'thread' in of ? `${launched} ${original(of.thread, of.call)}` : `${launched} ${of.graph} ${of.node}`;
}
