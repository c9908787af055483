import type { ExecutableGraph, ExecutableNode, NodeWork } from './commands.ts';
import type { DeviceRules } from './launch-rules.ts';

/** cudaGraphExecUpdateResult: why an executable cannot become a graph (rule 4.10), as driver_types.h numbers it. */
export const UPDATE_RESULTS = {
  error: 1,
  topologyChanged: 2,
  nodeTypeChanged: 3,
  functionChanged: 4,
  parametersChanged: 5,
  notSupported: 6,
  unsupportedFunctionChange: 7,
  attributesChanged: 8,
} as const;
type UpdateResult = keyof typeof UPDATE_RESULTS;

/**
 * Why an executable cannot be updated to a graph, undefined if it can: parameters may change, the shape may not. `graph`
 * is undefined for one that could not be instantiated.
 */
export function updateProblem(
  made: ExecutableGraph,
  graph: ExecutableGraph | undefined,
  devices: readonly DeviceRules[],
): UpdateResult | undefined {
  if (graph === undefined) return 'error';
  if (shapeOf(made) !== shapeOf(graph)) return 'topologyChanged';
  for (const [i, before] of made.nodes.entries()) {
    const problem = nodeProblem(before, graph.nodes[i] as ExecutableNode, devices);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nodeProblem(
  before: ExecutableNode,
  after: ExecutableNode,
  devices: readonly DeviceRules[],
): UpdateResult | undefined {
  if (before.work.type !== after.work.type) return 'nodeTypeChanged';
  // Nodes of allocations keep the addresses that they were instantiated with.
  if (before.work.type === 'empty' && before.work.allocation === true) return 'notSupported';
  const moved = before.device !== after.device;
  if (before.work.type === 'kernel' && after.work.type === 'kernel') {
    if (moved) return 'unsupportedFunctionChange';
    const changes = before.work.kernel !== after.work.kernel;
    if (changes && devices[before.device]?.functionUpdate === false) return 'functionChanged';
    return attributesOf(before.work) === attributesOf(after.work) ? undefined : 'attributesChanged';
  }
  if (moved) return 'parametersChanged';
  return fixedParameters(before.work) === fixedParameters(after.work) ? undefined : 'parametersChanged';
}

/** Attributes of a kernel's node that stay as they are. */
function attributesOf({ cooperative, cluster, deviceUpdatable }: Extract<NodeWork, { type: 'kernel' }>): string {
  return JSON.stringify([cooperative, cluster ?? null, deviceUpdatable ?? false]);
}

/** What of a node's parameters stays as it is: the sides of a copy, the members of a collective. */
function fixedParameters(work: NodeWork): string {
  if (work.type === 'copy') return JSON.stringify([work.copy, work.sourceDevice, work.destinationDevice]);
  if (work.type === 'collective') return JSON.stringify(work.rendezvous.ranks);
  return '';
}

function shapeOf({ nodes }: ExecutableGraph): string {
  return JSON.stringify(nodes.map(({ edges }) => edges));
}
