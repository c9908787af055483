import {
  compareTimelines,
  exceeds,
  type OperationChange,
  type Timeline,
  type TimelineComparison,
} from '@griddep/timeline';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { parseSettings } from '../input/settings.ts';
import { timelineOfInput } from '../input/simulated.ts';
import { allSources } from '../input/sources.ts';
import { renderColumns } from '../output/columns.ts';
import { percent, signedPercent, us } from '../output/number-format.ts';
import { print } from '../output/stdout.ts';
import { warnOfStuck } from '../output/warnings.ts';

export interface DiffOptions {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly setB: readonly string[];
  readonly machine?: string;
  readonly machineB?: string;
  readonly failAbove?: number;
  readonly rows: number;
  readonly json?: boolean;
}

/** `griddep diff A B`: what changed from A to B, operation by operation. */
export async function diff(a: string | undefined, b: string | undefined, options: DiffOptions): Promise<number> {
  const [before, after] = await bothTimelines(a, b, options);
  const comparison = compareTimelines(before, after);
  await print(
    options.json === true ? diffJson(comparison, before, after) : diffText(comparison, before, after, options.rows),
  );
  const stuck = [before, after].filter((timeline) => timeline.stuck.length > 0);
  stuck.forEach(warnOfStuck);
  if (stuck.length > 0) return EXIT.input;
  return options.failAbove !== undefined && exceeds(comparison, options.failAbove) ? EXIT.exceeded : EXIT.ok;
}

async function bothTimelines(
  a: string | undefined,
  b: string | undefined,
  options: DiffOptions,
): Promise<[Timeline, Timeline]> {
  const sources = allSources([a, b], options.scenario);
  const isVaried = options.setB.length > 0 || options.machineB !== undefined;
  const [first, second = isVaried ? first : undefined] = sources;
  if (first === undefined || second === undefined) {
    throw new InputError('diff needs two inputs, or one with --set-b or --machine-b to say how B differs');
  }
  if (sources.length > 2) throw new InputError(`diff compares two inputs, got ${sources.length}`);
  if (a === '-' && b === '-') throw new InputError('standard input (-) can be one of the two inputs only');
  const { machine, machineB = machine } = options;
  const set = parseSettings(options.set);
  const setB = { ...set, ...parseSettings(options.setB) };
  return [
    await timelineOfInput(first, { set, machine, isOneOfSeveral: true }),
    await timelineOfInput(second, { set: setB, machine: machineB, isOneOfSeveral: true }),
  ];
}

function largestFirst({ operations }: TimelineComparison): OperationChange[] {
  return operations
    .filter(({ relative }) => relative > 0)
    .sort((x, y) => y.relative - x.relative || x.before - y.before);
}

function diffText(comparison: TimelineComparison, before: Timeline, after: Timeline, rows: number): string {
  const { makespan, onlyBefore, onlyAfter, operations } = comparison;
  const changed = largestFirst(comparison);
  const lines = [
    `makespan ${us(makespan.before)} -> ${us(makespan.after)} us (${signedPercent(makespan.relative)})`,
    `${operations.length} operations in both, ${changed.length} changed; ${onlyBefore.length} only in A, ${onlyAfter.length} only in B`,
  ];
  if (changed.length > 0) {
    const table = renderColumns(
      [
        { title: 'operation' },
        { title: 'start us', align: 'right' },
        { title: 'end us', align: 'right' },
        { title: 'duration us', align: 'right' },
        { title: 'of makespan', align: 'right' },
      ],
      changed
        .slice(0, rows)
        .map((c) => [c.id, signedUs(c.start), signedUs(c.end), signedUs(c.duration), percent(c.relative)]),
    );
    lines.push('', table.trimEnd());
    if (changed.length > rows) lines.push(`... ${changed.length - rows} more`);
  }
  for (const [side, timeline, indices] of [
    ['A', before, onlyBefore],
    ['B', after, onlyAfter],
  ] as const) {
    if (indices.length === 0) continue;
    const ids = indices.slice(0, rows).map((index) => timeline.operations[index]?.id);
    lines.push(
      '',
      `only in ${side}: ${ids.join(', ')}${indices.length > rows ? ` and ${indices.length - rows} more` : ''}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function signedUs(ns: number): string {
  return ns > 0 ? `+${us(ns, 3)}` : us(ns, 3);
}

/** Times in ns; a `relative` of null is an operation that ran in only one of the two. */
function diffJson(comparison: TimelineComparison, before: Timeline, after: Timeline): string {
  const ids = (timeline: Timeline, indices: readonly number[]) =>
    indices.map((index) => timeline.operations[index]?.id);
  const { makespan, largest, onlyBefore, onlyAfter } = comparison;
  const changed = largestFirst(comparison).map((c) => {
    const { id, name, matchedBy, start, end, duration, relative } = c;
    return { id, name, matchedBy, startNs: start, endNs: end, durationNs: duration, relative };
  });
  const { before: a, after: b, change, relative } = makespan;
  return `${JSON.stringify({
    makespan: { beforeNs: a, afterNs: b, changeNs: change, relative },
    largest,
    changed,
    onlyBefore: ids(before, onlyBefore),
    onlyAfter: ids(after, onlyAfter),
  })}\n`;
}
