import { Packr } from 'msgpackr';
import type { Message } from '../actor.ts';

/** A frequent message: its type and its fields, all numbers, in this order. */
export interface RecordShape {
  readonly type: string;
  readonly numbers: readonly string[];
}

/** Kinds of records: a packed message, a part of one that is too long, and from here on the shapes by index. */
export const PACKED = 0;
export const PART = 1;
const FIRST_SHAPE = 2;
/** Shapes that a record's kind has room for. */
export const MOST_SHAPES = 200;

/** Reads a message of one shape. */
type Read = (words: Float64Array, at: number) => Message;

/**
 * Messages as numbers: those of a known shape as their fields, all others packed by msgpackr. Both ends of a run are
 * built with the same shapes.
 */
export class MessageCodec {
  private readonly shapes: readonly RecordShape[];
  private readonly kinds: ReadonlyMap<string, number>;
  private readonly reads: readonly Read[];
  private readonly packr = new Packr({ structuredClone: true });

  constructor(shapes: readonly RecordShape[]) {
    if (shapes.length > MOST_SHAPES) throw new RangeError(`${shapes.length} message shapes; at most ${MOST_SHAPES}`);
    this.shapes = shapes;
    this.kinds = new Map(shapes.map(({ type }, i) => [type, FIRST_SHAPE + i]));
    this.reads = shapes.map(reader);
  }

  /** The kind of a message's record. */
  kindOf(message: Message): number {
    return this.kinds.get(message.type) ?? PACKED;
  }

  /** Number of fields of a kind that is a shape. */
  fields(kind: number): number {
    return (this.shapes[kind - FIRST_SHAPE] as RecordShape).numbers.length;
  }

  /** Writes the fields of a message of a shape. @throws Error for a field that is not a number. */
  write(kind: number, message: Message, words: Float64Array, at: number): void {
    const { type, numbers } = this.shapes[kind - FIRST_SHAPE] as RecordShape;
    for (let i = 0; i < numbers.length; i++) {
      const value = (message as unknown as Record<string, unknown>)[numbers[i] as string];
      if (typeof value !== 'number') throw new Error(`message "${type}": "${numbers[i]}" is no number`);
      words[at + i] = value;
    }
  }

  /** The message that `write` wrote. */
  read(kind: number, words: Float64Array, at: number): Message {
    return (this.reads[kind - FIRST_SHAPE] as Read)(words, at);
  }

  /** Any message as bytes, valid until the next call. */
  pack(message: Message): Uint8Array {
    return this.packr.pack(message);
  }

  /** The message that `pack` packed. */
  unpack(bytes: Uint8Array): Message {
    return this.packr.unpack(bytes) as Message;
  }
}

function reader({ type, numbers }: RecordShape): Read {
  const [a, b, c] = numbers;
  if (a === undefined) {
    const message: Message = { type };
    return () => message;
  }
  if (b === undefined) return (words, at) => ({ type, [a]: words[at] }) as Message;
  if (c === undefined) return (words, at) => ({ type, [a]: words[at], [b]: words[at + 1] }) as Message;
  return (words, at) => {
    const message: Record<string, unknown> = { type };
    for (let i = 0; i < numbers.length; i++) message[numbers[i] as string] = words[at + i];
    return message as unknown as Message;
  };
}
