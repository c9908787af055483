import { CallCodec } from './call-codec.ts';
import { CallShapes } from './call-shapes.ts';
import type { Call, Origin } from './calls.ts';
import { grown } from './grown.ts';

const NOWHERE = new Uint32Array(0);

/** The calls of a host thread as plain data. */
export interface PackedCalls {
  readonly file: string;
  /** Distinct calls, and per call the index of its own. */
  readonly distinct: readonly Call[];
  readonly shape: Uint32Array;
  readonly places: Uint32Array;
  readonly labels: ReadonlyMap<number, string>;
  readonly paths: readonly string[];
  readonly pathFrom: readonly number[];
}

/**
 * The calls of one host thread, stored in columns: each distinct call once, and per call an index into them, so that
 * a million operations of a loop cost a few bytes each (docs/MODEL.md, "Storage is columnar").
 */
export class CallTable {
  private readonly shapes: CallShapes;
  private shape = new Uint32Array(64);
  /** Lines and columns in turn; no longer than the last call that has a place. */
  private places = NOWHERE;
  private readonly labels = new Map<number, string>();
  /** Paths in order, and the first call of each. */
  private readonly paths: string[] = [''];
  private readonly pathFrom: number[] = [0];
  private size = 0;
  /** File that places refer to; empty when the calls were built in code. */
  readonly file: string;

  /** `codec` is shared by the host threads of a program. */
  constructor(file = '', codec: CallCodec = new CallCodec()) {
    this.file = file;
    this.shapes = new CallShapes(codec);
  }

  /** All of it as plain data, which another thread can unpack. */
  packed(): PackedCalls {
    const { file, shape, places, labels, paths, pathFrom, size } = this;
    const distinct = Array.from({ length: this.distinct }, (_, i) => this.distinctCall(i));
    return { file, distinct, shape: shape.slice(0, size), places: places.slice(0, 2 * size), labels, paths, pathFrom };
  }

  /** The table that was packed. */
  static unpacked({ file, distinct, shape, places, labels, paths, pathFrom }: PackedCalls): CallTable {
    const table = new CallTable(file);
    for (const call of distinct) table.shapes.add(call);
    table.shape = Uint32Array.from(shape);
    table.places = Uint32Array.from(places);
    for (const [i, label] of labels) table.labels.set(i, label);
    table.paths.splice(0, table.paths.length, ...paths);
    table.pathFrom.splice(0, table.pathFrom.length, ...pathFrom);
    table.size = shape.length;
    return table;
  }

  get length(): number {
    return this.size;
  }

  /** Number of distinct calls. */
  get distinct(): number {
    return this.shapes.length;
  }

  /**
   * Appends a call. `label` is its stable unique id when the author gave one; `path` the group (module, layer) it
   * belongs to. Returns the call's index.
   */
  push(call: Call, at?: { line: number; column: number }, label?: string, path = ''): number {
    const i = this.size++;
    this.shape = grown(this.shape, this.size);
    this.shape[i] = this.shapes.add(call);
    if (at !== undefined) {
      this.places = grown(this.places, 2 * this.size);
      this.places[2 * i] = at.line;
      this.places[2 * i + 1] = at.column;
    }
    if (label !== undefined) this.labels.set(i, label);
    if (path !== this.paths.at(-1)) {
      this.paths.push(path);
      this.pathFrom.push(i);
    }
    return i;
  }

  /** The call at an index; shared between equal calls, so not to be changed. */
  at(i: number): Call {
    return this.shapes.at(this.shapeAt(i));
  }

  /** Number of the distinct call at an index, below `distinct`. */
  shapeAt(i: number): number {
    if (!(i >= 0 && i < this.size)) throw new RangeError(`call ${i} of ${this.size}`);
    return this.shape[i] as number;
  }

  /** The distinct call of a number, in order of first use. */
  distinctCall(shape: number): Call {
    return this.shapes.at(shape);
  }

  /** The author's id of a call, where one was given. */
  label(i: number): string | undefined {
    return this.labels.get(i);
  }

  path(i: number): string {
    let low = 0;
    let high = this.pathFrom.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.pathFrom[middle] as number) <= i) low = middle;
      else high = middle;
    }
    return this.paths[low] as string;
  }

  origin(i: number): Origin | undefined {
    const line = this.places[2 * i] ?? 0;
    return line === 0 ? undefined : { file: this.file, line, column: this.places[2 * i + 1] as number };
  }
}
