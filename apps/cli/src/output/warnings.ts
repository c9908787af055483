import type { ProgramWarning } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { warn } from './stdout.ts';

/** Shows what programs do that is legal but rarely meant, each once, with rule and place. */
export async function warnOfPrograms(...lists: readonly (readonly ProgramWarning[])[]): Promise<void> {
  if (lists.every((list) => list.length === 0)) return;
  const { warningText } = await import('@griddep/program');
  const texts = [...new Set(lists.flat().map(warningText))];
  for (const text of texts.slice(0, MOST_SHOWN)) warn(`warning: ${text}`);
  if (texts.length > MOST_SHOWN) warn(`warning: ${texts.length - MOST_SHOWN} more, which --json lists`);
}

/** Shows the CUDA errors that calls returned, each with its call and place; many alike are counted. */
export function warnOfErrors(timeline: Timeline): void {
  const seen = new Map<string, number>();
  for (const { operation, code, name, message } of timeline.errors) {
    const call = timeline.operations[operation];
    const place = call === undefined || call.origin === '' ? '' : `${call.origin}: `;
    const text = `${place}${call?.name || call?.kind || 'a call'}${call === undefined ? '' : ` ("${call.id}")`} returned ${name} (${code}): ${message}`;
    seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  let shown = 0;
  for (const [text, count] of seen) {
    if (shown++ === MOST_SHOWN) {
      warn(`warning: ${seen.size - MOST_SHOWN} more calls returned errors`);
      break;
    }
    warn(`warning: ${text}${count === 1 ? '' : ` (${count} times)`}`);
  }
}

const MOST_SHOWN = 10;

/** Says what can never finish and what each waits for. */
export function warnOfStuck(timeline: Timeline): void {
  const { stuck, program } = timeline;
  const lines = stuck.slice(0, MOST_SHOWN).map((line) => `  ${line}`);
  if (stuck.length > MOST_SHOWN) lines.push(`  and ${stuck.length - MOST_SHOWN} more`);
  warn(`${program} never ends (deadlock):\n${lines.join('\n')}`);
}
