import { type IntervalTable, TABLE_START } from '@griddep/viewer';
import type { EventStream } from './event-stream.ts';

/** Intervals of one event: so much that a page has to do at once. */
const MOST_ROWS = 20_000;

/** A page that looks on: it gets the table's rows as fast as it takes them, and all from the start whenever it came. */
export class LivePage {
  readonly #stream: EventStream;
  readonly #table: IntervalTable;
  #at = TABLE_START;

  constructor(stream: EventStream, table: IntervalTable) {
    this.#stream = stream;
    this.#table = table;
    stream.onDrain(() => this.update());
  }

  tell(event: string, data: unknown): void {
    this.#stream.send(event, JSON.stringify(data));
  }

  /** Sends the rows that it does not have, as far as its connection takes them now. */
  update(): void {
    while (!this.#stream.isFull && this.#at.rows < this.#table.rows) {
      const { bytes, next } = this.#table.part(this.#at, MOST_ROWS);
      this.#at = next;
      this.#stream.send('intervals', Buffer.from(bytes.buffer).toString('base64'));
    }
  }

  end(): Promise<void> {
    return this.#stream.end();
  }
}
