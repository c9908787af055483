import type { Access } from '../program/access.ts';
import type { Node } from '../program/nodes.ts';
import type { Group } from './group.ts';
import type { Readings } from './readings.ts';

/** By which the relation is judged: full completion at a wait, or only what stood before the trigger (conflict C1). */
export type Judged = 'contract' | 'strict';

/** An access as it happens: what is known then, and by what others may know of it. */
export interface Happening {
  readonly access: Access;
  readonly node: Node;
  readonly known: Readings;
  readonly group: Group;
}

/** How far a node has come. */
export interface Progress {
  begin?: Readings;
  trigger?: Readings;
  end?: Readings;
  /** Under the strict reading, what a wait of a dependent lets know. */
  beforeTrigger?: Readings;
}
