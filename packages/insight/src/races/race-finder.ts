import type { Group } from '../order/group.ts';
import type { Happening } from '../order/progress.ts';
import type { Readings } from '../order/readings.ts';
import type { Places } from '../places.ts';
import { type Access, conflict, isContiguous } from '../program/access.ts';
import type { Node } from '../program/nodes.ts';
import { IntervalIndex } from './interval-index.ts';

/** An access that happened, as the index keeps it. */
interface Kept {
  readonly access: Access;
  readonly node: Node;
  readonly group: Group;
  /** That makes it; -1 for the host. */
  readonly device: number;
}

/** Two accesses that nothing orders under the reading that is judged by. */
export interface Race {
  /** As the program's calls come. */
  readonly first: { readonly access: Access; readonly node: Node };
  readonly second: { readonly access: Access; readonly node: Node };
  /** An H200's completion in order hides it. */
  readonly isHidden: boolean;
  /** A fence before the trigger orders it (rule 1.7). */
  readonly isFenced: boolean;
  /** How often it was found, such as in a loop. */
  count: number;
}

/** Accesses to some bytes, in multiples of which it is looked for some that others stand for. */
const COMPACTED_AT = 32;
/** Executions of one access in one stream that are kept although nothing orders them: they race alike. */
const MOST_ALIKE = 16;

/** Pairs of places that are told apart for the same two accesses; further ones count with the last. */
const MOST_PLACES = 64;

/** Finds pairs of accesses that nothing orders. Alike ones, of the same two places, are one. */
export class RaceFinder {
  private readonly memories = new Map<string, IntervalIndex<Kept>>();
  private readonly found = new Map<Access, Map<Access, Alike[]>>();
  readonly races: Race[] = [];
  private readonly places: Places;
  private readonly keepsAll: boolean;

  /**
   * @param places alike races of two places are one; of a program that was not read from a file, of the second place
   * @param keepsAll every pair, also with accesses that a later one stands for; takes memory and time for each
   */
  constructor(places: Places, keepsAll = false) {
    this.places = places;
    this.keepsAll = keepsAll;
  }

  readonly see = (now: Happening): void => {
    const { access } = now;
    const { memory } = access.extent;
    const index = this.memories.get(memory) ?? new IntervalIndex<Kept>();
    this.memories.set(memory, index);
    const kept: Kept = { access, node: now.node, group: now.group, device: deviceOf(now.node) };
    const seen = new Set<Kept>();
    index.update(access.extent, (before) => {
      for (const earlier of before) {
        if (seen.has(earlier)) continue;
        seen.add(earlier);
        this.compare(earlier, kept, now.known);
      }
      if (this.keepsAll) return [...before, kept];
      const left = before.filter((earlier) => !isSuperseded(earlier, now));
      left.push(kept);
      return left.length % COMPACTED_AT === 0 ? compacted(left) : left;
    });
  };

  private compare(earlier: Kept, now: Kept, known: Readings): void {
    if (earlier.node === now.node) return;
    if (!conflict(earlier.access, earlier.device, now.access, now.device)) return;
    const { epoch } = earlier.group;
    const { judged, fenced, hardware } = known;
    if (epoch !== undefined && judged.knows(epoch)) return;
    this.note(earlier, now, {
      isHidden: epoch !== undefined && hardware.knows(epoch),
      isFenced: epoch !== undefined && fenced.knows(epoch),
    });
  }

  private note(a: Kept, b: Kept, how: Pick<Race, 'isHidden' | 'isFenced'>): void {
    const [first, second] = a.node.id <= b.node.id ? [a, b] : [b, a];
    const { places, keepsAll } = this;
    const alike = this.alike(first.access, second.access, how);
    let race = alike.last;
    if (race === undefined || keepsAll || alike.byPlaces.size < MOST_PLACES) {
      const from = keepsAll ? places.key(first.node) : places.roughKey(first.node);
      const key = `${from} | ${places.key(second.node)}`;
      race = alike.byPlaces.get(key);
      if (race === undefined) {
        race = { first, second, ...how, count: 0 };
        alike.byPlaces.set(key, race);
        alike.last = race;
        this.races.push(race);
      }
    }
    race.count += 1;
  }

  private alike(first: Access, second: Access, { isHidden, isFenced }: Pick<Race, 'isHidden' | 'isFenced'>): Alike {
    const seconds = this.found.get(first) ?? new Map<Access, Alike[]>();
    this.found.set(first, seconds);
    const found = seconds.get(second) ?? [];
    seconds.set(second, found);
    const kind = (isHidden ? 1 : 0) + (isFenced ? 2 : 0);
    const alike = found[kind] ?? { byPlaces: new Map(), last: undefined };
    found[kind] = alike;
    return alike;
  }
}

/** Races of the same two accesses, by their places, and the newest of these. */
interface Alike {
  readonly byPlaces: Map<string, Race>;
  last: Race | undefined;
}

/**
 * Whether a later access stands for an earlier one in all that is to come: whoever conflicts with the earlier one
 * conflicts with it, and whoever knows of it knows of the earlier.
 */
function isSuperseded(earlier: Kept, { access, group, node, known }: Happening): boolean {
  if (earlier.group !== group) {
    const { epoch } = earlier.group;
    if (epoch === undefined || !known.judged.knows(epoch)) return false;
  }
  const { mode } = access;
  if (mode !== 'write' && mode !== earlier.access.mode) return false;
  if (mode === 'atomic' && (access.system !== earlier.access.system || node.device !== earlier.device)) return false;
  return isContiguous(access.extent) || access === earlier.access;
}

/** Without what newer ones of the same access stand for, now that it is known where on their timelines they are. */
function compacted(kept: readonly Kept[]): Kept[] {
  const newest = new Map<Access, Map<string, number>>();
  const left: Kept[] = [];
  for (const each of [...kept].reverse()) {
    const { epoch } = each.group;
    if (epoch === undefined) {
      left.push(each);
      continue;
    }
    const { timeline, generation, chain, place } = epoch;
    const of = newest.get(each.access) ?? new Map<string, number>();
    newest.set(each.access, of);
    const lastGeneration = of.get(`${timeline}`) ?? -1;
    const alike = of.get(`${timeline} kept`) ?? 0;
    const key = `${timeline} ${generation} ${chain}`;
    if (lastGeneration > generation || (of.get(key) ?? -1) >= place || alike === MOST_ALIKE) continue;
    of.set(`${timeline} kept`, alike + 1);
    of.set(`${timeline}`, Math.max(generation, lastGeneration));
    of.set(key, place);
    left.push(each);
  }
  return left.reverse();
}

function deviceOf({ kind, device }: Node): number {
  return kind === 'host' ? -1 : device;
}
