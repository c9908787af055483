import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { Places } from '../places.ts';
import type { Node, Site } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';
import { Recorder } from '../program/recorder.ts';
import { conditionsOf } from './conditions.ts';
import type { Smallest } from './explored.ts';
import { NO_HOLDS } from './holds.ts';
import type { Performed } from './layout.ts';
import { OrderSearch, type Swap } from './orders.ts';
import { seedText } from './seeds.ts';
import { type Deadlock, deadlocks, type Stuck, stuckIn } from './stuck.ts';
import { allCalls, type Kept, siteKey, withCalls } from './sub-program.ts';

/** Whether a smaller program still shows something: the seed that does, or undefined. */
type Shows = (recorded: Recorded, kept: Kept) => string | undefined;

/** The fewest calls of a program in which two accesses still change places, with the same consequence. */
export function smallestSwap(
  program: Program,
  machine: Machine,
  { late, early, seed, wrong }: Swap,
  accesses: readonly Performed[],
  most: number,
): Smallest | undefined {
  if (seed.kind !== 'delay') return undefined;
  const all = allCalls(program);
  const put = accesses.filter(({ at }) => seed.accesses.includes(at));
  const order = seed.accesses.map((at) => accessKey(put.find((each) => each.at === at) as Performed, all));
  const [lateKey, earlyKey] = [accessKey(late, all), accessKey(early, all)];
  const shows: Shows = (recorded, kept) => {
    const conditions = conditionsOf(recorded, NO_HOLDS);
    const known = new Map(conditions.accesses.map((each) => [accessKey(each, kept), each.at]));
    const mapped = order.map((key) => known.get(key));
    if (mapped.includes(undefined) || !known.has(earlyKey)) return undefined;
    const delay = { kind: 'delay', accesses: mapped as number[] } as const;
    const search = new OrderSearch(conditions, new Places(recorded.program));
    const swaps = search.swapsOf(delay);
    const isShown = swaps.some(
      (swap) =>
        accessKey(swap.late, kept) === lateKey &&
        accessKey(swap.early, kept) === earlyKey &&
        (swap.wrong === undefined) === (wrong === undefined),
    );
    return isShown ? seedText(delay) : undefined;
  };
  return smallest(program, machine, [late.node.site, early.node.site], shows, most);
}

/** The fewest calls of a program in which something is still stuck, for the same kind of reason. */
export function smallestDeadlock(
  program: Program,
  machine: Machine,
  deadlock: Deadlock,
  original: Recorded,
  most: number,
): Smallest | undefined {
  const key = stuckKey(deadlock, allCalls(program));
  const isCertain = deadlock.holds.length === 0;
  const hasPartner = partners(deadlock, original) > 0;
  const shows: Shows = (recorded, kept) => {
    const isThis = (stuck: Stuck): boolean => stuckKey(stuck, kept) === key;
    if (stuckIn(recorded, []).some(isThis) !== isCertain) return undefined;
    const found = deadlocks(recorded, 60, isThis).found[0];
    if (found === undefined || partners(found, recorded) > 0 !== hasPartner) return undefined;
    return found.holds.length > deadlock.holds.length ? undefined : seedText({ kind: 'hold', holds: found.holds });
  };
  return smallest(program, machine, [deadlock.node.site], shows, most);
}

/**
 * Leaves out calls, many at a time and then fewer, as long as what is to be shown is, and no call returns an error that
 * did not in the whole program.
 */
function smallest(
  program: Program,
  machine: Machine,
  needed: readonly Site[],
  shows: Shows,
  most: number,
): Smallest | undefined {
  const errors = new Recorder(program, machine).record().errors.length;
  const isNeeded = new Set(needed.flatMap(callsOf));
  const seedOf = (kept: Kept): string | undefined => {
    const recorded = new Recorder(withCalls(program, kept), machine).record();
    return recorded.errors.length > errors ? undefined : shows(recorded, kept);
  };
  let kept: Kept = allCalls(program);
  let seed = seedOf(kept);
  if (seed === undefined) return undefined;
  let tried = 0;
  const count = (): number => kept.reduce((sum, calls) => sum + calls.length, 0);
  for (let size = Math.max(1, count() >> 1), before = count(); tried < most; ) {
    for (let end = count(); end > 0 && tried < most; end -= size) {
      const fewer = without(kept, Math.max(0, end - size), end, isNeeded);
      if (fewer === undefined) continue;
      tried += 1;
      const still = seedOf(fewer);
      if (still !== undefined) [kept, seed] = [fewer, still];
    }
    if (size === 1 && count() === before) break;
    before = count();
    size = Math.max(1, size >> 1);
  }
  const places = new Places(program);
  const calls = kept.flatMap((list, thread) => list.map((call) => places.call({ thread, call })));
  return { program: withCalls(program, kept), calls, seed };
}

/** Without the calls from one place on to another, counted over all threads, but those that are needed. */
function without(kept: Kept, from: number, to: number, needed: ReadonlySet<string>): Kept | undefined {
  let i = 0;
  let removed = 0;
  const fewer = kept.map((calls, t) =>
    calls.filter((call) => {
      const isLeftOut = i >= from && i < to && !needed.has(`${t}:${call}`);
      i += 1;
      removed += isLeftOut ? 1 : 0;
      return !isLeftOut;
    }),
  );
  return removed === 0 ? undefined : fewer;
}

function callsOf({ thread, call, of }: Site): string[] {
  const captured = of !== undefined && 'thread' in of ? [`${of.thread}:${of.call}`] : [];
  return [`${thread}:${call}`, ...captured];
}

function accessKey({ node, access: { kernel, role, phase, mode, extent, buffer } }: Performed, kept: Kept): string {
  const where = `${kernel} ${role} ${phase} ${mode} ${buffer.name} ${extent.begin} ${node.kind === 'host'}`;
  return `${siteKey(node.site, kept)} ${where}`;
}

function stuckKey({ node, role, index }: Stuck, kept: Kept): string {
  return `${siteKey(node.site, kept)} ${role} ${index} ${node.kind}`;
}

/** Steps of others that would let it go on. */
function partners({ step, node }: Stuck, { nodes }: Recorded): number {
  const helps = (other: Node): boolean =>
    other !== node &&
    other.code.roles.some(({ steps }) =>
      steps.some((each) => {
        if (step.do === 'await') return each.do === 'signal' && each.flag === step.flag && each.value >= step.value;
        return (
          step.do === 'meet' &&
          each.do === 'meet' &&
          each.meeting.group === step.meeting.group &&
          each.meeting.sequence === step.meeting.sequence
        );
      }),
    );
  return nodes.filter(helps).length;
}
