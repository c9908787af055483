import type { RangeColumns } from './trace.ts';

/** Collects ranges of host threads in columns that grow. */
export class RangeBuilder {
  readonly #names: string[] = [];
  readonly #indices = new Map<string, number>();
  #name = new Uint32Array(256);
  #thread = new Uint32Array(256);
  #start = new Float64Array(256);
  #end = new Float64Array(256);
  #isAnnotation = new Uint8Array(256);
  #length = 0;

  add(name: string, thread: number, start: number, end: number, isAnnotation: boolean): void {
    const i = this.#length++;
    if (i === this.#name.length) this.#grow();
    let index = this.#indices.get(name);
    if (index === undefined) {
      index = this.#names.length;
      this.#names.push(name);
      this.#indices.set(name, index);
    }
    this.#name[i] = index;
    this.#thread[i] = thread;
    this.#start[i] = start;
    this.#end[i] = end;
    this.#isAnnotation[i] = isAnnotation ? 1 : 0;
  }

  /** The ranges in order of start, the longer first where several start at once. */
  finish(): RangeColumns {
    const order = Uint32Array.from({ length: this.#length }, (_, i) => i);
    const [start, end] = [this.#start, this.#end];
    order.sort((a, b) => (start[a] as number) - (start[b] as number) || (end[b] as number) - (end[a] as number));
    return {
      length: this.#length,
      names: this.#names,
      name: order.map((i) => this.#name[i] as number),
      thread: order.map((i) => this.#thread[i] as number),
      start: Float64Array.from(order, (i) => start[i] as number),
      end: Float64Array.from(order, (i) => end[i] as number),
      isAnnotation: Uint8Array.from(order, (i) => this.#isAnnotation[i] as number),
    };
  }

  #grow(): void {
    const size = 2 * this.#name.length;
    const larger = <T extends Uint32Array | Float64Array | Uint8Array>(from: T, to: T): T => {
      to.set(from as never);
      return to;
    };
    this.#name = larger(this.#name, new Uint32Array(size));
    this.#thread = larger(this.#thread, new Uint32Array(size));
    this.#start = larger(this.#start, new Float64Array(size));
    this.#end = larger(this.#end, new Float64Array(size));
    this.#isAnnotation = larger(this.#isAnnotation, new Uint8Array(size));
  }
}
