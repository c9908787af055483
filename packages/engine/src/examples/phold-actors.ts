import type { ActorId } from '../actor.ts';
import { type PholdOptions, PholdProcess } from './phold.ts';

/** Some processes of a PHOLD run, for a thread of its own. */
export function createActors(data: unknown, ids: readonly ActorId[]): PholdProcess[] {
  return ids.map((id) => new PholdProcess(id, data as PholdOptions));
}
