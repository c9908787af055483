import type { CallOf, Program } from '@griddep/program';
import { type Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Lint } from './note.ts';

/** Copies that only look asynchronous, and synchronisation with more than what the host needs next (rules 6.4, 7.15). */
export function hostLint({ program }: Recorded, places: Places): Lint[] {
  return program.threads.flatMap((_, thread) => [
    ...pageableCopies(program, thread, places),
    ...coarse(program, thread, places),
  ]);
}

function pageableCopies(program: Program, thread: number, places: Places): Lint[] {
  const { calls } = program.threads[thread] as Program['threads'][number];
  const found: Lint[] = [];
  const shapes = new Set<number>();
  for (let i = 0; i < calls.length; i++) {
    const call = calls.at(i);
    if (call.kind !== 'memcpy' || !call.async || call.hostMemory !== 'pageable' || shapes.has(calls.shapeAt(i)))
      continue;
    if (call.copy !== 'hostToDevice' && call.copy !== 'deviceToHost') continue;
    shapes.add(calls.shapeAt(i));
    const place = places.call({ thread, call: i });
    found.push({
      ...{ kind: 'pageable-async-copy', rules: ['6.4'], places: [place] },
      text: `"${place.name}" at ${placeText(place)} copies pageable memory: the call may hold the host until that is staged`,
      change: 'give the host memory hostMemory: pinned',
    });
  }
  return found;
}

/** A device synchronise after which the host only needs what one of several busy streams copied. */
function coarse(program: Program, thread: number, places: Places): Lint[] {
  const { calls, device: start } = program.threads[thread] as Program['threads'][number];
  const found: Lint[] = [];
  const busy = new Map<string, Set<string>>();
  let device = start;
  for (let i = 0; i < calls.length; i++) {
    const call = calls.at(i);
    if (call.kind === 'setDevice') device = call.device;
    if (call.kind === 'streamSynchronize') busy.delete(call.stream);
    else if ('stream' in call && call.kind !== 'eventRecord' && call.kind !== 'streamWaitEvent') {
      const filled = busy.get(call.stream) ?? new Set<string>();
      busy.set(call.stream, filled);
      if (call.kind === 'memcpy' && call.copy === 'deviceToHost') filled.add(call.destination?.buffer ?? '');
    }
    if (call.kind !== 'deviceSynchronize') continue;
    const here = [...busy].filter(([stream]) => program.streams.get(stream)?.device === device);
    for (const [stream] of here) busy.delete(stream);
    const needed = neededNext(calls, i + 1);
    const streams = here.filter(([, filled]) => needed.some(({ range }) => filled.has(range.buffer)));
    const [only] = streams;
    if (here.length < 2 || streams.length !== 1 || only === undefined) continue;
    const place = places.call({ thread, call: i });
    found.push({
      ...{ kind: 'coarse-synchronisation', rules: ['7.15'], places: [place] },
      text: `deviceSynchronize at ${placeText(place)} waits for ${here.length} streams; the host next reads what stream "${only[0]}" alone copied`,
      change: `synchronise with stream "${only[0]}"`,
    });
  }
  return found;
}

/** What the host reads before it enqueues anything again; nothing at the end, where all must be over. */
function neededNext(calls: Program['threads'][number]['calls'], from: number): CallOf<'hostRead'>[] {
  const needed: CallOf<'hostRead'>[] = [];
  for (let i = from; i < calls.length; i++) {
    const call = calls.at(i);
    if (call.kind === 'hostRead') needed.push(call);
    else if ('stream' in call) return needed;
  }
  return [];
}
