import { runSequential } from '@griddep/engine';
import { type PholdOptions, phold } from '@griddep/engine/examples';
import type { BenchCase, BenchSuite } from './suite.ts';

/** Events of PHOLD handled in a second by the executor, by the share of them that are messages. */
export const pholdSuite: BenchSuite = {
  name: 'phold',
  unit: 'events/s',
  *groups() {
    for (const actors of [64, 1024]) {
      const end = 200_000_000 / actors;
      yield {
        name: `${actors} actors, 16 events each`,
        cases: [0, 0.25, 1].map((remote) => model(`${remote * 100} % remote`, { actors, remote, end })),
      };
    }
  },
};

function model(name: string, options: Partial<PholdOptions>): BenchCase {
  return {
    name,
    items: runSequential(phold(options)).events,
    run() {
      runSequential(phold(options));
    },
  };
}
