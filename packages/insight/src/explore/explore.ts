import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import { Recorder } from '../program/recorder.ts';
import { conditionsOf } from './conditions.ts';
import type { Explored, ExploreResult } from './explored.ts';
import { exploredDeadlock, exploredSwap } from './finding-texts.ts';
import { NO_HOLDS } from './holds.ts';
import { OrderSearch, type Swap } from './orders.ts';
import { readSeed, seedText } from './seeds.ts';
import { smallestDeadlock, smallestSwap } from './smallest.ts';
import { type Deadlock, deadlocks, stuckIn } from './stuck.ts';

export interface ExploreOptions {
  /** Schedules tried in turn. */
  readonly bound?: number;
  /** Schedules drawn by chance beyond. */
  readonly random?: number;
  /** Of the first of these: a whole number. */
  readonly seed?: number;
  /** Smaller programs tried for each finding; 0 for none. */
  readonly shrink?: number;
}

const DEFAULTS = { bound: 10_000, random: 100, seed: 1, shrink: 400 } as const;
/** Runs spent on finding the fewest choices that deadlocks take. */
const MOST_RUNS = 1000;
/** Findings that are shrunk. */
const MOST_SHRUNK = 25;

/**
 * Tries the schedules that the contract allows (docs/explore.md) and tells in which of them a value is wrong or
 * something waits for ever. The same program, machine and options give the same findings.
 *
 * @throws Error if a call uses a name that the program does not declare
 */
export function explore(program: Program, machine: Machine, options: ExploreOptions = {}): ExploreResult {
  const { bound, random, seed, shrink } = { ...DEFAULTS, ...options };
  const { recorded, places, search } = opened(program, machine);
  search.search({ bound, random, seed });
  const stuck = deadlocks(recorded, Math.min(bound, MOST_RUNS));
  const swaps = [...search.swaps.values()];
  let left = shrink > 0 ? MOST_SHRUNK : 0;
  const shrunk = <T extends object>(found: Explored, smallest: () => T | undefined): Explored => {
    const made = left > 0 ? smallest() : undefined;
    left -= 1;
    return made === undefined ? found : ({ ...found, smallest: made } as Explored);
  };
  const findings = [
    ...threadFindings(recorded, places),
    ...merged(stuck.found, recorded, places).map(({ found, deadlock }) =>
      shrunk(found, () => smallestDeadlock(program, machine, deadlock, recorded, shrink)),
    ),
    ...worstFirst(swaps).map((swap) =>
      shrunk(exploredSwap(swap, search, recorded.nodes, places), () =>
        smallestSwap(program, machine, swap, search.conditions.accesses, shrink),
      ),
    ),
  ];
  return {
    ...{ program: program.name, findings, schedules: search.tried + stuck.tried, operations: operationsOf(recorded) },
    isComplete: search.isComplete,
  };
}

/**
 * What one schedule shows.
 *
 * @param seed of a finding of `explore` in the same program
 * @throws SeedError for a text that is no seed
 */
export function replay(program: Program, machine: Machine, seed: string): ExploreResult {
  const { recorded, places, search } = opened(program, machine);
  const read = readSeed(seed);
  const findings =
    read.kind === 'hold'
      ? stuckIn(recorded, read.holds).map((stuck) =>
          exploredDeadlock({ ...stuck, holds: read.holds }, recorded.nodes, places),
        )
      : search.swapsOf(read).map((swap) => exploredSwap(swap, search, recorded.nodes, places));
  const ofThreads = seed === seedText({ kind: 'hold', holds: [] }) ? threadFindings(recorded, places) : [];
  return {
    ...{ program: program.name, findings: [...ofThreads, ...findings], schedules: 1, isComplete: false },
    operations: operationsOf(recorded),
  };
}

function opened(program: Program, machine: Machine) {
  const recorded = new Recorder(program, machine).record();
  const places = new Places(program);
  return { recorded, places, search: new OrderSearch(conditionsOf(recorded, NO_HOLDS), places) };
}

function operationsOf({ nodes }: Recorded): number {
  return nodes.filter(({ kind }) => kind !== 'host' && kind !== 'join').length;
}

/** Host threads that wait for a flag for ever: no order of the calls raises it. */
function threadFindings({ stuck }: Recorded, places: Places): Explored[] {
  return stuck.map(({ site, flag }): Explored => {
    const place = places.call(site);
    return {
      ...{ kind: 'deadlock', seed: seedText({ kind: 'hold', holds: [] }), accesses: [], places: [place], schedule: [] },
      ...{
        count: 1,
        text: `"${place.name}" at ${placeText(place)} waits for flag "${flag}" for ever, in every schedule`,
      },
    };
  });
}

/** Alike deadlocks as one. */
function merged(all: readonly Deadlock[], { nodes }: Recorded, places: Places) {
  const known = new Map<string, { found: Explored; deadlock: Deadlock }>();
  for (const deadlock of all) {
    const found = exploredDeadlock(deadlock, nodes, places);
    const key = `${places.key(deadlock.node)} ${deadlock.role} ${deadlock.index}`;
    const before = known.get(key);
    if (before === undefined) known.set(key, { found, deadlock });
    else known.set(key, { ...before, found: { ...before.found, count: before.found.count + 1 } });
  }
  return [...known.values()];
}

function worstFirst(swaps: readonly Swap[]): Swap[] {
  return [...swaps.filter(({ wrong }) => wrong !== undefined), ...swaps.filter(({ wrong }) => wrong === undefined)];
}
