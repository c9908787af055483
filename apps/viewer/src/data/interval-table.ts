import { INSTANTS, type Operation } from '@griddep/timeline';
import { FACTS, factsOf, positionIn, type TimelineColumns, type TimelineHead } from './columns.ts';
import { packFrame, unpackFrame } from './frame.ts';
import { GrowingColumn } from './growing-column.ts';
import { TextCollector } from './text-column.ts';

/** What a run is called and runs on, before any of it is over. */
export type RunBegun = Pick<TimelineHead, 'program' | 'machine' | 'devices'> & { readonly title: string };

/** How much of a table somebody has. */
export interface TablePosition {
  readonly rows: number;
  readonly texts: number;
}

export const TABLE_START: TablePosition = { rows: 0, texts: 0 };

const doubles = () => new GrowingColumn((length) => new Float64Array(length));

/** Operations in the order in which they end, as rows of a table that grows; it travels in parts (`IntervalRows`). */
export class IntervalTable {
  readonly #texts = new TextCollector();
  readonly #instants = doubles();
  readonly #bytes = doubles();
  readonly #facts = new GrowingColumn((length) => new Int32Array(length));

  get rows(): number {
    return this.#bytes.length;
  }

  add(operation: Operation): void {
    this.#instants.append(INSTANTS.map((name) => operation[name]));
    this.#facts.append(factsOf(operation, (text) => positionIn(this.#texts, text)));
    this.#bytes.append([operation.bytes]);
  }

  /** The part after a position, at most so many rows, as bytes; and the position after that. */
  part(from: TablePosition, most: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly next: TablePosition } {
    const rows = Math.min(this.rows, from.rows + most);
    const texts = this.#texts.column(from.texts);
    const bytes = packFrame(null, {
      instants: this.#instants.view(from.rows * INSTANTS.length, rows * INSTANTS.length),
      facts: this.#facts.view(from.rows * FACTS.length, rows * FACTS.length),
      bytes: this.#bytes.view(from.rows, rows),
      text: texts.bytes,
      textOffsets: texts.offsets,
    });
    return { bytes, next: { rows, texts: this.#texts.count } };
  }
}

/** The other end: puts the parts of a table together again. */
export class IntervalRows {
  readonly #text = new GrowingColumn((length) => new Uint8Array(length));
  readonly #textOffsets = new GrowingColumn((length) => new Uint32Array(length));
  readonly #instants = doubles();
  readonly #bytes = doubles();
  readonly #facts = new GrowingColumn((length) => new Int32Array(length));

  constructor() {
    this.#textOffsets.append([0]);
  }

  get rows(): number {
    return this.#bytes.length;
  }

  append(part: Uint8Array): void {
    const { instants, facts, bytes, text, textOffsets } = unpackFrame(part).columns;
    this.#instants.append(instants ?? []);
    this.#facts.append(facts ?? []);
    this.#bytes.append(bytes ?? []);
    const before = this.#text.length;
    this.#text.append(text ?? []);
    this.#textOffsets.append(Array.from(textOffsets?.subarray(1) ?? [], (offset) => before + offset));
  }

  /** What has come so far, as a timeline without waits, slowdowns and the operations that causes name. */
  columns({ title: _, ...head }: RunBegun): TimelineColumns {
    const count = this.rows;
    return {
      head: { ...head, hostTotal: null, basis: [], stuck: [], errors: [] },
      count,
      texts: { bytes: this.#text.view(), offsets: this.#textOffsets.view() },
      instants: this.#instants.view(),
      facts: this.#facts.view(),
      bytes: this.#bytes.view(),
      waitOffsets: new Uint32Array(count + 1),
      waitFacts: new Int32Array(0),
      waitTimes: new Float64Array(0),
      slowdownOffsets: new Uint32Array(count + 1),
      slowdown: new Float64Array(0),
    };
  }
}
