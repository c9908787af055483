import type { Node } from '../program/nodes.ts';
import type { Step } from '../program/steps.ts';
import { Group, type OpenGroup } from './group.ts';
import type { Readings } from './readings.ts';

/** One role of a node as it goes on. */
export interface RoleRun {
  readonly index: number;
  readonly steps: readonly Step[];
  at: number;
  known: Readings;
  open: OpenGroup | undefined;
  hasTriggered: boolean;
}

/** A node that has begun and not ended. */
export class NodeRun {
  readonly node: Node;
  readonly begin: Readings;
  readonly roles: readonly RoleRun[];
  readonly groups: OpenGroup[] = [];
  /** What a wait instruction lets know, once one has returned. */
  waited: Readings | undefined;
  /** The first triggers of its roles so far. */
  triggers = 0;

  constructor(node: Node, begin: Readings) {
    this.node = node;
    this.begin = begin;
    this.roles = node.code.roles.map(({ steps }, index) => {
      return { index, steps, at: 0, known: begin, open: undefined, hasTriggered: false };
    });
  }

  get isOver(): boolean {
    return this.roles.every(({ at, steps }) => at >= steps.length);
  }

  /** The group that an access of a role goes into. */
  groupOf(role: RoleRun): Group {
    if (role.open === undefined) {
      role.open = { group: new Group(this.node.id), role: role.index, fenced: 'none', isMet: false, before: 0 };
      this.groups.push(role.open);
    }
    return role.open.group;
  }

  /** What stands before a fence of a role in its order, or before a barrier before it, is fenced (rules 1.6, 1.7). */
  fence(role: RoleRun, scope: 'device' | 'system'): void {
    for (const group of this.groups) {
      if (group.role !== role.index && !group.isMet) continue;
      if (group.fenced !== 'system') group.fenced = scope;
    }
    role.open = undefined;
  }

  /** All warps of the block have come to a barrier. */
  meet(known: Readings): void {
    for (const group of this.groups) group.isMet = true;
    for (const role of this.roles) {
      if (role.at >= role.steps.length) continue;
      role.known = known;
      role.open = undefined;
      role.at += 1;
    }
  }

  /** A role comes to its first trigger. */
  trigger(role: RoleRun): void {
    this.triggers += 1;
    role.hasTriggered = true;
    for (const group of this.groups) if (group.role === role.index || group.isMet) group.before += 1;
    role.open = undefined;
  }
}
