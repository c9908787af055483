import type { DeviceLimits } from '@griddep/machine';
import type { KernelBody } from './body.ts';
import type { Division } from './division.ts';
import { SmGroup } from './residency.ts';
import type { Obstacle } from './sm-resources.ts';
import type { Clock } from './unit-context.ts';

/** The SMs of a device as groups: who has room, and how groups are divided and joined. */
export class SmGroups {
  private readonly limits: DeviceLimits;
  private readonly division: Division;
  private readonly all: Uint16Array;
  private groups: SmGroup[];

  /** `apart` makes every SM a group of its own. */
  constructor(limits: DeviceLimits, division: Division, apart: boolean) {
    this.limits = limits;
    this.division = division;
    const all = Uint16Array.from({ length: limits.sms }, (_, sm) => sm);
    this.all = all;
    this.groups = apart ? Array.from(all, (sm) => new SmGroup(all.subarray(sm, sm + 1))) : [new SmGroup(all)];
  }

  /** Blocks of a kernel that fit now, over all SMs. */
  room(body: KernelBody): number {
    let room = 0;
    for (const { resources, sms } of this.groups) room += resources.fits(body, this.limits) * sms.length;
    return room;
  }

  /** The groups, among those with room for a block, whose SMs hold the fewest warps. */
  leastLoaded(body: KernelBody): SmGroup[] {
    let fewest = Number.POSITIVE_INFINITY;
    let chosen: SmGroup[] = [];
    for (const group of this.groups) {
      const { warps } = group.resources;
      if (warps > fewest || !this.hasRoom(group, body)) continue;
      if (warps < fewest) {
        fewest = warps;
        chosen = [];
      }
      chosen.push(group);
    }
    return chosen;
  }

  /** Groups that took a block of an operation in this instant, last of all, and have room for another. */
  filledNow(op: number, body: KernelBody, now: number): SmGroup[] {
    return this.groups.filter((g) => g.lastFill === now && g.lastOp === op && this.hasRoom(g, body));
  }

  /** What keeps a block off SMs, with the number of SMs. */
  obstacles(body: KernelBody): Map<Obstacle, number> {
    const obstacles = new Map<Obstacle, number>();
    for (const { resources, sms } of this.groups) {
      const obstacle = resources.obstacle(body, this.limits);
      if (obstacle !== undefined) obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + sms.length);
    }
    return obstacles;
  }

  /** Takes SMs, not all of them, out of a group, which is gone afterwards. */
  carve(group: SmGroup, sms: Uint16Array, clock: Clock): { part: SmGroup; rest: SmGroup } {
    const { part, rest } = this.division.divide(group, sms, clock);
    this.groups[this.groups.indexOf(group)] = part;
    this.groups.push(rest);
    return { part, rest };
  }

  /** Makes one group of those that are alike: empty, and nothing of what they ran before matters any more. */
  merge(alike: (group: SmGroup) => boolean): void {
    if (this.groups.length === 1) return;
    const empty: SmGroup[] = [];
    const kept: SmGroup[] = [];
    for (const group of this.groups) (alike(group) ? empty : kept).push(group);
    if (empty.length < 2) return;
    kept.push(new SmGroup(kept.length === 0 ? this.all : union(empty, this.limits.sms)));
    this.groups = kept;
  }

  private hasRoom(group: SmGroup, body: KernelBody): boolean {
    return group.resources.obstacle(body, this.limits) === undefined;
  }
}

/** The SMs of several groups, ascending. */
function union(groups: readonly SmGroup[], total: number): Uint16Array {
  const member = new Uint8Array(total);
  for (const { sms } of groups) for (const sm of sms) member[sm] = 1;
  const sms: number[] = [];
  for (let sm = 0; sm < total; sm++) if (member[sm] === 1) sms.push(sm);
  return Uint16Array.from(sms);
}
