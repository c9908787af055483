import { isOfAllocator } from '../program/access.ts';
import type { Node } from '../program/nodes.ts';
import type { Race } from './race-finder.ts';

/** Why nothing orders two accesses. */
export type Cause =
  | 'free-in-use'
  | 'use-before-allocation'
  | 'host-threads'
  | 'host-access'
  | 'no-wait'
  | 'role-without-wait'
  | 'read-before-wait'
  | 'write-before-wait'
  | 'non-coherent-load'
  | 'after-trigger'
  | 'transitive'
  | 'programmatic-event'
  | 'unordered-threads'
  | 'graph-edge'
  | 'allocator-reuse'
  | 'use-before-copy'
  | 'cross-device'
  | 'cross-stream';

export interface Explained {
  readonly cause: Cause;
  /** For a transitive hazard: the kernel between that does not wait. */
  readonly between?: Node;
  /** The primary that the second kernel may overlap, where the first is further back. */
  readonly primary?: Node;
}

/** What is missing between the two accesses of a race. */
export function causeOf({ first, second }: Race, nodes: readonly Node[]): Explained {
  const modes = [first.access, second.access];
  const a = first.node;
  const b = second.node;
  if (modes.some((access) => access.mode === 'free')) return { cause: 'free-in-use' };
  if (modes.some(isOfAllocator)) return { cause: 'use-before-allocation' };
  if (a.kind === 'host' || b.kind === 'host') {
    return { cause: a.kind === b.kind ? 'host-threads' : 'host-access' };
  }
  const early = earlyLaunch(first, second, nodes);
  if (early !== undefined) return early;
  if (isSameLaunch(a, b)) return { cause: 'graph-edge' };
  if (a.timeline === b.timeline && a.site.thread !== b.site.thread) return { cause: 'unordered-threads' };
  if (first.access.buffer.name !== second.access.buffer.name) return { cause: 'allocator-reuse' };
  const isFilled = (one: Race['first'], other: Race['first']): boolean =>
    one.node.kind === 'copy' && one.access.mode === 'write' && other.access.mode === 'read';
  if (isFilled(first, second)) return { cause: 'use-before-copy' };
  return { cause: a.device === b.device ? 'cross-stream' : 'cross-device' };
}

function isSameLaunch({ site: a }: Node, { site: b }: Node): boolean {
  return a.of !== undefined && b.of !== undefined && a.thread === b.thread && a.call === b.call;
}

/** The cause where the second kernel may begin before the first has ended. */
function earlyLaunch(
  { node: a }: Race['first'],
  second: Race['second'],
  nodes: readonly Node[],
): Explained | undefined {
  const b = second.node;
  const path = programmaticPath(a, b, nodes);
  if (path === undefined) {
    if (!b.begin.some(({ node, at }) => node === a.id && at !== 'end')) return undefined;
    // Of its own stream it would be the primary, but for another thread's launch that may come between.
    return { cause: a.timeline === b.timeline && a.site.of === undefined ? 'unordered-threads' : 'programmatic-event' };
  }
  const [primary = a] = path;
  const { role, phase = 0, nonCoherent, mode } = second.access;
  const steps = b.code.roles.find(({ name }) => name === role)?.steps ?? [];
  const at = steps.findIndex((step) => step.do === 'access' && step.access === second.access);
  const isAfterOwnWait = steps.slice(0, at).some((step) => step.do === 'wait');
  const wait = steps.findIndex((step) => step.do === 'wait');
  if (!isAfterOwnWait) {
    const cause = (): Cause => {
      if (!b.code.waits) return 'no-wait';
      if (wait < 0) return 'role-without-wait';
      if (nonCoherent && phase > 0) return 'non-coherent-load';
      return mode === 'read' ? 'read-before-wait' : 'write-before-wait';
    };
    return primary === a ? { cause: cause() } : { cause: cause(), primary };
  }
  const between = path.find((node) => node !== a && !node.code.waits);
  if (between !== undefined) return { cause: 'transitive', between };
  return { cause: 'after-trigger' };
}

/** From the second kernel's primary back to the first kernel, over edges that a wait covers; undefined if there is no path. */
function programmaticPath(a: Node, b: Node, nodes: readonly Node[]): Node[] | undefined {
  const from = new Map<number, number>();
  const pending = [b.id];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    for (const { node } of nodes[id]?.wait ?? []) {
      if (from.has(node) || node < a.id) continue;
      from.set(node, id);
      if (node !== a.id) {
        pending.push(node);
        continue;
      }
      const path: Node[] = [];
      for (let at = a.id; at !== b.id; at = from.get(at) as number) path.unshift(nodes[at] as Node);
      return path;
    }
  }
  return undefined;
}
