import type { Call, Event, Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { type Entry, freeName, mapThreads } from '../changes/entries.ts';

/** A program with a timing event recorded at the begin of each host thread's work. */
export interface Marked {
  readonly program: Program;
  readonly events: ReadonlySet<string>;
}

/** Calls of the preparation: what is captured and instantiated before the work begins. */
const PREPARES: ReadonlySet<Call['kind']> = new Set(['setDevice', 'graphInstantiate', 'graphUpload']);

/** Puts the markers behind the preparation of graphs and before all else, in the stream that is used first. */
export function withMarkers(program: Program): Marked {
  const events = new Map<string, Event>(program.events);
  const made = new Set<string>();
  const changed = mapThreads(program, (entries) => {
    const at = preparedUntil(entries);
    const stream = entries
      .slice(at)
      .map(({ call }) => ('stream' in call && typeof call.stream === 'string' ? call.stream : undefined))
      .find((each) => each !== undefined);
    if (stream === undefined) return entries;
    const name = freeName('begin of the work', events);
    const device = program.streams.get(stream)?.device ?? 0;
    events.set(name, { name, device, timing: true, interprocess: false });
    made.add(name);
    const marker: Entry = { call: { kind: 'eventRecord', event: name, stream }, label: name, path: '' };
    return [...entries.slice(0, at), marker, ...entries.slice(at)];
  });
  return { program: { ...changed, events }, events: made };
}

/** From the first marker's completion to that of the last work on a device, ps: what events around the work measure. */
export function spanOfEvents({ operations }: Timeline, markers: ReadonlySet<string>): { begin: number; end: number } {
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const operation of operations) {
    if (operation.device < 0) continue;
    if (operation.kind === 'eventRecord' && markers.has(operation.id)) begin = Math.min(begin, operation.completion);
    else if (operation.completion > end) end = operation.completion;
  }
  return begin <= end ? { begin, end } : { begin: 0, end: 0 };
}

/** Length of the prefix of a thread's calls that prepares graphs. */
function preparedUntil(entries: readonly Entry[]): number {
  let until = 0;
  let capturing = 0;
  for (let i = 0; i < entries.length; i++) {
    const { kind } = (entries[i] as Entry).call;
    if (kind === 'streamBeginCapture') capturing += 1;
    else if (kind === 'streamEndCapture') capturing -= 1;
    else if (capturing === 0 && !PREPARES.has(kind)) break;
    // A change of device alone belongs to what follows it.
    if (capturing === 0 && kind !== 'setDevice') until = i + 1;
  }
  return until;
}
