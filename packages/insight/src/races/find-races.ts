import { Execution } from '../order/execution.ts';
import type { Judged } from '../order/progress.ts';
import type { Places } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import { type Race, RaceFinder } from './race-finder.ts';

/** The races of a program, and how far its operations came: not to their end where they wait for ever. */
export function findRaces(
  { nodes, timelines }: Recorded,
  places: Places,
  judged: Judged,
  keepsAll = false,
): { readonly races: readonly Race[]; readonly execution: Execution } {
  const finder = new RaceFinder(places, keepsAll);
  const execution = new Execution(nodes, timelines, judged, finder.see);
  execution.run();
  return { races: finder.races, execution };
}
