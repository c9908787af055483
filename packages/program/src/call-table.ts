import type { Call, Origin } from './calls.ts';

/**
 * The calls of one host thread, stored in columns: each distinct call once, and per call an index into them, so that
 * a million operations of a loop cost a few bytes each (docs/MODEL.md, "Storage is columnar").
 */
export class CallTable {
  private readonly shapes: Call[] = [];
  private readonly shapeIndex = new Map<string, number>();
  private shape = new Uint32Array(64);
  private line = new Uint32Array(64);
  private column = new Uint32Array(64);
  private readonly labels = new Map<number, string>();
  private readonly paths = new Map<number, string>();
  private size = 0;
  /** File that `line` and `column` refer to; empty when the calls were built in code. */
  readonly file: string;

  constructor(file = '') {
    this.file = file;
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
  push(call: Call, at?: { line: number; column: number }, label?: string, path?: string): number {
    const key = JSON.stringify(call);
    let index = this.shapeIndex.get(key);
    if (index === undefined) {
      index = this.shapes.length;
      this.shapes.push(call);
      this.shapeIndex.set(key, index);
    }
    if (this.size === this.shape.length) this.grow();
    const i = this.size++;
    this.shape[i] = index;
    this.line[i] = at?.line ?? 0;
    this.column[i] = at?.column ?? 0;
    if (label !== undefined) this.labels.set(i, label);
    if (path !== undefined && path !== '') this.paths.set(i, path);
    return i;
  }

  /** The call at an index; shared between equal calls, so not to be changed. */
  at(i: number): Call {
    const call = this.shapes[this.shape[i] as number];
    if (i >= this.size || call === undefined) throw new RangeError(`call ${i} of ${this.size}`);
    return call;
  }

  /** Number of the distinct call at an index, below `distinct`. */
  shapeAt(i: number): number {
    if (i < 0 || i >= this.size) throw new RangeError(`call ${i} of ${this.size}`);
    return this.shape[i] as number;
  }

  /** The distinct call of a number, in order of first use. */
  distinctCall(shape: number): Call {
    const call = this.shapes[shape];
    if (call === undefined) throw new RangeError(`distinct call ${shape} of ${this.shapes.length}`);
    return call;
  }

  /** The author's id of a call, where one was given. */
  label(i: number): string | undefined {
    return this.labels.get(i);
  }

  path(i: number): string {
    return this.paths.get(i) ?? '';
  }

  origin(i: number): Origin | undefined {
    const line = this.line[i] as number;
    return line === 0 ? undefined : { file: this.file, line, column: this.column[i] as number };
  }

  private grow(): void {
    const copy = (a: Uint32Array): Uint32Array<ArrayBuffer> => {
      const b = new Uint32Array(a.length * 2);
      b.set(a);
      return b;
    };
    this.shape = copy(this.shape);
    this.line = copy(this.line);
    this.column = copy(this.column);
  }
}
