import { runSequential } from '@griddep/engine';
import { type PholdOptions, phold } from '@griddep/engine/examples';
import { evenShards, pholdModel } from '@griddep/engine/examples/phold';
import { runSharded } from '@griddep/engine/parallel';
import { barePhold } from './bare-phold.ts';
import type { BenchCase, BenchSuite } from './suite.ts';

/** The standard size: 16 events each, a quarter of them to others. */
const STANDARD: Partial<PholdOptions> = { actors: 1024, remote: 0.25 };
/** Long enough that starting threads is little of it, ps. */
const LONG = 4_000_000;

/**
 * Events of PHOLD handled in a second: by a bare loop over the engine's queue, by the executor, and by shards in threads.
 * Then by the share of events that are messages.
 */
export const pholdSuite: BenchSuite = {
  name: 'phold',
  unit: 'events/s',
  *groups() {
    const options = { ...STANDARD, end: LONG };
    yield {
      name: '1024 actors, 16 events each, 25 % remote',
      time: 3000,
      cases: [
        sequential('sequential', options),
        { ...sequential('bare loop', options), run: () => void barePhold(options) },
        sharded(2, options),
        sharded(3, options),
      ],
    };
    for (const actors of [64, 1024]) {
      const end = 200_000_000 / actors;
      yield {
        name: `${actors} actors, 16 events each`,
        cases: [0, 0.25, 1].map((remote) => sequential(`${remote * 100} % remote`, { actors, remote, end })),
      };
    }
  },
};

function sequential(name: string, options: Partial<PholdOptions>): BenchCase {
  return {
    name,
    items: runSequential(phold(options)).events,
    run() {
      runSequential(phold(options));
    },
  };
}

function sharded(shards: number, options: Partial<PholdOptions>): BenchCase {
  const { items } = sequential('', options);
  const dealt = evenShards(options.actors ?? 0, shards);
  return {
    name: `${shards} workers`,
    items,
    async run() {
      await runSharded(pholdModel(options), { shards: dealt });
    },
  };
}
