/** Numbers of operations that share a page. */
const PAGE = 4096;

/** Where each operation stands in a list, by its number. Pages, as the numbers of a process are dense and its first is not 0. */
export class Positions {
  private readonly pages = new Map<number, Int32Array>();

  /** @param ops numbers of operations, each once */
  constructor(ops: Iterable<number>) {
    let place = 0;
    for (const op of ops) {
      const number = Math.floor(op / PAGE);
      let page = this.pages.get(number);
      if (page === undefined) {
        page = new Int32Array(PAGE).fill(-1);
        this.pages.set(number, page);
      }
      page[op - number * PAGE] = place++;
    }
  }

  /** The place of an operation, undefined for one that is not in the list. */
  get(op: number): number | undefined {
    const number = Math.floor(op / PAGE);
    const place = this.pages.get(number)?.[op - number * PAGE];
    return place === undefined || place < 0 ? undefined : place;
  }
}
