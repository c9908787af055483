import type { Call, Kernel } from '@griddep/program';
import type { Code } from './steps.ts';

/** How far something must have come: complete and flushed, all blocks triggered or exited, all blocks begun. */
export type Reach = 'end' | 'trigger' | 'start';

/** What must have happened before. */
export interface Need {
  readonly node: number;
  readonly at: Reach;
  /** An H200 does so, the contract does not promise it. */
  readonly hardwareOnly?: true;
}

/** Where something comes from: a call of a host thread, and for a node of a graph the launch beside what it was made of. */
export interface Site {
  readonly thread: number;
  /** Index among the thread's calls. */
  readonly call: number;
  /** The captured call, or the node of a graph made by hand. */
  readonly of?: { readonly thread: number; readonly call: number } | { readonly graph: string; readonly node: string };
}

export type NodeKind =
  | 'host'
  | 'join'
  | 'kernel'
  | 'copy'
  | 'memset'
  | 'pool'
  | 'collective'
  | 'hostFunction'
  /** A flag that a stream awaits, or raises. */
  | 'value';

/** What a device may carry out one by one, in order of the calls of a host thread (rules 5.11, 5.13). */
export const IN_QUEUES: ReadonlySet<NodeKind> = new Set(['kernel', 'collective', 'value']);

/**
 * Something that happens, and what the program says must have happened before: all of it before its begin, and the
 * ends of `wait` before a wait instruction returns. Joins and host nodes are over at once.
 */
export interface Node {
  readonly id: number;
  readonly kind: NodeKind;
  readonly site: Site;
  readonly code: Code;
  readonly begin: readonly Need[];
  readonly wait: readonly Need[];
  /** Timeline that its accesses lie on: a stream's, or a host thread's. */
  readonly timeline: number;
  readonly device: number;
  readonly kernel?: Kernel;
  readonly call?: Call;
  readonly triggerAtStart: boolean;
  readonly cooperative: boolean;
}

/** Records and waits of events order others, and do nothing else. */
export function kindOfWork(
  type: Exclude<NodeKind, 'value'> | 'record' | 'wait' | 'waitValue' | 'writeValue',
): NodeKind {
  if (type === 'waitValue' || type === 'writeValue') return 'value';
  return type === 'record' || type === 'wait' ? 'join' : type;
}
