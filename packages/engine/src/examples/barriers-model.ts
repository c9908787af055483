import type { ActorId } from '../actor.ts';
import type { ShardedModel } from '../parallel/model.ts';
import { moduleUrl } from '../parallel/module-url.ts';
import { type BarrierOptions, betweenPlaces, placeOf } from './barriers.ts';

/** Barriers for `runSharded`, with a shard for each place and its parties. */
export function barriersModel(options: BarrierOptions): ShardedModel {
  const { parties, places } = options;
  const all = Array.from({ length: places }, (_, place) => place);
  return {
    module: moduleUrl('@griddep/engine/examples/barriers-actors'),
    data: options,
    names: Array.from({ length: parties + places }, (_, id) =>
      id < parties ? `party ${id}` : `place ${id - parties}`,
    ),
    shapes: [{ type: 'part', numbers: ['place', 'round', 'last'] }],
    lookahead: (from, to) => (from >= parties && to >= parties ? betweenPlaces(options) : Number.POSITIVE_INFINITY),
    patient: all.map((place) => parties + place),
  };
}

/** Each place with its parties. */
export function placeShards(options: BarrierOptions): ActorId[][] {
  return Array.from({ length: options.places }, (_, place) => [
    ...Array.from({ length: options.parties }, (_, party) => party).filter((p) => placeOf(p, options) === place),
    options.parties + place,
  ]);
}
