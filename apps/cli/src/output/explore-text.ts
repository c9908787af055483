import { type Explored, placeText } from '@griddep/insight';
import { formatDuration } from '@griddep/program';
import type { ExploredBoth } from './explored-both.ts';

/** Findings shown as text. */
const MOST_SHOWN = 50;
/** Calls listed of a smallest program. */
const MOST_CALLS = 12;

/** Findings as text, one paragraph each, and a line that says how much was tried. */
export function exploreText({ program, schedules, runs, findings }: ExploredBoth & { readonly program: string }) {
  const more = findings.length > MOST_SHOWN ? `and ${findings.length - MOST_SHOWN} more, which --json lists\n\n` : '';
  const counts = new Map<string, number>();
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const summary = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing found';
  const tried = [
    ...(schedules === undefined
      ? []
      : [
          `${schedules.operations} operations, ${schedules.schedules} schedule${schedules.schedules === 1 ? '' : 's'}${
            schedules.isComplete ? ', which stand for all' : ''
          }`,
        ]),
    ...(runs === undefined
      ? []
      : [
          `${runs.runs} run${runs.runs === 1 ? '' : 's'}, as it is ${end(runs.usual)}, at the latest ${end(runs.latest)}`,
        ]),
  ];
  return [...findings.slice(0, MOST_SHOWN).map(paragraph), more, `${program}: ${tried.join('; ')}: ${summary}\n`].join(
    '',
  );
}

function end(time: number): string {
  return Number.isFinite(time) ? formatDuration(time) : 'never';
}

function paragraph({ kind, text, seed, schedule, smallest, count }: Explored): string {
  const order = kind === 'deadlock' || kind === 'missed deadline' ? [] : schedule.map((line) => `    ${line}`);
  const lines = [`${kind}: ${text}`, ...(order.length === 0 ? [] : ['  in this order:', ...order])];
  lines.push(`  --replay ${seed}${count > 1 ? `; ${count} alike` : ''}`);
  if (smallest !== undefined) {
    const { calls } = smallest;
    const named = calls.slice(0, MOST_CALLS).map((place) => `${place.name} (${placeText(place)})`);
    const others = calls.length > MOST_CALLS ? [`${calls.length - MOST_CALLS} more`] : [];
    lines.push(`  fewest calls: ${[...named, ...others].join(', ')}`);
  }
  return `${lines.join('\n')}\n\n`;
}
