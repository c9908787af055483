import { machineByName } from '@griddep/machine';
import { programBuilder } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateParallel } from './parallel/simulate-parallel.ts';
import { simulate } from './simulate.ts';
import { findCycle } from './stuck-report.ts';

/** Two devices that call two collectives in opposite orders. */
function crossed() {
  const p = programBuilder('crossed');
  for (const [d, order] of [
    ['x', 'y'],
    ['y', 'x'],
  ].entries()) {
    p.stream(`s${d}`, { device: d, kind: 'nonBlocking' });
    const host = p.hostThread(`rank${d}`, { device: d });
    for (const group of order) host.collective('allReduce', group, '1MiB', `s${d}`, { label: `${group}${d}` });
    host.deviceSynchronize();
  }
  return p.build();
}

describe('a run that can never finish', () => {
  const cycle = 'cycle: "x0" waits for "x1" waits for "y1" waits for "y0" waits for "x0"';

  it('is reported with the cycle of what waits', () => {
    expect(simulate(crossed(), machineByName('h200x2')).stuck.at(-1)).toBe(cycle);
  });

  it('is reported alike from threads', async () => {
    const { timeline } = await simulateParallel(crossed(), machineByName('h200x2'), { workers: 2 });
    expect(timeline.stuck.at(-1)).toBe(cycle);
  });
});

describe('findCycle', () => {
  const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 });

  it('finds a cycle exactly where there is one, along edges', () => {
    fc.assert(
      fc.property(graph, (lists) => {
        const edges = new Map(lists.map((to, from) => [from, to] as const));
        const cycle = findCycle(edges);
        if (cycle === undefined) {
          // Nodes whose edges all lead to nodes that are gone can be taken away until none is left.
          const left = new Map(edges);
          for (let before = -1; before !== left.size; ) {
            before = left.size;
            for (const [node, to] of left) if (!to.some((t) => left.has(t))) left.delete(node);
          }
          expect(left.size).toBe(0);
          return;
        }
        for (const [i, node] of cycle.entries()) {
          expect(edges.get(node)).toContain(cycle[(i + 1) % cycle.length]);
        }
      }),
    );
  });
});
