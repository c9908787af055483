import { spin, trigger, wait } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { run, small } from './rules.fixture.ts';

const KERNELS = {
  plain: small([spin('10us')]),
  triggers: small([spin('3us'), trigger(), spin('20us')]),
  waits: small([spin('2us'), wait(), spin('5us')]),
  both: small([trigger(), spin('2us'), wait(), spin('5us')]),
  crowd: { grid: 3000, block: 512, phases: [trigger(), spin('4us')] },
} as const;
const EDGES = [
  { fromPort: 'default', type: 'full' },
  { fromPort: 'programmatic', type: 'programmatic' },
  { fromPort: 'launchCompletion', type: 'programmatic' },
  { fromPort: 'launchCompletion', type: 'full' },
] as const;

const node = fc.record({
  kernel: fc.constantFrom(...(Object.keys(KERNELS) as (keyof typeof KERNELS)[])),
  /** For each earlier node, the kind of the edge from it, or none. */
  edges: fc.array(fc.option(fc.constantFrom(...EDGES), { freq: 2 }), { minLength: 6, maxLength: 6 }),
});

it('4.1 to 4.3, 4.7, 4.9 in any graph each edge holds what its port and type say, in each launch', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 7 }), (nodes) => {
      const edges = nodes.flatMap((n, to) =>
        n.edges.slice(0, to).flatMap((edge, from) => (edge === null ? [] : [{ from, to, ...edge }])),
      );
      const { of, timeline } = run((host, p) => {
        for (const [name, kernel] of Object.entries(KERNELS)) p.kernel(name, kernel);
        p.graph(
          'g',
          nodes.map(({ kernel }, i) => ({ id: `n${i}`, call: { launchKernel: { kernel, stream: 's' } } })),
          edges.map(({ from, to, ...data }) => ({ from: `n${from}`, to: `n${to}`, ...data })),
        );
        host.graphInstantiate('g', 'x');
        host.graphLaunch('x', 's', { label: 'one' });
        host.graphLaunch('x', 't', { label: 'two' });
      });
      expect([...timeline.errors, ...timeline.stuck]).toEqual([]);
      for (const launch of ['one', 'two']) {
        const at = (i: number): Operation => of(`${launch}/n${i}`);
        for (const { from, to, fromPort, type } of edges) {
          const [before, after] = [at(from), at(to)];
          expect(after.start).toBeGreaterThanOrEqual(reached(before, fromPort));
          const hasWait = KERNELS[nodes[to]?.kernel ?? 'plain'].phases.some(({ op }) => op === 'wait');
          if (type === 'programmatic' && hasWait) expect(after.firstRelease).toBeGreaterThan(before.completion);
          // A grid completes after those that it depends on by programmatic edges, though it may have ended before.
          if (type === 'programmatic') expect(after.completion).toBeGreaterThanOrEqual(before.completion);
        }
      }
      const ends = nodes.map((_, i) => of(`one/n${i}`).completion);
      const starts = nodes.map((_, i) => of(`two/n${i}`).start);
      expect(Math.min(...starts)).toBeGreaterThan(Math.max(...ends));
    }),
    { numRuns: 60 },
  );
});

/** When an edge from a port is satisfied: all blocks have triggered or ended, or have started, or the grid is complete. */
function reached(operation: Operation, fromPort: (typeof EDGES)[number]['fromPort']): number {
  if (fromPort === 'default') return operation.completion;
  if (fromPort === 'launchCompletion') return operation.lastStart;
  return Number.isNaN(operation.lastTrigger) ? operation.end : operation.lastTrigger;
}
