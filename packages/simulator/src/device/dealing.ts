import type { Grid } from './grid.ts';
import type { SmGroup } from './residency.ts';

/** Blocks that behave alike and the SMs of one group that they go to, both in order. */
export interface Deal {
  readonly sms: number[];
  readonly blocks: number[];
}

/**
 * Deals the next blocks of a grid, `most` at the most, one to each SM of some groups in order of SM index; blocks that
 * behave alike stay together.
 */
export function deal(grid: Grid, groups: readonly SmGroup[], most: number): Map<SmGroup, Iterable<Deal>> {
  const slots = slotsInOrder(groups);
  const { period } = grid.body;
  const n = Math.min(most, grid.unplaced, slots.length);
  const first = grid.nextBlock;
  grid.nextBlock += n;
  const dealt = new Map<SmGroup, Map<number, Deal>>();
  for (let i = 0; i < n; i++) {
    const slot = slots[i] as number;
    const sm = Math.floor(slot / groups.length);
    const group = groups[slot % groups.length] as SmGroup;
    let parts = dealt.get(group);
    if (parts === undefined) {
      parts = new Map();
      dealt.set(group, parts);
    }
    const residue = period === 1 ? 0 : (first + i) % period;
    const part = parts.get(residue);
    if (part === undefined) parts.set(residue, { sms: [sm], blocks: [first + i] });
    else {
      part.sms.push(sm);
      part.blocks.push(first + i);
    }
  }
  return new Map([...dealt].map(([group, parts]) => [group, parts.values()]));
}

/** SMs of several groups in ascending order, each as SM times the number of groups plus the group's index. */
function slotsInOrder(groups: readonly SmGroup[]): Int32Array {
  let size = 0;
  for (const { sms } of groups) size += sms.length;
  const slots = new Int32Array(size);
  let at = 0;
  groups.forEach(({ sms }, g) => {
    for (const sm of sms) slots[at++] = sm * groups.length + g;
  });
  return slots.sort();
}
