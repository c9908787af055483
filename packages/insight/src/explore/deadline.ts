import { formatDuration, type Picoseconds, type Program } from '@griddep/program';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { Places } from '../places.ts';
import { type Change, changed, changesOf, changesText, readChanges } from './changes.ts';
import type { Explored } from './explored.ts';

export interface DeadlineOptions {
  /** The last operation on a device has to have ended by then, from the start of the program. */
  readonly deadline: Picoseconds;
  /** How long the host may be held up before a call; 10 us if left out. */
  readonly pause?: Picoseconds;
  /** Runs tried in turn: as it is, each change alone, each two. */
  readonly bound: number;
  /** Runs beyond with up to `mostChanges` changes drawn by chance. */
  readonly random: number;
  readonly seed: number;
  /** Of one run; 4 if left out. */
  readonly mostChanges?: number;
}

/** When a program's last operation on a device ends; infinity if it never does. */
export type Timed = (program: Program) => Picoseconds;

export interface DeadlineResult {
  readonly findings: readonly Explored[];
  readonly runs: number;
  /** As it is, and the latest that was found. */
  readonly usual: Picoseconds;
  readonly latest: Picoseconds;
}

/** Findings of one kind of changes that are told. */
const MOST_FINDINGS = 10;

/**
 * Tries runs of a program in which launches come late, the host is held up and streams go first, for one that misses a
 * deadline. Each that does is shrunk until every change left is needed.
 */
export function missedDeadlines(program: Program, timed: Timed, options: DeadlineOptions): DeadlineResult {
  const { deadline, bound, random, seed, pause = 10_000_000, mostChanges = 4 } = options;
  const known = new Map<string, Picoseconds>();
  const time = (changes: readonly Change[]): Picoseconds => {
    const key = changesText(changes);
    const end = known.get(key) ?? timed(changed(program, changes));
    known.set(key, end);
    return end;
  };
  const found = new Map<string, Change[]>();
  const attempt = (changes: readonly Change[]): void => {
    if (time(changes) <= deadline) return;
    const fewest = shrunk(changes, (fewer) => time(fewer) > deadline);
    found.set(changesText(fewest), fewest);
  };
  const all = changesOf(program, pause);
  const usual = time([]);
  attempt([]);
  for (const changes of inTurn(all)) {
    if (known.size >= bound || found.has(changesText([]))) break;
    // What misses it alone is known; with others it says no more.
    if (changes.length > 1 && changes.some((change) => found.has(changesText([change])))) continue;
    attempt(changes);
  }
  const generator = xoroshiro128plus(seed);
  for (let i = 0; i < random && all.length > 0 && !found.has(changesText([])); i++) {
    const size = uniformInt(generator, 1, Math.min(mostChanges, all.length));
    const drawn = new Set<number>();
    while (drawn.size < size) drawn.add(uniformInt(generator, 0, all.length - 1));
    attempt([...drawn].sort((a, b) => a - b).map((index) => all[index] as Change));
  }
  const latest = Math.max(...known.values());
  const misses = [...found.values()].map((changes) => ({ changes, end: time(changes) }));
  misses.sort((a, b) => a.changes.length - b.changes.length || b.end - a.end);
  return { findings: merged(program, misses, deadline), runs: known.size, usual, latest };
}

/** The same for one run. @throws SeedError for a text that is no seed of a run of the program */
export function replayDeadline(program: Program, timed: Timed, seed: string, deadline: Picoseconds): DeadlineResult {
  const changes = readChanges(seed, program);
  const end = timed(changed(program, changes));
  const findings = end > deadline ? [finding(program, { changes, end }, deadline)] : [];
  return { findings, runs: 1, usual: end, latest: end };
}

interface Miss {
  readonly changes: readonly Change[];
  readonly end: Picoseconds;
}

function* inTurn(all: readonly Change[]): Generator<readonly Change[]> {
  for (const one of all) yield [one];
  for (const [i, one] of all.entries()) for (const other of all.slice(i + 1)) yield [one, other];
}

function shrunk(changes: readonly Change[], misses: (fewer: readonly Change[]) => boolean): Change[] {
  let left = [...changes];
  for (const change of changes) {
    const fewer = left.filter((each) => each !== change);
    if (misses(fewer)) left = fewer;
  }
  return left;
}

/** Of alike changes those that end latest, and how many there are. */
function merged(program: Program, misses: readonly Miss[], deadline: Picoseconds): Explored[] {
  const kinds = new Map<string, Miss[]>();
  for (const miss of misses) {
    const kind = miss.changes.map(({ what }) => what).join(' ');
    kinds.set(kind, [...(kinds.get(kind) ?? []), miss]);
  }
  return [...kinds.values()]
    .slice(0, MOST_FINDINGS)
    .map((alike) => ({ ...finding(program, alike[0] as Miss, deadline), count: alike.length }));
}

function finding(program: Program, { changes, end }: Miss, deadline: Picoseconds): Explored {
  const places = new Places(program);
  const schedule = changes.map((change) => {
    if (change.what === 'first') return `work of stream "${[...program.streams.keys()][change.stream]}" goes first`;
    const { name } = places.call(change);
    return change.what === 'late'
      ? `"${name}" comes after its primary's end`
      : `the host is held up for ${formatDuration(change.duration)} before "${name}"`;
  });
  const late = Number.isFinite(end) ? `ends after ${formatDuration(end)}` : 'never ends';
  return {
    ...{ kind: 'missed deadline', seed: changesText(changes), accesses: [], count: 1, schedule },
    places: changes.flatMap((change) => (change.what === 'first' ? [] : [places.call(change)])),
    text: `${late}, ${formatDuration(deadline)} allowed${schedule.length === 0 ? ', as it is' : ` where ${schedule.join(', and ')}`}`,
  };
}
