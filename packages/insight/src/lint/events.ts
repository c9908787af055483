import type { Call } from '@griddep/program';
import { type Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Lint } from './note.ts';

/** Events that nobody records, and events that take times nobody reads (rules 5.5, 5.7). */
export function eventLint({ program }: Recorded, places: Places): Lint[] {
  const recorded = new Set<string>();
  const measured = new Set<string>();
  const note = (call: Call): void => {
    if (call.kind === 'eventRecord') recorded.add(call.event);
    if (call.kind === 'eventElapsedTime') for (const event of [call.start, call.end]) measured.add(event);
    if (call.kind !== 'launchKernel') return;
    const { programmaticEvent, launchCompletionEvent } = call.attributes;
    for (const attribute of [programmaticEvent, launchCompletionEvent]) {
      if (attribute !== undefined) recorded.add(attribute.event);
    }
  };
  for (const { calls } of program.threads) {
    for (let shape = 0; shape < calls.distinct; shape++) note(calls.distinctCall(shape));
  }
  const found: Lint[] = [];
  const seen = new Set<string>();
  for (const [thread, { calls }] of program.threads.entries()) {
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      if (!('event' in call) || seen.has(`${call.kind} ${call.event}`)) continue;
      const { event } = call;
      seen.add(`${call.kind} ${event}`);
      const place = places.call({ thread, call: i });
      if (call.kind === 'eventRecord') {
        if (program.events.get(event)?.timing !== true || measured.has(event)) continue;
        found.push({
          ...{ kind: 'unmeasured-timing', rules: ['5.7', '1.15'], places: [place] },
          text: `event "${event}", recorded at ${placeText(place)}, takes times that nobody measures`,
          change: `create event "${event}" without timing`,
        });
      } else if (!recorded.has(event)) {
        found.push({
          ...{ kind: 'unrecorded-event', rules: ['5.5'], places: [place] },
          text: `${call.kind} of event "${event}" at ${placeText(place)}: nobody records it, so that the call does nothing`,
          change: `record event "${event}" before`,
        });
      }
    }
  }
  return found;
}
