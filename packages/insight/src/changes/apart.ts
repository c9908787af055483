import type { Event, Program, Stream } from '@griddep/program';
import { type Entry, freeName, mapThreads } from './entries.ts';
import type { KernelNames } from './pdl.ts';

/**
 * Launches of a kernel that directly follow another in a stream, in a stream of their own: it forks before the first and
 * joins after the second, by events. That the two need nothing of each other is for the caller to know.
 */
export function apart(program: Program, { primary, secondary }: KernelNames): Program {
  const streams = new Map<string, Stream>(program.streams);
  const events = new Map<string, Event>(program.events);
  const side = new Map<string, string>();
  const sideOf = (stream: string): string => {
    const known = side.get(stream);
    if (known !== undefined) return known;
    const name = freeName(`${stream} (aside)`, streams);
    const own = program.streams.get(stream);
    streams.set(name, { name, device: own?.device ?? 0, kind: 'nonBlocking', priority: own?.priority ?? 0 });
    side.set(stream, name);
    return name;
  };
  const event = (wanted: string, stream: string): string => {
    const name = freeName(wanted, events);
    const device = program.streams.get(stream)?.device ?? 0;
    events.set(name, { name, device, timing: false, interprocess: false });
    return name;
  };
  const changed = mapThreads(program, (entries) => {
    const out: Entry[] = [];
    /** By stream, where in `out` its last launch stands. */
    const last = new Map<string, number>();
    for (const entry of entries) {
      const { call, path } = entry;
      const stream = 'stream' in call && typeof call.stream === 'string' ? call.stream : undefined;
      const at = stream === undefined ? undefined : last.get(stream);
      const before = at === undefined ? undefined : out[at]?.call;
      if (stream !== undefined) last.delete(stream);
      const isPair =
        call.kind === 'launchKernel' &&
        call.kernel === secondary &&
        before?.kind === 'launchKernel' &&
        before.kernel === primary;
      if (!isPair || stream === undefined || at === undefined) {
        if (call.kind === 'launchKernel' && stream !== undefined) last.set(stream, out.length);
        out.push(entry);
        continue;
      }
      const other = sideOf(stream);
      const [fork, join] = [event(`${stream} fork`, stream), event(`${other} join`, stream)];
      out.splice(
        at,
        0,
        { call: { kind: 'eventRecord', event: fork, stream }, path },
        { call: { kind: 'streamWaitEvent', event: fork, stream: other }, path },
      );
      out.push({ ...entry, call: { ...call, stream: other } });
      out.push({ call: { kind: 'eventRecord', event: join, stream: other }, path });
      out.push({ call: { kind: 'streamWaitEvent', event: join, stream }, path });
      // Places behind the inserted calls have moved.
      last.clear();
    }
    return out;
  });
  return { ...changed, streams, events };
}
