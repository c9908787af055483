import type { Removal, Stretch, Why, WhyPair } from '@griddep/insight';
import { causeText, type Timeline } from '@griddep/timeline';
import { renderColumns } from './columns.ts';

const PS_PER_US = 1_000_000;
const us = (ps: number): string => (Number.isNaN(ps) ? '-' : (ps / PS_PER_US).toFixed(2));

/** Why an operation began when it did, as text. */
export function whyText(why: Why): string {
  const { timeline, start } = why;
  const id = idOf(timeline, why.operation);
  if (Number.isNaN(start)) return `${id} never begins. ${timeline.stuck.join('\n')}\n`;
  return [
    `${id} began at ${us(start)} us.\n`,
    waitsText(why),
    untriggeredText(why),
    removalsText(why),
    pathText(timeline, why.path),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Why two operations did not overlap, or how they did, as text. */
export function whyPairText(pair: WhyPair): string {
  const { timeline, overlap, why, suffices } = pair;
  const [first, second] = [idOf(timeline, pair.first), idOf(timeline, pair.second)];
  if (overlap === undefined) {
    const enough =
      suffices.length === 0
        ? `No single cause would have to go for ${second} to begin before the end of ${first}.`
        : `${second} would have begun before the end of ${first} without any of: ${suffices.map(name).join(', ')}.`;
    return `${first} and ${second} did not overlap: ${us(pair.gap)} us lie between them.\n${enough}\n\n${whyText(why)}`;
  }
  const { sms, from, until, slowdown } = overlap;
  const where = sms.length === 0 ? 'on no SM together' : `with blocks of both on ${sms.length} SMs (${ranges(sms)})`;
  const costs = slowdown.flatMap((list, i) =>
    list
      .filter(({ factor }) => factor > 1.001)
      .map(
        ({ resource, factor }) => `${i === 0 ? first : second} ran ${factor.toFixed(2)} times longer by ${resource}.`,
      ),
  );
  const cost = costs.length === 0 ? 'It cost neither anything: none was slower than alone.' : costs.join('\n');
  return `${first} and ${second} overlapped for ${us(until - from)} us, ${us(from)} to ${us(until)} us, ${where}.\n${cost}\n\n${whyText(why)}`;
}

function waitsText({ timeline, waits }: Why): string {
  if (waits.length === 0) return '';
  const rows = waits.map((wait) => [
    us(wait.from),
    us(wait.until),
    us(wait.until - wait.from),
    causeText(timeline, wait),
  ]);
  const right = { align: 'right' } as const;
  const table = renderColumns(
    [
      { title: 'from us', ...right },
      { title: 'until us', ...right },
      { title: 'us', ...right },
      { title: 'waited for' },
    ],
    rows,
  );
  return table;
}

function untriggeredText({ timeline, untriggered }: Why): string {
  if (untriggered === undefined) return '';
  const { primary, fired, blocks, notBegun, firstNotBegun, neverTrigger } = untriggered;
  const of = idOf(timeline, primary);
  const reasons = [
    ...(notBegun > 0
      ? [`${notBegun} of its ${blocks} blocks (from ${firstNotBegun} on) had no room before others had exited`]
      : []),
    ...(neverTrigger > 0 ? [`${neverTrigger} of its ${blocks} blocks never trigger, so that their exit counts`] : []),
  ];
  const because = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  return `All blocks of ${of} had triggered or exited at ${us(fired)} us${because}.\n`;
}

function removalsText({ timeline, removals, start }: Why): string {
  if (removals.length === 0) return '';
  const right = { align: 'right' } as const;
  const rows = removals.map((removal) => [
    name(removal.constraint),
    byText(timeline, removal),
    us(removal.earliest),
    us(start - removal.earliest),
  ]);
  const table = renderColumns(
    [{ title: 'without' }, { title: 'of' }, { title: 'earliest us', ...right }, { title: 'gain us', ...right }],
    rows,
  );
  return `Earliest start without each, all else as it is:\n${table}`;
}

function byText(timeline: Timeline, { by, detail }: Removal): string {
  return [by === undefined ? '' : idOf(timeline, by), detail ?? ''].filter((part) => part !== '').join(', ');
}

function pathText(timeline: Timeline, path: readonly Stretch[]): string {
  const shown = path.slice(-MOST);
  const right = { align: 'right' } as const;
  const rows = shown.map(({ from, until, kind, operation, cause }) => [
    us(from),
    us(until),
    kind,
    cause === undefined
      ? idOf(timeline, operation)
      : `${idOf(timeline, operation)} after ${causeText(timeline, cause)}`,
  ]);
  const more = path.length > MOST ? `; ${path.length - MOST} before these` : '';
  const columns = [
    { title: 'from us', ...right },
    { title: 'until us', ...right },
    { title: 'what' },
    { title: 'operation' },
  ];
  return `The way there${more}:\n${renderColumns(columns, rows)}`;
}

const MOST = 20;

/** A constraint in words. */
export function name(constraint: string): string {
  return NAMES[constraint] ?? constraint;
}

const NAMES: Readonly<Record<string, string>> = {
  stream: "the stream's order",
  event: 'the event',
  trigger: 'the trigger of the primary',
  legacyStream: 'the order with the legacy stream',
  hardwareQueue: 'what shares its hardware queue',
  launchProcessing: 'processing of other launches',
  residentGrids: 'the limit of resident grids',
  resources: 'any resource of the SMs',
  sharedMemory: 'shared memory',
  carveOut: 'the shared-memory carve-out',
  blocks: 'block slots',
  priority: 'grids that go first',
  engine: 'the turn on the engine',
  queueFull: 'the full queue',
  synchronize: "the host's wait",
  host: 'what calls cost the host',
  graphEdge: 'the edge of the graph',
  implicitSync: 'implicit synchronisation',
};

function idOf({ operations }: Timeline, index: number): string {
  return operations[index]?.id ?? '?';
}

/** `0-3, 7`. */
function ranges(sorted: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let last = i;
    while (sorted[last + 1] === (sorted[last] as number) + 1) last++;
    parts.push(last === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[last]}`);
    i = last + 1;
  }
  return parts.join(', ');
}
