import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import type { BlockColumns, Operation, Slowdown, Timeline } from '@griddep/timeline';
import { UnknownOperation, type Why, whyIn } from './why.ts';

/** Two operations that ran at the same time. */
export interface Overlap {
  /** ps. */
  readonly from: number;
  readonly until: number;
  /** SMs on which blocks of both were resident at once, ascending; none for what runs on no SM. */
  readonly sms: readonly number[];
  /** What each lost by sharing, over all its time and with whatever else ran: by resource, against running alone. */
  readonly slowdown: readonly [readonly Slowdown[], readonly Slowdown[]];
}

export interface WhyPair {
  readonly timeline: Timeline;
  /** In order of their starts, by index. */
  readonly first: number;
  readonly second: number;
  readonly overlap?: Overlap;
  /** From the end of the first to the start of the second, ps; negative where they overlap. */
  readonly gap: number;
  /** Why the second did not begin earlier. */
  readonly why: Why;
  /** Single causes without which the second would have begun before the first ended. */
  readonly suffices: readonly string[];
}

/**
 * Why two operations did not overlap, or by how much and where they did.
 *
 * @throws UnknownOperation, ProgramError, SimulationLimit
 */
export function whyPair(program: Program, machine: Machine, one: string, other: string): WhyPair {
  const timeline = simulate(program, machine, { recordBlocks: true });
  const indices = [one, other].map((id) => {
    const index = timeline.operations.findIndex((operation) => operation.id === id);
    if (index < 0) throw new UnknownOperation(`no operation is called ${id}`);
    return index;
  });
  const start = (index: number): number => timeline.operations[index]?.start ?? Number.NaN;
  const [first, second] = [...indices].sort((a, b) => start(a) - start(b) || a - b) as [number, number];
  const [a, b] = [timeline.operations[first] as Operation, timeline.operations[second] as Operation];
  const why = whyIn(program, machine, timeline, (_, id) => timeline.operations.findIndex((o) => o.id === id), b.id);
  const until = Math.min(a.end, b.end);
  const overlap =
    b.start < until
      ? {
          from: b.start,
          until,
          sms: sharedSms(timeline, first, second),
          slowdown: [a.slowdown, b.slowdown] as const,
        }
      : undefined;
  const suffices = why.removals.filter(({ earliest }) => earliest < a.end && b.start >= a.end);
  return {
    timeline,
    first,
    second,
    ...(overlap === undefined ? {} : { overlap }),
    gap: b.start - a.end,
    why,
    suffices: suffices.map(({ constraint }) => constraint),
  };
}

/** SMs that held blocks of two operations at one time. */
function sharedSms({ blocks }: Timeline, first: number, second: number): number[] {
  if (blocks === undefined) return [];
  const [ofFirst, ofSecond] = [bySm(blocks, first), bySm(blocks, second)];
  const shared = [...ofSecond].filter(([sm, mine]) =>
    ofFirst.get(sm)?.some((theirs) => mine.some((own) => own.start < theirs.end && theirs.start < own.end)),
  );
  return shared.map(([sm]) => sm).sort((a, b) => a - b);
}

interface Residence {
  readonly start: number;
  readonly end: number;
}

function bySm({ operation, sm, start, end }: BlockColumns, of: number): Map<number, Residence[]> {
  const found = new Map<number, Residence[]>();
  for (let i = 0; i < operation.length; i++) {
    if (operation[i] !== of) continue;
    const list = found.get(sm[i] as number) ?? [];
    found.set(sm[i] as number, list);
    list.push({ start: start[i] as number, end: end[i] as number });
  }
  return found;
}
