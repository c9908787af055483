import type { ExecutableGraph, ExecutableNode, NodeWork } from './commands.ts';
import { recordOf } from './event-calls.ts';
import type { RuntimeStream } from './issued.ts';
import type { ProcessState } from './process-state.ts';

/**
 * A graph as one launch of it runs, with what its event nodes stand for (rules 5.4, 5.23): waits are for the newest
 * record at the time of the launch; the records then replace it.
 */
export function withEvents(
  state: ProcessState,
  graph: ExecutableGraph,
  op: number,
  stream: RuntimeStream,
): ExecutableGraph {
  if (!graph.nodes.some(({ work }) => ofEvents(work))) return graph;
  const nodes = graph.nodes.map((node): ExecutableNode => {
    if (node.work.type !== 'wait') return node;
    const awaited = state.event(node.work.event);
    return { ...node, work: { ...node.work, on: recordOf(state, awaited), milestone: awaited.milestone } };
  });
  for (const [i, { work }] of nodes.entries()) {
    if (work.type !== 'record') continue;
    const record = { op: op + 1 + i, stream: stream.index, inGraph: true };
    Object.assign(state.event(work.event), record, { milestone: 'complete', captured: undefined });
  }
  return { ...graph, nodes };
}

function ofEvents(work: NodeWork): boolean {
  return work.type === 'record' || work.type === 'wait';
}
