const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Many texts in one array of UTF-8; text `i` is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface TextColumn {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

export function textAt({ bytes, offsets }: TextColumn, index: number): string {
  if (index < 0) return '';
  return decoder.decode(bytes.subarray(offsets[index] ?? 0, offsets[index + 1] ?? 0));
}

/** Collects distinct texts. */
export class TextCollector {
  readonly #positions = new Map<string, number>();
  readonly #texts: string[] = [];

  get count(): number {
    return this.#texts.length;
  }

  add(text: string): number {
    let position = this.#positions.get(text);
    if (position === undefined) {
      position = this.#texts.push(text) - 1;
      this.#positions.set(text, position);
    }
    return position;
  }

  /** The texts, or those from a position on. */
  column(from = 0): TextColumn {
    const parts = this.#texts.slice(from).map((text) => encoder.encode(text));
    const offsets = new Uint32Array(parts.length + 1);
    parts.forEach((part, i) => {
      offsets[i + 1] = (offsets[i] ?? 0) + part.length;
    });
    const bytes = new Uint8Array(offsets[parts.length] ?? 0);
    parts.forEach((part, i) => {
      bytes.set(part, offsets[i] ?? 0);
    });
    return { bytes, offsets };
  }
}
