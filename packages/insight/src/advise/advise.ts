import type { Machine } from '@griddep/machine';
import { type Kernel, type Program, ProgramError } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { apart } from '../changes/apart.ts';
import { type EarlyShares, withEarlyLaunches } from '../changes/early-launches.ts';
import { fuse } from '../changes/fuse.ts';
import { capturableStretches, graph } from '../changes/graph.ts';
import { withoutPdl, withPdl } from '../changes/pdl.ts';
import { type TriggerPlace, triggerPlaces, withTriggerAt } from '../changes/trigger.ts';
import { criticalPath, type Stretch, type TimeKind } from '../why/chain.ts';
import { type Answer, checklist, profile, unfit } from './checklist.ts';
import type { Judge } from './judged.ts';
import { dependence, firstDependentPhase, type PairGroup, pairGroups } from './pairs.ts';
import { type Pool, streamPool } from './pool.ts';
import { type Trial, Trials } from './trial.ts';

export interface AdviseOptions extends Judge {
  /** Every simulation gives up after so many events. */
  readonly maxEvents?: number;
  /** Pairs of kernels that are looked at, those with the most launches on the way first. */
  readonly mostPairs?: number;
  /**
   * By kernel, what shares of its blocks' work stand before its wait and before its trigger, where somebody knows: a spin
   * or a measured duration does not tell. Of durations nothing is taken to stand before the wait else.
   */
  readonly shares?: ReadonlyMap<string, EarlyShares>;
}

export interface PairAdvice {
  readonly primary: string;
  readonly secondary: string;
  /** Launches of it, and those of them on the way to the last end. */
  readonly launches: number;
  readonly onPath: number;
  readonly checklist: readonly Answer[];
  readonly profile: readonly Answer[];
  readonly unfit: readonly string[];
  /** The secondary is launched early as the program stands; `early` then tells what that gains. */
  readonly isEarly: boolean;
  /** An early launch of this pair alone. */
  readonly early: Trial;
  /** The same with the trigger at the best of the places tried, where another than the present one is better. */
  readonly trigger?: Trial;
}

export interface Advice {
  readonly program: string;
  readonly machine: string;
  readonly timeline: Timeline;
  /** ps. */
  readonly endToEnd: number;
  readonly path: readonly Stretch[];
  /** The way to the last end by what it went to, ps. */
  readonly time: Readonly<Record<TimeKind, number>>;
  readonly pairs: readonly PairAdvice[];
  /** Pairs that were left out: nothing of them is on the way or near it. */
  readonly offPath: number;
  /** Changes of the whole program, the best first. */
  readonly trials: readonly Trial[];
  readonly pool?: Pool;
  /** The best of all, or undefined: nothing that was tried gains anything. */
  readonly best: Trial | undefined;
  /** Assumed constants that the figures rest on. */
  readonly assumed: readonly string[];
}

const NEAR = 0.95;

/**
 * What would make a program faster: the way to its last end, the pairs of kernels on it or near it, and changes, each
 * simulated and judged from end to end.
 *
 * @throws Error where the program does not run to its end; ProgramError
 */
export function advise(program: Program, machine: Machine, options: AdviseOptions = {}): Advice {
  const { maxEvents = 20_000_000, mostPairs = 8, shares = new Map() } = options;
  const trials = new Trials(program, machine, options, maxEvents);
  const { timeline, endToEnd, before } = trials.base;
  const path = criticalPath(timeline.operations).filter(({ until }) => until > before);
  const groups = pairGroups(program, timeline);
  const on = new Set(path.map(({ operation }) => operation));
  const near = nearEnd(timeline);
  const onPath = (group: PairGroup): number =>
    group.launches.filter(({ secondary, primary }) => on.has(secondary) && on.has(primary)).length;
  const worth = groups
    .filter((group) => group.launches.some(({ secondary }) => on.has(secondary) || near.has(secondary)))
    .sort((a, b) => onPath(b) - onPath(a));
  const wait = (kernel: Kernel): number =>
    firstDependentPhase(
      program,
      kernel,
      groups.filter(({ secondary }) => secondary === kernel.name).map(({ primary }) => primary),
    );
  const places = new Map<string, TriggerPlace>();
  const pairs = worth.slice(0, mostPairs).map((group): PairAdvice => {
    const name = `PDL on ${group.primary} → ${group.secondary}`;
    const bodies = withShares(program, machine, [group], shares);
    const isEarly = group.launches.every(({ secondary }) => timeline.operations[secondary]?.programmatic === true);
    const early = isEarly
      ? trials.present(`PDL on ${group.secondary}, as it is`, program, withoutPdl(program, group.secondary))
      : trials.run(name, describe(group), withPdl(bodies, [group], wait));
    const found = bestTrigger(trials, isEarly ? { ...early, gain: 0, name } : early, group);
    const trigger = found?.trial;
    if (found !== undefined) places.set(group.primary, found.place);
    return {
      primary: group.primary,
      secondary: group.secondary,
      launches: group.launches.length,
      onPath: onPath(group),
      isEarly,
      checklist: checklist(program, machine, group, onPath(group) > 0, better(early, trigger)),
      profile: profile(group, timeline, better(early, trigger)),
      unfit: unfit(program, machine, group, timeline, early),
      early,
      ...(trigger === undefined ? {} : { trigger }),
    };
  });
  const all = withPdl(withShares(program, machine, groups, shares), undefined, wait);
  let placed = all;
  for (const [name, place] of places) placed = withTriggerAt(placed, name, place);
  const whole = wholeTrials(program, trials, groups, placed === all ? [all] : [placed, all]);
  const pool = streamPool(program, trials);
  const tried = [
    ...pairs.flatMap(({ early, trigger, isEarly }) => [
      ...(isEarly ? [] : [early]),
      ...(trigger === undefined ? [] : [trigger]),
    ]),
    ...whole,
  ];
  const candidates = [...tried, ...(pool === undefined ? [] : [pool.best])];
  const best = candidates.filter(({ verdict }) => verdict === 'gain').sort((a, b) => b.gain - a.gain)[0];
  return {
    program: program.name,
    machine: machine.name,
    timeline,
    endToEnd,
    path,
    time: timeByKind(path, before),
    pairs,
    offPath: groups.length - worth.length,
    trials: whole.sort((a, b) => order(b) - order(a)),
    ...(pool === undefined ? {} : { pool }),
    best: best === undefined ? undefined : trials.withRange(best),
    assumed: timeline.basis.filter(({ status }) => status === 'assumed').map(({ constant }) => constant),
  };
}

function bestOf(trials: readonly Trial[]): Trial {
  return [...trials].sort((a, b) => order(b) - order(a))[0] as Trial;
}

function order({ gain }: Trial): number {
  return Number.isNaN(gain) ? Number.NEGATIVE_INFINITY : gain;
}

function better(early: Trial, trigger: Trial | undefined): Trial {
  return trigger !== undefined && trigger.gain > early.gain ? trigger : early;
}

function wholeTrials(
  program: Program,
  trials: Trials,
  groups: readonly PairGroup[],
  ways: readonly Program[],
): Trial[] {
  const made: Trial[] = [];
  const early = 'launch every kernel behind a kernel early, with triggers where they are best';
  if (groups.length > 0) made.push(bestOf(ways.map((way) => trials.run('PDL on all', early, way))));
  if (capturableStretches(program) > 0) {
    const change = 'capture what is enqueued between waits, and launch it as graphs';
    made.push(trials.run('graph', change, graph(program)));
    if (groups.length > 0)
      made.push(bestOf(ways.map((way) => trials.run('graph and PDL', `${change}; ${early}`, graph(way)))));
  }
  for (const group of groups.filter((each) => dependence(program, each) === 'independent')) {
    const change = `${group.secondary} in a stream of its own, forked and joined by events`;
    made.push(trials.run(`streams for ${group.primary} and ${group.secondary}`, change, apart(program, group)));
  }
  const [longest] = [...groups].sort((a, b) => b.launches.length - a.launches.length);
  if (longest !== undefined && longest.primary !== longest.secondary) {
    const { primary: first, secondary: second } = longest;
    const fused = `one kernel in place of ${first} and ${second}`;
    const changed = fusedWhereTheyCan(program, first, second);
    if (changed !== undefined) made.push(trials.run('fused', fused, changed));
  }
  return made;
}

/** Undefined where others come between the two each time, or their bodies cannot be one. */
function fusedWhereTheyCan(program: Program, first: string, second: string): Program | undefined {
  try {
    return fuse(program, { first, second });
  } catch (error) {
    if (error instanceof ProgramError) return undefined;
    throw error;
  }
}

/** Bodies that say where they wait and trigger, of kernels of pairs that did not and of which it is known. */
function withShares(
  program: Program,
  machine: Machine,
  groups: readonly PairGroup[],
  shares: ReadonlyMap<string, EarlyShares>,
): Program {
  const names = new Set(groups.flatMap(({ primary, secondary }) => [primary, secondary]));
  const known = [...program.kernels.values()].filter(
    ({ name, body }) => names.has(name) && (shares.has(name) || body.kind === 'duration'),
  );
  if (known.length === 0) return program;
  const options = { kernels: known.map(({ name }) => name), shares, otherwise: { beforeWait: 0, beforeTrigger: 1 } };
  return { ...program, kernels: withEarlyLaunches(program, { ...options, machine }).kernels };
}

/** The best place for the trigger of a pair's primary; undefined if no place is better than what the primary does now. */
function bestTrigger(
  trials: Trials,
  early: Trial,
  group: PairGroup,
): { trial: Trial; place: TriggerPlace } | undefined {
  const { program } = early;
  const primary = program?.kernels.get(group.primary);
  if (program === undefined || primary === undefined) return undefined;
  let best: { trial: Trial; place: TriggerPlace } | undefined;
  for (const place of triggerPlaces(primary)) {
    const where = `${group.primary} triggers ${placeText(primary, place)}`;
    const name = `${early.name}, trigger ${placeText(primary, place)}`;
    const tried = trials.run(name, `${early.change}; ${where}`, withTriggerAt(program, group.primary, place));
    if (tried.gain > (best?.trial.gain ?? early.gain)) best = { trial: tried, place };
  }
  return best;
}

function placeText(kernel: Kernel, { phase, share }: { phase: number; share: number }): string {
  const phases = kernel.body.kind === 'phases' ? (kernel.body.roles[0]?.phases ?? []) : [];
  const plain = phases.filter(({ op }) => op !== 'trigger');
  if (phase === 0 && share === 0) return 'at its entry';
  if (phase >= plain.length) return 'at its end';
  return share === 0
    ? `before phase ${phase} (${plain[phase]?.op})`
    : `after ${share * 100} % of phase ${phase} (${plain[phase]?.op})`;
}

function describe({ primary, secondary }: PairGroup): string {
  return `launch ${secondary} with programmaticStreamSerialization where it follows ${primary}`;
}

/** Operations of streams that end all but as late as the last. */
function nearEnd({ operations }: Timeline): Set<number> {
  const ends = new Map<string, number>();
  let last = 0;
  for (const { device, stream, end } of operations) {
    if (device < 0 || Number.isNaN(end)) continue;
    ends.set(stream, Math.max(end, ends.get(stream) ?? 0));
    last = Math.max(last, end);
  }
  const near = new Set<number>();
  operations.forEach(({ stream, device }, i) => {
    if (device >= 0 && (ends.get(stream) ?? 0) >= NEAR * last) near.add(i);
  });
  return near;
}

function timeByKind(path: readonly Stretch[], from: number): Record<TimeKind, number> {
  const time: Record<TimeKind, number> = { kernel: 0, copy: 0, host: 0, 'launch gap': 0, wait: 0 };
  for (const stretch of path) time[stretch.kind] += stretch.until - Math.max(from, stretch.from);
  return time;
}
