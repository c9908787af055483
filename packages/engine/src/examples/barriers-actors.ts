import type { ActorId } from '../actor.ts';
import { type BarrierOptions, barrierActor } from './barriers.ts';

/** Some parties and places, for a thread of its own. */
export function createActors(data: unknown, ids: readonly ActorId[]): ReturnType<typeof barrierActor>[] {
  return ids.map((id) => barrierActor(id, data as BarrierOptions));
}
