import type { FoundAccess } from '../finding.ts';
import { type Places, placeText } from '../places.ts';
import type { Node } from '../program/nodes.ts';
import { accessText, foundAccess } from '../races/describe-access.ts';
import { isOfMemoryManagement } from './contents.ts';
import type { Explored } from './explored.ts';
import type { Hold } from './holds.ts';
import type { Performed } from './layout.ts';
import type { Wrong } from './memories.ts';
import type { OrderSearch, Swap } from './orders.ts';
import { seedText } from './seeds.ts';
import type { Deadlock } from './stuck.ts';

/** Accesses shown of a schedule, around the two that change places. */
const MOST_SHOWN = 12;

/** A swap as it is told. */
export function exploredSwap(swap: Swap, search: OrderSearch, nodes: readonly Node[], places: Places): Explored {
  const { late, early, seed, wrong, count } = swap;
  const [lateAccess, earlyAccess] = [late, early].map((each) => accessOf(each, places)) as [FoundAccess, FoundAccess];
  const isManaged = isOfMemoryManagement(late.access) || isOfMemoryManagement(early.access);
  const how = `${accessText(earlyAccess)} before ${accessText(lateAccess)}`;
  return {
    kind: isManaged ? 'freed memory' : wrong === undefined ? 'other order' : 'wrong value',
    ...{ seed: seedText(seed), accesses: [lateAccess, earlyAccess], places: [lateAccess.place, earlyAccess.place] },
    schedule: scheduleOf(swap, search, places),
    count,
    text: isManaged || wrong === undefined ? how : `${how}: ${wrongText(wrong, late, nodes, places)}`,
  };
}

function accessOf({ access, node }: Performed, places: Places): FoundAccess {
  return foundAccess(access, places.of(node));
}

function wrongText({ observer, expected, instead }: Wrong, late: Performed, nodes: readonly Node[], places: Places) {
  const names = (ids: readonly number[]): string =>
    [...new Set(ids.map((id) => `"${places.of(nodes[id] as Node).name}"`))].slice(0, 3).join(', ');
  const lost = names([...expected].filter((id) => !instead.has(id)));
  const come = names([...instead].filter((id) => !expected.has(id)));
  const who =
    observer === 'end' ? `"${late.access.buffer.name}" ends with` : `"${places.of(observer.node).name}" finds`;
  if (lost === '' && come === '') return `${who} the pieces of ${names([...instead])} in another order`;
  if (come === '') return `${who} nothing of what ${lost} wrote`;
  return `${who} what ${come} wrote${lost === '' ? '' : `, not what ${lost} wrote`}`;
}

function scheduleOf({ late, early, seed }: Swap, search: OrderSearch, places: Places): string[] {
  const course = search.courseOf(seed, late.access.extent.memory);
  const [from, to] = [course.indexOf(early), course.indexOf(late)];
  const shown = course.slice(Math.max(0, from - 2), to + 3);
  const text = (each: Performed): string => accessText(accessOf(each, places));
  if (shown.length <= MOST_SHOWN) return shown.map(text);
  const half = MOST_SHOWN / 2;
  return [...shown.slice(0, half).map(text), `… ${shown.length - MOST_SHOWN} more …`, ...shown.slice(-half).map(text)];
}

const HOLD_TEXTS = {
  late: 'begins no earlier than after the end of what it comes after',
  alone: 'begins only when the grid launched before it has ended',
  split: 'finds room for some of its blocks only',
} as const satisfies Record<Hold['what'], string>;

/** A deadlock as it is told. */
export function exploredDeadlock({ node, step, holds }: Deadlock, nodes: readonly Node[], places: Places): Explored {
  const place = places.of(node);
  const what =
    step.do === 'await'
      ? `for flag "${step.flag}" to be ${step.value}`
      : step.do === 'meet'
        ? `for the other members of collective ${step.meeting.sequence + 1} of group "${step.meeting.group}"`
        : step.do === 'gridBarrier'
          ? 'for all blocks of its grid'
          : 'at a barrier of its block';
  const held = holds.map(({ node: id, what: how }) => ({ how, place: places.of(nodes[id] as Node) }));
  const why = held.map(({ how, place: of }) => `"${of.name}" ${HOLD_TEXTS[how]}`);
  return {
    ...{ kind: 'deadlock', seed: seedText({ kind: 'hold', holds }), accesses: [], count: 1 },
    places: [place, ...held.map((each) => each.place)],
    schedule: why,
    text: `"${place.name}" at ${placeText(place)} waits ${what} for ever${
      why.length === 0 ? ', in every schedule' : ` where ${why.join(', and ')}`
    }`,
  };
}
