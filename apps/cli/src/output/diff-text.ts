import { type OperationChange, type Timeline, type TimelineComparison, whyChanged } from '@griddep/timeline';
import type { TimelineInput } from '../input/simulated.ts';
import { basisText, differingConstants, statusCounts } from './basis.ts';
import { renderColumns } from './columns.ts';
import { changesByGain } from './diff-order.ts';
import { statisticsDiffText } from './diff-statistics.ts';
import { percent, signedPercent, us } from './number-format.ts';

export interface DiffTextOptions {
  readonly rows: number;
  readonly stats?: boolean;
}

type Inputs = readonly [TimelineInput, TimelineInput];

/** Makespans, the operations that changed most and why, what only one has, statistics if asked for. */
export function diffText(comparison: TimelineComparison, inputs: Inputs, options: DiffTextOptions): string {
  const [before, after] = [inputs[0].timeline, inputs[1].timeline];
  const { rows, stats = false } = options;
  const { makespan, onlyBefore, onlyAfter, operations } = comparison;
  const changed = changesByGain(comparison, before);
  const shifted = changed.filter(({ own }) => own === 0).length;
  const parts = [
    [
      `makespan ${us(makespan.before)} -> ${us(makespan.after)} us (${signedPercent(makespan.relative)})`,
      ...basisLines(inputs),
      `${operations.length} operations in both, ${changed.length} changed${shifted === 0 ? '' : ` (${shifted} only shifted)`}; ` +
        `${onlyBefore.length} only in A, ${onlyAfter.length} only in B`,
    ].join('\n'),
  ];
  if (changed.length > 0) parts.push(changeTable(changed, rows));
  const why = whyText(before, after, changed.slice(0, rows));
  if (why !== '') parts.push(why);
  if (onlyBefore.length > 0) parts.push(onlyText('A', before, onlyBefore, rows));
  if (onlyAfter.length > 0) parts.push(onlyText('B', after, onlyAfter, rows));
  if (stats) parts.push(statisticsDiffText(before, after).trimEnd());
  return `${parts.join('\n\n')}\n`;
}

/** Which constants the result rests on, and of those that make the machines differ how many are known. */
function basisLines(inputs: Inputs): string[] {
  const [a, b] = inputs.map(({ timeline }) => timeline) as [Timeline, Timeline];
  const texts = [basisText(a.basis), basisText(b.basis)];
  const lines =
    texts[0] === texts[1] && a.machine === b.machine
      ? [`each ${texts[0]} (${a.machine})`]
      : [`A ${texts[0]} (${a.machine}); B ${texts[1]} (${b.machine})`];
  const differing = differingConstants([inputs[0].machine, inputs[1].machine], [a, b]);
  if (differing.length === 0) {
    const [x, y] = [inputs[0].machine?.name, inputs[1].machine?.name];
    if (x !== undefined && y !== undefined && x !== y)
      lines.push('these constants have the same values in both machines; their limits may differ');
  } else {
    lines.push(
      `the machines differ in ${differing.length} of these: in A ${statusCounts(differing.map((each) => each.a.status))}; ` +
        `in B ${statusCounts(differing.map((each) => each.b.status))}`,
    );
  }
  return lines;
}

const LEGEND =
  'own = gap + duration: what an operation moved itself, by the time before it in its stream and its own length;\n' +
  'start, end: how much later they are, with all that came before';

function changeTable(changed: readonly OperationChange[], rows: number): string {
  const right = (title: string) => ({ title, align: 'right' as const });
  const table = renderColumns(
    [
      { title: 'operation' },
      ...['own us', 'gap us', 'duration us', 'start us', 'end us', 'of makespan'].map((title) => right(title)),
    ],
    changed
      .slice(0, rows)
      .map(({ id, own, gap, duration, start, end, relative }) => [
        id,
        ...[own, gap, duration, start, end].map(signedUs),
        percent(relative),
      ]),
  );
  const more = changed.length > rows ? `... ${changed.length - rows} more\n` : '';
  return `${table}${more}${LEGEND}`;
}

function whyText(before: Timeline, after: Timeline, changed: readonly OperationChange[]): string {
  const blocks = changed.flatMap((change) => {
    const facts = whyChanged(before, after, change);
    return facts.length === 0
      ? []
      : [[change.id, ...facts.map(({ fact, before: a, after: b }) => `  ${fact}: ${a} -> ${b}`)].join('\n')];
  });
  return blocks.length === 0 ? '' : `why, A -> B\n${blocks.join('\n')}`;
}

function onlyText(side: string, timeline: Timeline, indices: readonly number[], rows: number): string {
  const ids = indices.slice(0, rows).map((index) => timeline.operations[index]?.id);
  return `only in ${side}: ${ids.join(', ')}${indices.length > rows ? ` and ${indices.length - rows} more` : ''}`;
}

function signedUs(ns: number): string {
  return ns > 0 ? `+${us(ns, 3)}` : us(ns, 3);
}
