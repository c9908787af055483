import type { Machine } from '@griddep/machine';
import type { Kernel, Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { fuse } from '../changes/fuse.ts';
import { capturableStretches, graph } from '../changes/graph.ts';
import { withPdl } from '../changes/pdl.ts';
import { triggerPlaces, withTriggerAt } from '../changes/trigger.ts';
import { criticalPath, type Stretch, type TimeKind } from '../why/chain.ts';
import { type Answer, checklist, profile, unfit } from './checklist.ts';
import type { Judge } from './judged.ts';
import { firstDependentPhase, type PairGroup, pairGroups } from './pairs.ts';
import { type Pool, streamPool } from './pool.ts';
import { type Trial, Trials } from './trial.ts';

export interface AdviseOptions extends Judge {
  /** Every simulation gives up after so many events. */
  readonly maxEvents?: number;
  /** Pairs of kernels that are looked at, those with the most launches on the way first. */
  readonly mostPairs?: number;
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
  const { maxEvents = 20_000_000, mostPairs = 8 } = options;
  const trials = new Trials(program, machine, options, maxEvents);
  const { timeline, endToEnd, before } = trials.base;
  const path = criticalPath(timeline).filter(({ until }) => until > before);
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
  const pairs = worth.slice(0, mostPairs).map((group): PairAdvice => {
    const name = `PDL on ${group.primary} → ${group.secondary}`;
    const early = trials.run(name, describe([group]), withPdl(program, [group], wait));
    const trigger = bestTrigger(trials, early, group);
    return {
      primary: group.primary,
      secondary: group.secondary,
      launches: group.launches.length,
      onPath: onPath(group),
      checklist: checklist(program, machine, group, onPath(group) > 0, better(early, trigger)),
      profile: profile(group, timeline, better(early, trigger)),
      unfit: unfit(program, machine, group, timeline, early),
      early,
      ...(trigger === undefined ? {} : { trigger }),
    };
  });
  const whole = wholeTrials(program, trials, groups, wait);
  const pool = streamPool(program, trials);
  const tried = [
    ...pairs.flatMap(({ early, trigger }) => [early, ...(trigger === undefined ? [] : [trigger])]),
    ...whole,
  ];
  const all = [...tried, ...(pool === undefined ? [] : [pool.best])];
  const best = all.filter(({ verdict }) => verdict === 'gain').sort((a, b) => b.gain - a.gain)[0];
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
  wait: (kernel: Kernel) => number,
): Trial[] {
  const made: Trial[] = [];
  const all = groups.length === 0 ? undefined : withPdl(program, undefined, wait);
  if (all !== undefined) made.push(trials.run('PDL on all', 'launch every kernel behind a kernel early', all));
  if (capturableStretches(program) > 0) {
    const change = 'capture what is enqueued between waits, and launch it as graphs';
    made.push(trials.run('graph', change, graph(program)));
    if (all !== undefined) made.push(trials.run('graph and PDL', `${change}; with early launches`, graph(all)));
  }
  const [longest] = [...groups].sort((a, b) => b.launches.length - a.launches.length);
  if (longest !== undefined && longest.primary !== longest.secondary) {
    const { primary: first, secondary: second } = longest;
    const fused = `one kernel in place of ${first} and ${second}`;
    made.push(trials.run('fused', fused, fuse(program, { first, second })));
  }
  return made;
}

/** The best place for the trigger of a pair's primary; undefined if no place is better than what the primary does now. */
function bestTrigger(trials: Trials, early: Trial, group: PairGroup): Trial | undefined {
  const { program } = early;
  const primary = program?.kernels.get(group.primary);
  if (program === undefined || primary === undefined) return undefined;
  let best: Trial | undefined;
  for (const place of triggerPlaces(primary)) {
    const where = `${group.primary} triggers ${placeText(primary, place)}`;
    const name = `${early.name}, trigger ${placeText(primary, place)}`;
    const tried = trials.run(name, `${early.change}; ${where}`, withTriggerAt(program, group.primary, place));
    if (tried.gain > (best?.gain ?? early.gain)) best = tried;
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

function describe([group]: readonly PairGroup[]): string {
  return `launch ${group?.secondary} with programmaticStreamSerialization where it follows ${group?.primary}`;
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
