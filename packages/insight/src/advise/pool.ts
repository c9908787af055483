import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { dealable, streams } from '../changes/streams.ts';
import { criticalPath } from '../why/chain.ts';
import type { Trial, Trials } from './trial.ts';

/** A fixed pool of streams onto which repeating work is dealt in turn. */
export interface Pool {
  readonly tried: readonly { readonly count: number; readonly trial: Trial }[];
  /** Where more streams gain nothing any more. */
  readonly plateau: number;
  /** What limits it there, in words. */
  readonly because: string;
  readonly best: Trial;
}

const MOST = 32;
/** Less than this share faster is the plateau. */
const FLAT = 0.01;

/** Pools of 2, 3, 4, 6, 8, ... streams until more gain nothing; undefined where no stream's work repeats. */
export function streamPool(program: Program, trials: Trials): Pool | undefined {
  const repetitions = Math.max(0, ...dealable(program).map((each) => each.repetitions));
  if (repetitions < 2) return undefined;
  const tried: { count: number; trial: Trial }[] = [];
  for (const count of [2, 3, 4, 6, 8, 12, 16, 24, MOST].filter((each) => each <= repetitions)) {
    const change = `deal the repeating work onto ${count} streams in turn`;
    const trial = trials.run(`pool of ${count} streams`, change, streams(program, { count }));
    const before = tried.at(-1)?.trial.endToEnd ?? Number.POSITIVE_INFINITY;
    tried.push({ count, trial });
    if (!(trial.endToEnd < before * (1 - FLAT))) break;
  }
  const [first] = tried;
  if (first === undefined) return undefined;
  const least = tried.reduce((a, b) => (b.trial.endToEnd < a.trial.endToEnd ? b : a), first);
  const plateau = tried.find(({ trial }) => trial.endToEnd <= least.trial.endToEnd * (1 + FLAT)) ?? least;
  const { timeline } = plateau.trial;
  const because = timeline === undefined ? 'unknown' : limitOf(timeline);
  return { tried, plateau: plateau.count, because, best: plateau.trial };
}

/** What most of the way to the last end goes to. */
function limitOf(timeline: Timeline): string {
  const sums = new Map<string, number>();
  for (const { kind, operation, from, until, cause } of criticalPath(timeline)) {
    const unit = timeline.operations[operation]?.unit ?? '';
    const name =
      kind === 'copy'
        ? `copies, which take turns on ${unit}`
        : kind === 'kernel'
          ? 'kernels, one after another on the SMs'
          : kind === 'host'
            ? 'the host, which enqueues no faster'
            : `waiting (${cause?.kind ?? kind})`;
    sums.set(name, (sums.get(name) ?? 0) + until - from);
  }
  const [most] = [...sums].sort((a, b) => b[1] - a[1]);
  return most === undefined ? 'nothing' : most[0];
}
