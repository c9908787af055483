import type { Actor, ActorId } from '../actor.ts';
import type { CreateActors } from './model.ts';
import type { ShardSetup } from './shard.ts';

/** The actors of a shard by id, made by the model's module; `local` ones are given. */
export async function actorsOfShard(
  { index, shardOf, names }: Pick<ShardSetup, 'index' | 'shardOf' | 'names'>,
  module: string,
  data: unknown,
  local?: ReadonlyMap<ActorId, Actor>,
): Promise<(Actor | undefined)[]> {
  const ids = names.map((_, id) => id).filter((id) => shardOf[id] === index && !local?.has(id));
  const made = ids.length === 0 ? [] : await create(module, data, ids);
  const actors: (Actor | undefined)[] = names.map((_, id) => (shardOf[id] === index ? local?.get(id) : undefined));
  ids.forEach((id, i) => {
    actors[id] = made[i];
  });
  return actors;
}

async function create(module: string, data: unknown, ids: readonly ActorId[]): Promise<readonly Actor[]> {
  const { createActors } = (await import(module)) as { createActors?: CreateActors };
  if (createActors === undefined) throw new Error(`${module} exports no createActors`);
  return createActors(data, ids);
}
