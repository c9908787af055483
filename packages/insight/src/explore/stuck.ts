import { volume } from '@griddep/program';
import { IN_QUEUES, type Node } from '../program/nodes.ts';
import type { Recorded } from '../program/recorded.ts';
import type { Step } from '../program/steps.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import { type Hold, holdsOf } from './holds.ts';
import { isBarrier } from './publication.ts';
import { delayed } from './schedule.ts';

/** A step that is come to and never passed. */
export interface Stuck {
  readonly node: Node;
  readonly role: number;
  readonly index: number;
  readonly step: Step;
}

/** What never ends, and the fewest choices of the device that make it so. */
export interface Deadlock extends Stuck {
  readonly holds: readonly Hold[];
}

/**
 * What waits for ever where devices overlap as little as they may: early launches come at the end, grids that one host
 * thread launches on a device run in the order of its calls, and blocks of a grid that is not cooperative wait for room.
 * Since every further choice only holds back more, whatever is stuck in some schedule is stuck in that one; each is
 * then traced to the fewest choices.
 *
 * @param most runs that may be spent on leaving out choices
 * @param isMeant which of them are wanted
 */
export function deadlocks(
  recorded: Recorded,
  most: number,
  isMeant: (stuck: Stuck) => boolean = () => true,
): { readonly found: readonly Deadlock[]; readonly tried: number } {
  let tried = 0;
  const run = (holds: readonly Hold[]): Stuck[] => {
    tried += 1;
    return stuckIn(recorded, holds).filter(isMeant);
  };
  const found: Deadlock[] = [];
  const isAmong = (stuck: Stuck, all: readonly Stuck[]): boolean => all.some((each) => isSame(each, stuck));
  const certain = run([]);
  found.push(...certain.map((stuck) => ({ ...stuck, holds: [] })));
  const all = choices(recorded);
  if (all.length === 0) return { found, tried };
  for (const stuck of run(all)) {
    if (isAmong(stuck, certain)) continue;
    let holds: readonly Hold[] = all;
    for (let size = Math.ceil(all.length / 2); ; size = Math.ceil(size / 2)) {
      for (let from = 0; from < holds.length && tried < most; ) {
        const fewer = [...holds.slice(0, from), ...holds.slice(from + size)];
        if (isAmong(stuck, run(fewer))) holds = fewer;
        else from += size;
      }
      if (size === 1 || tried >= most) break;
    }
    found.push({ ...stuck, holds });
  }
  return { found, tried };
}

/** What waits for something that does not come, other than the end of what waits itself. */
export function stuckIn(recorded: Pick<Recorded, 'nodes' | 'machine'>, holds: readonly Hold[]): Stuck[] {
  const conditions = conditionsOf(recorded, holdsOf(holds));
  const happened = new Uint8Array(conditions.count);
  for (const happening of delayed(conditions, [])) happened[happening] = 1;
  return recorded.nodes.flatMap((node) => stuckSteps(node, conditions, happened));
}

export function isSame(a: Stuck, b: Stuck): boolean {
  return a.node.id === b.node.id && a.role === b.role && a.index === b.index;
}

function stuckSteps(node: Node, { happenings }: Conditions, happened: Uint8Array): Stuck[] {
  const { begin, steps: ids } = happenings[node.id] as Conditions['happenings'][number];
  if (happened[begin] === 0) return [];
  const stopped = node.code.roles.flatMap(({ steps }, role): Stuck[] => {
    const index = steps.findIndex((_, s) => happened[ids[role]?.[s] as number] === 0);
    const step = steps[index];
    return step === undefined ? [] : [{ node, role, index, step }];
  });
  // Who waits at a barrier for a role that waits for something else is not the cause.
  const others = stopped.filter(({ step }) => !isBarrier(step));
  return others.length === 0 ? stopped : others.filter(({ step }) => step.do !== 'wait');
}

function choices({ nodes }: Recorded): Hold[] {
  const queues = new Set<string>();
  const all = nodes.flatMap((node): Hold[] => {
    const { id, kind, device, site, cooperative, kernel, code } = node;
    const holds: Hold[] = [];
    if (node.begin.some(({ at, hardwareOnly }) => at !== 'end' && !hardwareOnly))
      holds.push({ what: 'late', node: id });
    if (!IN_QUEUES.has(kind)) return holds;
    const queue = `${site.thread} ${device}`;
    if (queues.has(queue)) holds.push({ what: 'alone', node: id });
    queues.add(queue);
    const meets = code.roles.some(({ steps }) => steps.some((step) => step.do === 'gridBarrier'));
    if (meets && !cooperative && kernel !== undefined && volume(kernel.grid) > 1)
      holds.push({ what: 'split', node: id });
    return holds;
  });
  // What is left out first is less of a choice than what is last: that a launch comes early is never to be relied on.
  return [...all.filter(({ what }) => what !== 'late'), ...all.filter(({ what }) => what === 'late')];
}
