import type { Places } from '../places.ts';
import type { Access } from '../program/access.ts';
import { byChance } from './by-chance.ts';
import type { Conditions } from './conditions.ts';
import { isOpposed } from './contents.ts';
import type { Performed } from './layout.ts';
import { consequence, coursesOf, type Wrong } from './memories.ts';
import { delayed, Schedule } from './schedule.ts';
import type { OrderSeed } from './seeds.ts';

/** Two accesses that change places in a schedule, and what comes of it. */
export interface Swap {
  /** First as the calls come, second in the schedule. */
  readonly late: Performed;
  readonly early: Performed;
  readonly seed: OrderSeed;
  /** undefined where nobody finds another value. */
  readonly wrong: Wrong | undefined;
  /** Alike pairs, such as in a loop. */
  count: number;
}

export interface OrderSearchOptions {
  /** Schedules tried in turn. */
  readonly bound: number;
  /** Schedules drawn by chance beyond. */
  readonly random: number;
  /** Of the first of these. */
  readonly seed: number;
}

/** Accesses looked back at for one that a schedule by chance has put before another. */
const LOOKED_BACK = 64;

/**
 * Tries schedules for accesses that change places. Since nothing that happens prevents anything else, an access can
 * take effect before another exactly if it can while the other is put off for as long as anything else can happen: of
 * all schedules in which one access comes late, that one alone has to be tried. Where no access of any pair can come
 * late, all schedules are alike, and no more are tried; others are drawn by chance only where something is left to find.
 */
export class OrderSearch {
  readonly swaps = new Map<string, Swap>();
  /** Schedules tried so far. */
  tried = 0;
  /** Every access was put off once: every pair that can change places has. */
  isComplete = true;
  readonly conditions: Conditions;
  readonly reference: readonly number[];
  private readonly places: Places;
  private readonly at: ReadonlyMap<number, Performed>;
  private readonly courses: ReadonlyMap<string, readonly Performed[]>;
  private readonly accessIds = new Map<Access, number>();
  /** By memory, accesses that can come late. */
  private readonly movable = new Map<string, Performed[]>();

  constructor(conditions: Conditions, places: Places) {
    this.conditions = conditions;
    this.places = places;
    this.at = new Map(conditions.accesses.map((performed) => [performed.at, performed]));
    this.reference = delayed(conditions, []);
    this.courses = coursesOf(this.reference, this.at);
  }

  search({ bound, random, seed }: OrderSearchOptions): void {
    this.putOffEach(bound);
    this.putOffTwo(bound);
    // Nothing is left to find.
    if (this.isComplete && [...this.swaps.values()].every(({ wrong }) => wrong !== undefined)) return;
    for (let i = 0; i < random; i++) this.draw(seed + i);
  }

  /** All swaps of one schedule; of one that puts off accesses, theirs alone. */
  swapsOf(seed: OrderSeed): Swap[] {
    const put = seed.kind === 'delay' ? new Set(seed.accesses) : undefined;
    const found: Swap[] = [];
    for (const [late, early, memory, now] of this.changesOf(this.orderOf(seed), Number.POSITIVE_INFINITY)) {
      if (put !== undefined && !put.has(late.at)) continue;
      const wrong = consequence(late, early, this.courses.get(memory) as Performed[], now);
      found.push({ late, early, seed, wrong, count: 1 });
    }
    return found;
  }

  /** The accesses to a memory in the order of a schedule. */
  courseOf(seed: OrderSeed, memory: string): readonly Performed[] {
    return coursesOf(this.orderOf(seed), this.at).get(memory) ?? [];
  }

  private orderOf(seed: OrderSeed): readonly number[] {
    return seed.kind === 'delay' ? delayed(this.conditions, seed.accesses) : byChance(this.conditions, seed.value);
  }

  private putOffEach(bound: number): void {
    const schedule = new Schedule(this.conditions);
    for (const happening of this.reference) {
      const late = this.at.get(happening);
      if (late !== undefined && this.isContested(late)) {
        if (this.tried >= bound) {
          this.isComplete = false;
          return;
        }
        this.tried += 1;
        const passed: Performed[] = [];
        schedule.without(happening, (other) => {
          const early = this.at.get(other);
          if (early !== undefined && isOpposed(late, early)) passed.push(early);
        });
        if (passed.length > 0) this.passed(late, passed);
      }
      schedule.takeLowest();
    }
  }

  private passed(late: Performed, early: readonly Performed[]): void {
    const { memory } = late.access.extent;
    const movable = this.movable.get(memory) ?? [];
    this.movable.set(memory, movable);
    movable.push(late);
    const isNew = early.some((each) => !this.swaps.has(this.key(late, each)));
    const seed: OrderSeed = { kind: 'delay', accesses: [late.at] };
    const now = isNew ? coursesOf(delayed(this.conditions, seed.accesses), this.at).get(memory) : undefined;
    for (const each of early) {
      this.note(late, each, seed, () => consequence(late, each, this.courses.get(memory) ?? [], now ?? []));
    }
  }

  /** Puts off a second access where nobody has found another value yet. */
  private putOffTwo(bound: number): void {
    for (const [key, { late, early, wrong }] of [...this.swaps]) {
      if (wrong !== undefined) continue;
      const { memory } = late.access.extent;
      for (const other of this.movable.get(memory) ?? []) {
        if (other === late || this.swaps.get(key)?.wrong !== undefined) continue;
        for (const accesses of [
          [other.at, late.at],
          [late.at, other.at],
        ]) {
          if (this.tried >= bound) return;
          this.tried += 1;
          const now = coursesOf(delayed(this.conditions, accesses), this.at).get(memory) ?? [];
          if (now.indexOf(early) > now.indexOf(late)) continue;
          this.improve(key, { kind: 'delay', accesses }, consequence(late, early, this.courses.get(memory) ?? [], now));
        }
      }
    }
  }

  private draw(value: number): void {
    this.tried += 1;
    const order = byChance(this.conditions, value);
    for (const [late, early, memory, now] of this.changesOf(order, LOOKED_BACK)) {
      const key = this.key(late, early);
      const known = this.swaps.get(key);
      if (known === undefined) this.passed(late, [early]);
      else if (known.wrong === undefined && known.late === late && known.early === early) {
        this.improve(
          key,
          { kind: 'random', value },
          consequence(late, early, this.courses.get(memory) as Performed[], now),
        );
      }
    }
  }

  private *changesOf(
    order: readonly number[],
    most: number,
  ): Generator<[late: Performed, early: Performed, memory: string, now: Performed[]]> {
    const place = new Map(this.reference.map((happening, i) => [happening, i]));
    for (const [memory, now] of coursesOf(order, this.at)) {
      for (let j = 0; j < now.length; j++) {
        for (let i = Math.max(0, j - most); i < j; i++) {
          const [early, late] = [now[i] as Performed, now[j] as Performed];
          if ((place.get(early.at) ?? 0) < (place.get(late.at) ?? 0)) continue;
          if (isOpposed(early, late)) yield [late, early, memory, now];
        }
      }
    }
  }

  private isContested(performed: Performed): boolean {
    return (this.courses.get(performed.access.extent.memory) ?? []).some((other) => isOpposed(performed, other));
  }

  private note(late: Performed, early: Performed, seed: OrderSeed, wrong: () => Wrong | undefined): void {
    const key = this.key(late, early);
    const known = this.swaps.get(key);
    if (known === undefined) this.swaps.set(key, { late, early, seed, wrong: wrong(), count: 1 });
    else known.count += 1;
  }

  private improve(key: string, seed: OrderSeed, wrong: Wrong | undefined): void {
    const known = this.swaps.get(key);
    if (known !== undefined && wrong !== undefined) this.swaps.set(key, { ...known, seed, wrong });
  }

  private key(late: Performed, early: Performed): string {
    const of = ({ node, access }: Performed): string => {
      const id = this.accessIds.get(access) ?? this.accessIds.size;
      this.accessIds.set(access, id);
      return `${id}@${this.places.key(node)}`;
    };
    return `${of(late)} | ${of(early)}`;
  }
}
