const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
/** The longest value that is held at once, bytes: a larger one is no event of a trace. */
const LONGEST_VALUE = 64 * 2 ** 20;

/** What a scanner tells as it goes. */
export interface ElementSink {
  /** An element of the array, as its text. */
  readonly element: (text: string) => void;
  /** Another member of the outer object, as key and the text of its value. */
  readonly member: (key: string, text: string) => void;
}

/** JSON that is not of the shape that was expected; `offset` is the byte where that shows, from 0. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

type State = 'start' | 'key' | 'colon' | 'value' | 'afterMember' | 'element' | 'afterElement' | 'end';

/**
 * Reads JSON as it comes, chunk by chunk, and hands on the elements of one long array: that of the member named
 * `arrayKey` of the outer object, or the outer array itself. Only the value at hand is held, so that a document of any
 * length takes bounded memory. Finds where values end and leaves what is in them to JSON.parse.
 */
export class ElementScanner {
  readonly #arrayKey: string;
  readonly #sink: ElementSink;
  readonly #decoder = new TextDecoder();
  #state: State = 'start';
  #isArrayOutside = false;
  #key = '';
  /** What of a value came with earlier chunks. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isScalar = false;
  #offset = 0;
  #sawArray = false;
  /** A comma came, so a value has to follow. */
  #wantsMore = false;
  elements = 0;

  constructor(arrayKey: string, sink: ElementSink) {
    this.#arrayKey = arrayKey;
    this.#sink = sink;
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether the array began. */
  get sawArray(): boolean {
    return this.#sawArray;
  }

  /** Takes the next bytes. Throws ScanError. */
  push(chunk: Uint8Array): void {
    let at = 0;
    if (this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) at = 3;
    while (at < chunk.length) {
      const isValue = this.#state === 'value' || this.#state === 'element' || this.#state === 'key';
      if (isValue && (this.#heldBytes > 0 || this.#depth > 0 || this.#inString || this.#isScalar)) {
        at = this.#continueValue(chunk, at, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (byte <= 0x20) at++;
      else at = this.#take(byte, chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** All bytes came. Throws ScanError where the document is not complete. */
  finish(): void {
    if (this.#state === 'end') return;
    if (this.#isScalar && this.#heldBytes > 0 && this.#depth === 0 && this.#state === 'element')
      this.#complete(new Uint8Array(0), 0, 0);
    // Chrome's format lets the closing bracket of a bare array go missing, for programs that died while they wrote.
    if (this.#isArrayOutside && this.#state === 'afterElement') return;
    throw new ScanError(this.#offset === 0 ? 'the file is empty' : 'the JSON is cut off', this.#offset);
  }

  #take(byte: number, chunk: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'start':
        if (byte === OPEN_BRACE) this.#state = 'key';
        else if (byte === OPEN_BRACKET) {
          this.#isArrayOutside = true;
          this.#beginArray();
        } else throw this.#unexpected(byte, at, 'JSON begins with { or [');
        return at + 1;
      case 'key':
        if (byte === CLOSE_BRACE && !this.#wantsMore) {
          this.#state = 'end';
          return at + 1;
        }
        if (byte !== QUOTE) throw this.#unexpected(byte, at, 'a key in quotes was expected');
        this.#inString = true;
        return this.#continueValue(chunk, at, at + 1);
      case 'colon':
        if (byte !== COLON) throw this.#unexpected(byte, at, 'a colon was expected');
        this.#state = 'value';
        return at + 1;
      case 'value':
        if (byte === OPEN_BRACKET && this.#key === this.#arrayKey) {
          this.#beginArray();
          return at + 1;
        }
        return this.#beginValue(byte, chunk, at);
      case 'element':
        if (byte === CLOSE_BRACKET && !this.#wantsMore) {
          this.#endArray();
          return at + 1;
        }
        return this.#beginValue(byte, chunk, at);
      case 'afterElement':
        if (byte === COMMA) {
          this.#wantsMore = true;
          this.#state = 'element';
        } else if (byte === CLOSE_BRACKET) this.#endArray();
        else throw this.#unexpected(byte, at, 'a comma or ] was expected');
        return at + 1;
      case 'afterMember':
        if (byte === COMMA) {
          this.#wantsMore = true;
          this.#state = 'key';
        } else if (byte === CLOSE_BRACE) this.#state = 'end';
        else throw this.#unexpected(byte, at, 'a comma or } was expected');
        return at + 1;
      case 'end':
        throw this.#unexpected(byte, at, 'the JSON had ended');
    }
  }

  #beginArray(): void {
    this.#sawArray = true;
    this.#wantsMore = false;
    this.#state = 'element';
  }

  #endArray(): void {
    this.#wantsMore = false;
    this.#state = this.#isArrayOutside ? 'end' : 'afterMember';
  }

  #beginValue(byte: number, chunk: Uint8Array, at: number): number {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth = 1;
    else if (byte === QUOTE) this.#inString = true;
    else if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === COLON) {
      throw this.#unexpected(byte, at, 'a value was expected');
    } else this.#isScalar = true;
    return this.#continueValue(chunk, at, at + 1);
  }

  /** Looks for the end of the value that began at `begin` or in an earlier chunk, from `at` on. */
  #continueValue(chunk: Uint8Array, begin: number, at: number): number {
    if (this.#isScalar) return this.#continueScalar(chunk, begin, at);
    const { length } = chunk;
    let depth = this.#depth;
    let i = at;
    let inString = this.#inString;
    if (this.#escaped && i < length) {
      this.#escaped = false;
      i++;
    }
    while (i < length) {
      const byte = chunk[i] as number;
      if (inString) {
        if (byte === BACKSLASH) {
          i++;
          if (i === length) this.#escaped = true;
        } else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) {
            this.#inString = false;
            this.#depth = 0;
            return this.#complete(chunk, begin, i + 1);
          }
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--;
        if (depth === 0) {
          this.#depth = 0;
          this.#inString = false;
          return this.#complete(chunk, begin, i + 1);
        }
      }
      i++;
    }
    this.#depth = depth;
    this.#inString = inString;
    return this.#hold(chunk, begin);
  }

  #continueScalar(chunk: Uint8Array, begin: number, at: number): number {
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      if (byte <= 0x20 || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        return this.#complete(chunk, begin, i);
      }
    }
    return this.#hold(chunk, begin);
  }

  #hold(chunk: Uint8Array, begin: number): number {
    const part = chunk.slice(begin);
    this.#heldBytes += part.length;
    if (this.#heldBytes > LONGEST_VALUE) {
      throw new ScanError(`a value is longer than ${LONGEST_VALUE / 2 ** 20} MiB`, this.#offset);
    }
    this.#held.push(part);
    return chunk.length;
  }

  #complete(chunk: Uint8Array, begin: number, end: number): number {
    const text = this.#textOf(chunk.subarray(begin, end));
    this.#isScalar = false;
    const { state } = this.#current();
    this.#wantsMore = false;
    if (state === 'key') {
      this.#key = parsed(text, this.#offset + begin) as string;
      this.#state = 'colon';
    } else if (state === 'element') {
      this.#state = 'afterElement';
      this.elements++;
      this.#sink.element(text);
    } else {
      this.#state = 'afterMember';
      this.#sink.member(this.#key, text);
    }
    return end;
  }

  #current(): { state: State } {
    return { state: this.#state };
  }

  #textOf(last: Uint8Array): string {
    if (this.#heldBytes === 0) return this.#decoder.decode(last);
    const whole = new Uint8Array(this.#heldBytes + last.length);
    let at = 0;
    for (const part of this.#held) {
      whole.set(part, at);
      at += part.length;
    }
    whole.set(last, at);
    this.#held = [];
    this.#heldBytes = 0;
    return this.#decoder.decode(whole);
  }

  #unexpected(byte: number, at: number, why: string): ScanError {
    const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`;
    return new ScanError(`${why}, not ${shown}`, this.#offset + at);
  }
}

function parsed(text: string, offset: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ScanError('this is no JSON', offset);
  }
}
