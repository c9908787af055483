import type { Call, Event, Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { type Entry, freeName, mapThreads } from '../changes/entries.ts';

/** A program with a timing event recorded at the begin of each host thread's work, and one behind it. */
export interface Marked {
  readonly program: Program;
  /** Events at the begin. */
  readonly begins: ReadonlySet<string>;
}

/** Calls of the preparation: what is captured and instantiated before the work begins. */
const PREPARES: ReadonlySet<Call['kind']> = new Set(['setDevice', 'graphInstantiate', 'graphUpload']);

/**
 * Puts the first marker of a thread behind the preparation of graphs and before all else, in the stream that is used
 * first, and the other behind the last call that enqueues, in its stream: recording an event takes its own time.
 *
 * @param pause what the host does before it records the other, ps
 */
export function withMarkers(program: Program, pause = 0): Marked {
  const events = new Map<string, Event>(program.events);
  const begins = new Set<string>();
  const marker = (wanted: string, stream: string): Entry & { readonly label: string } => {
    const name = freeName(wanted, events);
    events.set(name, { name, device: program.streams.get(stream)?.device ?? 0, timing: true, interprocess: false });
    return { call: { kind: 'eventRecord', event: name, stream }, label: name, path: '' };
  };
  const paused: Entry[] = pause > 0 ? [{ call: { kind: 'hostCompute', duration: Math.round(pause) }, path: '' }] : [];
  const changed = mapThreads(program, (entries) => {
    const begin = preparedUntil(entries);
    const streams = streamsOf(entries.slice(begin));
    const last = streams.findLastIndex((each) => each !== undefined);
    if (last < 0) return entries;
    const first = marker('begin of the work', streams.find((each) => each !== undefined) as string);
    begins.add(first.label);
    return [
      ...entries.slice(0, begin),
      first,
      ...entries.slice(begin, begin + last + 1),
      ...paused,
      marker('end of the work', streams[last] as string),
      ...entries.slice(begin + last + 1),
    ];
  });
  return { program: { ...changed, events }, begins };
}

/** Calls that use a stream without enqueuing to it. */
const LOOKS: ReadonlySet<Call['kind']> = new Set(['streamSynchronize', 'streamQuery', 'streamGetCaptureInfo']);

/** The stream that each call enqueues to, if it does; what is captured is not enqueued. */
function streamsOf(entries: readonly Entry[]): (string | undefined)[] {
  let capturing = 0;
  return entries.map(({ call }) => {
    if (call.kind === 'streamBeginCapture') capturing += 1;
    if (call.kind === 'streamEndCapture') capturing -= 1;
    const isCapture = capturing > 0 || call.kind === 'streamEndCapture';
    if (isCapture || LOOKS.has(call.kind)) return undefined;
    return 'stream' in call && typeof call.stream === 'string' ? call.stream : undefined;
  });
}

/** From the first marker's completion to that of the last work or marker on a device, ps: what events around the work measure. */
export function spanOfEvents({ operations }: Timeline, begins: ReadonlySet<string>): { begin: number; end: number } {
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const operation of operations) {
    if (operation.device < 0) continue;
    if (operation.kind === 'eventRecord' && begins.has(operation.id)) begin = Math.min(begin, operation.completion);
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
