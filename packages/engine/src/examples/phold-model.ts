import type { ActorId } from '../actor.ts';
import type { ShardedModel } from '../parallel/model.ts';
import { moduleUrl } from '../parallel/module-url.ts';
import { PHOLD_DEFAULTS, type PholdOptions } from './phold.ts';

/** PHOLD for `runSharded`. */
export function pholdModel(options: Partial<PholdOptions> = {}): ShardedModel {
  const all = { ...PHOLD_DEFAULTS, ...options };
  return {
    module: moduleUrl('@griddep/engine/examples/phold-actors'),
    data: all,
    names: Array.from({ length: all.actors }, (_, id) => `process ${id}`),
    shapes: [{ type: 'job', numbers: [] }],
    lookahead: () => all.lookahead,
  };
}

/** Process ids dealt onto shards in equal runs. */
export function evenShards(actors: number, shards: number): ActorId[][] {
  return Array.from({ length: shards }, (_, s) =>
    Array.from({ length: actors }, (_, id) => id).filter((id) => Math.floor((id * shards) / actors) === s),
  );
}
