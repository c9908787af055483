import type { Conditions } from './conditions.ts';

/** One course of events as it goes: what has happened, and what may next. */
export class Schedule {
  private readonly conditions: Conditions;
  private readonly missing: Int32Array;
  private readonly met: Uint8Array;
  private readonly happened: Uint8Array;
  /** What may happen, the lowest last. */
  private open: number[] = [];
  /** Everything since `mark`, to be taken back. */
  private log: number[] | undefined;

  constructor(conditions: Conditions) {
    this.conditions = conditions;
    this.missing = conditions.missing.slice();
    this.met = new Uint8Array(conditions.owner.length);
    this.happened = new Uint8Array(conditions.count);
    for (let i = conditions.count - 1; i >= 0; i--) if (this.missing[i] === 0) this.open.push(i);
  }

  has(happening: number): boolean {
    return this.happened[happening] === 1;
  }

  /** What may happen next, in no order that means anything but its last, the lowest. */
  get choices(): readonly number[] {
    return this.open;
  }

  /** Takes the lowest that may happen; undefined if nothing may. */
  takeLowest(): number | undefined {
    const next = this.open.pop();
    if (next !== undefined) this.happen(next);
    return next;
  }

  /** Takes the i-th of `choices`. */
  take(index: number): number {
    const [next] = this.open.splice(index, 1) as [number];
    this.happen(next);
    return next;
  }

  /** Leaves out of `choices` what is held back from now on; returns whether it could happen. */
  withhold(happening: number): boolean {
    const index = this.open.indexOf(happening);
    if (index >= 0) this.open.splice(index, 1);
    return index >= 0;
  }

  release(happening: number): void {
    insert(this.open, happening);
  }

  /**
   * All that can happen while one happening that may happen does not, told in order; then everything is as before.
   */
  without(happening: number, tell: (happened: number) => void): void {
    const open = [...this.open];
    this.log = [];
    this.withhold(happening);
    for (let next = this.takeLowest(); next !== undefined; next = this.takeLowest()) tell(next);
    for (const one of this.log) {
      if (one >= 0) this.happened[one] = 0;
      else {
        const condition = -1 - one;
        const owner = this.conditions.owner[condition] as number;
        this.met[condition] = 0;
        this.missing[owner] = (this.missing[owner] as number) + 1;
      }
    }
    this.log = undefined;
    this.open = open;
  }

  private happen(happening: number): void {
    const { meets, owner } = this.conditions;
    this.happened[happening] = 1;
    this.log?.push(happening);
    for (const condition of meets[happening] as readonly number[]) {
      if (this.met[condition] === 1) continue;
      this.met[condition] = 1;
      this.log?.push(-1 - condition);
      const whose = owner[condition] as number;
      const left = (this.missing[whose] as number) - 1;
      this.missing[whose] = left;
      if (left === 0) insert(this.open, whose);
    }
  }
}

/** Into a list in falling order. */
function insert(list: number[], value: number): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) > value) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, value);
}

/**
 * The order in which things happen where some are put off, one after the other as long as anything else can happen, and
 * all else is in the order of the calls. Without any, the execution that everybody has in mind.
 */
export function delayed(conditions: Conditions, putOff: readonly number[]): number[] {
  const schedule = new Schedule(conditions);
  const held = new Set(putOff);
  const able = new Set<number>();
  const order: number[] = [];
  const hold = (): void => {
    while (held.has(schedule.choices.at(-1) as number)) {
      const one = schedule.choices.at(-1) as number;
      schedule.withhold(one);
      able.add(one);
    }
  };
  for (;;) {
    hold();
    const next = schedule.takeLowest();
    if (next !== undefined) {
      order.push(next);
      continue;
    }
    const released = putOff.find((one) => able.has(one));
    if (released === undefined) return order;
    able.delete(released);
    held.delete(released);
    schedule.release(released);
  }
}
