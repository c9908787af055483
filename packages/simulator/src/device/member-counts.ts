/**
 * Members counted by a number that they have, in order of the numbers, of which there are few. What is summed over the
 * members is a number times a count: how they are grouped changes no bit of it.
 */
export class MemberCounts {
  private readonly values: number[] = [];
  private readonly members: number[] = [];
  private readonly rates: number[] = [];
  /** Numbers so far; the arrays are kept. */
  private size = 0;

  /** Forgets all. */
  clear(): void {
    this.size = 0;
  }

  /** Counts members with a number. */
  add(value: number, members: number): void {
    const at = this.place(value);
    if (at < this.size && this.values[at] === value) {
      (this.members[at] as number) += members;
      return;
    }
    for (let i = this.size++; i > at; i--) {
      this.values[i] = this.values[i - 1] as number;
      this.members[i] = this.members[i - 1] as number;
    }
    this.values[at] = value;
    this.members[at] = members;
  }

  /** The numbers of all members together. */
  sum(): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += (this.values[i] as number) * (this.members[i] as number);
    return sum;
  }

  /** Divides a capacity max-min, where the numbers are the most that a member can have. */
  share(capacity: number): void {
    let left = capacity;
    let count = 0;
    for (let i = 0; i < this.size; i++) count += this.members[i] as number;
    for (let i = 0; i < this.size; i++) {
      const members = this.members[i] as number;
      const rate = Math.min(this.values[i] as number, left / count);
      this.rates[i] = rate;
      left -= rate * members;
      count -= members;
    }
  }

  /** What a member with a number that was counted has got of the capacity divided last. */
  rateOf(value: number): number {
    return this.rates[this.place(value)] as number;
  }

  /** Index of the first number that is not less. */
  private place(value: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.values[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
