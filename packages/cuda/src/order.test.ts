import type { HostThreadBuilder } from '@griddep/program';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { command, type Played, play } from './runtime.fixture.ts';

/** Direct predecessors of each item; items are numbered from 0, and come after those that precede them. */
type Predecessors = readonly (readonly number[])[];

/** For each item, all that come before it by way of others. */
function closure(direct: Predecessors): Set<number>[] {
  const before: Set<number>[] = [];
  for (const [i, predecessors] of direct.entries()) {
    const all = new Set(predecessors.flatMap((p) => [p, ...(before[p] ?? [])]));
    before[i] = all;
  }
  return before;
}

/** What each operation of calls comes after: its stream's, its orders', and the event's that it waits for. */
function enqueuedOrder({ issued }: Played): Predecessors {
  const position = new Map(issued.map(({ op }, i) => [op, i]));
  const newest = new Map<number, number>();
  return issued.map(({ commands }, i) => {
    const only = commands[0]?.command;
    if (only === undefined) return [];
    const before = only.after.map(({ op }) => position.get(op) as number);
    const previous = newest.get(only.stream);
    if (previous !== undefined) before.push(previous);
    if (only.type === 'wait' && only.on !== undefined) before.push(position.get(only.on.op) as number);
    newest.set(only.stream, i);
    return before;
  });
}

const STREAMS = ['a', 'b', 'n', 'own', 'legacy'] as const;

test('5.1, 5.2 any launches are ordered by their streams, and by the legacy stream with blocking ones, and not else', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STREAMS), { maxLength: 30 }), (streams) => {
      const order = closure(
        enqueuedOrder(
          play((host) => {
            for (const stream of streams) host.launchKernel('k', stream);
          }),
        ),
      );
      const synchronises = (x: string, y: string) => x === y || ([x, y].includes('legacy') && x !== 'n' && y !== 'n');
      const expected = streams.map((stream, i) =>
        [...streams.keys()].filter((j) => j < i && synchronises(stream, streams[j] as string)),
      );
      expect(order).toEqual(closure(expected));
    }),
  );
});

/** A launch, a record, or a wait for an event that has been recorded. */
type Step = { readonly what: 'launch' | 'record' | 'wait'; readonly stream: number; readonly event: number };
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('launch', 'launch', 'record', 'wait'),
  stream: fc.nat(2),
  event: fc.nat(1),
});

/** Performs steps in streams that all come after a first record in `a`, and before what follows a last wait in `a`. */
function perform(host: HostThreadBuilder, steps: readonly Step[]): void {
  const streams = ['a', 'b', 'n'] as const;
  const events = ['e', 'f'] as const;
  host.eventRecord('u', 'a');
  for (const stream of ['b', 'n']) host.streamWaitEvent(stream, 'u');
  const recorded = new Set<string>();
  for (const [i, { what, stream: s, event: e }] of steps.entries()) {
    const stream = streams[s] as string;
    const event = events[e] as string;
    if (what === 'launch') host.launchKernel('k', stream, {}, { label: `${i}` });
    else if (what === 'record') {
      host.eventRecord(event, stream);
      recorded.add(event);
    } else if (recorded.has(event)) host.streamWaitEvent(stream, event);
  }
  for (const stream of ['b', 'n']) {
    host.eventRecord('v', stream);
    host.streamWaitEvent('a', 'v');
  }
}

test('5.4, 5.20 what is captured is ordered as it is when it is enqueued, whatever events join the streams', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const eager = play((host) => perform(host, steps));
      const order = closure(enqueuedOrder(eager));
      const launches = [...eager.issued.keys()].filter((i) => eager.issued[i]?.commands[0]?.command.type === 'kernel');
      const enqueued = launches.map((i) => launches.filter((j) => order[i]?.has(j)).map((j) => launches.indexOf(j)));

      const replayed = play((host) => {
        host.streamBeginCapture('a', 'relaxed');
        perform(host, steps);
        host.streamEndCapture('a', 'g');
        host.graphInstantiate('g', 'x');
        host.graphLaunch('x', 'a');
      });
      expect(replayed.codes.every((code) => code === 0)).toBe(true);
      const { nodes } = command(replayed, -1, 'graph').graph;
      const captured = closure(nodes.map(({ edges }) => edges.map(({ from }) => from)));
      expect(captured.map((before) => [...before].sort((x, y) => x - y))).toEqual(enqueued);
    }),
  );
});

const NODES = ['w', 'x', 'y', 'z'] as const;
const change = fc.record({
  what: fc.constantFrom('add', 'add', 'remove'),
  from: fc.constantFrom(...NODES),
  to: fc.constantFrom(...NODES),
  type: fc.constantFrom('full' as const, 'programmatic' as const),
});

test('4.5, 4.6 any changes of edges do what they say, or are refused and change nothing', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      const edges = new Set<string>();
      const expected: number[] = [];
      for (const { what, from, to, type } of changes) {
        const edge = `${from} ${to} ${type}`;
        const fits = what === 'add' ? from !== to && !edges.has(edge) : edges.has(edge);
        expected.push(fits ? 0 : 1);
        if (fits && what === 'add') edges.add(edge);
        if (fits && what === 'remove') edges.delete(edge);
      }
      const played = play((host, program) => {
        const call = { launchKernel: { kernel: 'k', stream: 'a' } };
        program.graph(
          'g',
          NODES.map((id) => ({ id, call })),
        );
        for (const { what, from, to, type } of changes) {
          if (what === 'add') host.graphAddDependencies('g', from, to, { type });
          else host.graphRemoveDependencies('g', from, to, { type });
        }
        host.graphGetEdges('g');
        host.graphInstantiate('g', 'run');
        host.graphLaunch('run', 'a');
      });
      expect(played.codes.slice(0, changes.length)).toEqual(expected);
      const lossy = [...edges].some((edge) => edge.endsWith('programmatic'));
      expect(played.codes[changes.length]).toBe(lossy ? 402 : 0);
      const instantiated = played.codes[changes.length + 1] === 0;
      expect(instantiated).toBe(!hasCycle([...edges].map((edge) => edge.split(' ') as [string, string])));
      if (!instantiated) return;
      const { nodes } = command(played, -1, 'graph').graph;
      const launched = nodes.flatMap(({ id, edges: into }) =>
        into.map((e) => `${nodes[e.from]?.id} ${id} ${e.programmatic ? 'programmatic' : 'full'}`),
      );
      expect(new Set(launched)).toEqual(edges);
      for (const [i, node] of nodes.entries()) expect(node.edges.every(({ from }) => from < i)).toBe(true);
    }),
  );
});

/** Whether nodes are left when all without an edge into them are taken away again and again. */
function hasCycle(edges: readonly (readonly [from: string, to: string])[]): boolean {
  let left = edges;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter(([from]) => left.some(([, to]) => to === from));
  }
  return left.length > 0;
}
