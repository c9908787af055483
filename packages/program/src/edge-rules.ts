import type { GraphEdge } from './program.ts';

/** What is wrong with an edge, and in which of its fields. */
export interface EdgeProblem {
  readonly problem: string;
  readonly field: 'fromPort' | 'type';
}

/**
 * The first thing about an edge's port and type that rules 4.2 and 4.3 forbid, or undefined. `isKernel` says of a node's
 * id whether it is a kernel.
 */
export function edgeProblem(
  { from, to, fromPort, type }: GraphEdge,
  isKernel: (id: string) => boolean,
): EdgeProblem | undefined {
  if (type === 'programmatic' && !(isKernel(from) && isKernel(to))) {
    return { problem: 'a programmatic edge joins two kernel nodes (rule 4.2)', field: 'type' };
  }
  if (type === 'programmatic' && fromPort === 'default') {
    return { problem: 'a programmatic edge has port programmatic or launchCompletion (rule 4.2)', field: 'fromPort' };
  }
  if (fromPort === 'programmatic' && type !== 'programmatic') {
    return { problem: 'port programmatic needs type programmatic (rule 4.3)', field: 'type' };
  }
  if (fromPort !== 'default' && !isKernel(from)) {
    return { problem: `only a kernel node has port ${fromPort} (rule 4.3)`, field: 'fromPort' };
  }
  return undefined;
}
