import { type Assumption, type Outcome, PART_NAMES, type TimeParts, type WhatIf } from '@griddep/insight/what-if';
import { PS_PER_NS, PS_PER_US } from '@griddep/timeline';
import { renderColumns } from './columns.ts';
import { signedPercent } from './number-format.ts';

const OBSERVERS = {
  events: 'two events around the work, on an idle device, without a profiler',
  blocks: 'the blocks, from the first start to the last end',
};

/** The answer as tables: the two times, where they come from, what they rest on. */
export function whatIfText(
  result: WhatIf,
  name: string,
  { saveBefore, saveAfter }: { readonly saveBefore?: string; readonly saveAfter?: string },
): string {
  const { before, after, steps, once } = result;
  const change = after.makespan - before.makespan;
  const rows: string[][] = [
    [
      'makespan',
      us(before.makespan),
      us(after.makespan),
      `${signed(change)} (${signedPercent(change / before.makespan)})`,
    ],
  ];
  if (before.low < before.high || after.low < after.high) {
    const difference = `${signed(result.differenceLow)} to ${signed(result.differenceHigh)}`;
    rows.push(['  range', range(before), range(after), difference]);
  }
  if (steps > 1) {
    rows.push([
      `  per step of ${steps}`,
      us(before.makespan / steps),
      us(after.makespan / steps),
      signed(change / steps),
    ]);
  }
  for (const part of Object.keys(PART_NAMES) as (keyof TimeParts)[]) {
    const [a, b] = [before.parts[part], after.parts[part]];
    if (a !== 0 || b !== 0) rows.push([`  ${PART_NAMES[part]}`, us(a), us(b), signed(b - a)]);
  }
  rows.push(['bound by', before.bound, after.bound, '']);
  if (once > 0) rows.push(['once, beforehand', us(0), us(once), pays(once, -change)]);
  const lines = [
    `${name}: ${result.changes.map((each) => each.what).join('; ')}`,
    `observer ${result.observer}: ${OBSERVERS[result.observer]}`,
    '',
  ];
  const table = renderColumns(
    [{ title: 'us' }, { title: 'before', align: 'right' }, { title: 'after', align: 'right' }, { title: 'difference' }],
    rows,
  );
  const assumed = result.assumptions.map((each) => `assumed: ${assumptionText(each)}\n`);
  const notes = result.notes.map((note) => `note: ${note}\n`);
  const both = saveBefore !== undefined && saveAfter !== undefined;
  const hint = both ? `side by side: griddep diff ${saveBefore} ${saveAfter}, or griddep view with both\n` : '';
  return `${lines.join('\n')}\n${table}${assumed.join('')}${notes.join('')}${hint}`;
}

/** The answer as a plain object, times in ns. */
export function whatIfJson(result: WhatIf, input: string): object {
  const { before, after, steps, once } = result;
  const ns = (time: number) => time / PS_PER_NS;
  const parts = (of: (part: keyof TimeParts) => number) =>
    Object.fromEntries((Object.keys(PART_NAMES) as (keyof TimeParts)[]).map((part) => [`${part}Ns`, ns(of(part))]));
  const outcome = ({ makespan, low, high, parts: own, bound, run }: Outcome) => ({
    makespanNs: ns(makespan),
    rangeNs: [ns(low), ns(high)],
    perStepNs: ns(makespan / steps),
    machine: run.machine.name,
    bound,
    parts: parts((part) => own[part]),
  });
  const difference = after.makespan - before.makespan;
  return {
    input,
    observer: result.observer,
    observed: OBSERVERS[result.observer],
    steps,
    changes: result.changes,
    before: outcome(before),
    after: outcome(after),
    difference: {
      makespanNs: ns(difference),
      rangeNs: [ns(result.differenceLow), ns(result.differenceHigh)],
      fraction: before.makespan === 0 ? 0 : difference / before.makespan,
      parts: parts((part) => after.parts[part] - before.parts[part]),
    },
    onceNs: ns(once),
    assumptions: result.assumptions,
    notes: result.notes,
  };
}

function assumptionText({ what, value, low, high, unit, source }: Assumption): string {
  const shown = (number: number) =>
    unit === 'us' ? `${number} us` : unit === 'times' ? `${number} x` : number.toFixed(2);
  const between = low === high ? '' : `, ${shown(low)} to ${shown(high)}`;
  return `${what} ${shown(value)}${between} (${source})`;
}

function pays(once: number, gain: number): string {
  return gain > 0 ? `pays after ${Math.ceil(once / gain)} times` : 'never pays';
}

function range({ low, high }: Outcome): string {
  return `${us(low)} to ${us(high)}`;
}

function us(time: number): string {
  return (time / PS_PER_US).toFixed(1);
}

function signed(time: number): string {
  const text = us(time);
  return time > 0 ? `+${text}` : text;
}
