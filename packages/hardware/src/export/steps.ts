import type { Call, Program } from '@griddep/program';
import { Captures } from './captures.ts';

/** Where a call stands: in a thread, or as a node of a graph made by hand. */
export interface Place {
  /** `thread:index`, or `graph/node`. */
  readonly id: string;
  readonly call: Call;
  readonly label: string | undefined;
}

/** A call that is carried out, on its own or by a launch of the graph that holds it. */
export interface Step extends Place {
  /** Label of the graph's launch. */
  readonly launch?: string;
}

/** All calls of a thread in the order in which they are carried out: those of a graph at each of its launches. */
export function stepsOf(program: Program, thread: number): Step[] {
  const { calls } = program.threads[thread] as Program['threads'][number];
  const steps: Step[] = [];
  const graphs = new Map<string, readonly Place[]>();
  const executables = new Map<string, readonly Place[]>();
  for (const graph of program.graphs.values()) {
    const nodes = graph.nodes.map(({ id, call }) => ({ id: `${graph.name}/${id}`, call, label: id }));
    graphs.set(graph.name, nodes);
  }
  const captures = new Captures();
  let captured: Place[] = [];
  for (let i = 0; i < calls.length; i++) {
    const call = calls.at(i);
    const place = { id: `${thread}:${i}`, call, label: calls.label(i) };
    if (captures.follow(call)) {
      captured.push(place);
      continue;
    }
    switch (call.kind) {
      case 'streamEndCapture':
        graphs.set(call.graph, captured);
        captured = [];
        break;
      case 'graphInstantiate':
      case 'graphExecUpdate':
        executables.set(call.executable, graphs.get(call.graph) ?? []);
        break;
      case 'graphLaunch':
        for (const node of executables.get(call.executable) ?? []) steps.push({ ...node, launch: place.label ?? '' });
        break;
      default:
        steps.push(place);
    }
  }
  return steps;
}
