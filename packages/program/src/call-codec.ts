import type { Call } from './calls.ts';

/** Keys of a call and what stands under them; the values themselves are leaves. */
type Field =
  | { readonly key: string; readonly holds: 'number' | 'text' }
  | { readonly key: string; readonly holds: 'literal'; readonly value: unknown }
  | { readonly key: string; readonly holds: 'object' | 'list'; readonly fields: readonly Field[] };

/** A step on the way through the keys and types of calls; calls that end at the same step have the same skeleton. */
class Step {
  /** What was taken last: mostly the same again. */
  private token: unknown;
  private step: Step | undefined;
  private readonly steps = new Map<unknown, Step>();
  skeleton = -1;
  /** The text that stood here last, and its number. */
  text = '';
  textNumber = -1;

  to(token: unknown): Step {
    if (token === this.token && this.step !== undefined) return this.step;
    let step = this.steps.get(token);
    if (step === undefined) {
      step = new Step();
      this.steps.set(token, step);
    }
    this.token = token;
    this.step = step;
    return step;
  }
}

const NUMBER = Symbol('number');
const TEXT = Symbol('text');
const OBJECT = Symbol('object');
const LIST = Symbol('list');
const END = Symbol('end');
type Node = Readonly<Record<string, unknown>>;

/**
 * Takes calls apart into a skeleton (their keys, kind, and what is neither text nor number) and leaves (numbers, and
 * texts as numbers), and puts them together again. One serves all host threads of a program.
 */
export class CallCodec {
  /** Number of the skeleton of the call encoded last. */
  skeleton = 0;
  private readonly root = new Step();
  private readonly skeletons: (readonly Field[])[] = [];
  private readonly texts: string[] = [];
  private readonly numberOfText = new Map<string, number>();
  private readonly leaves: number[] = [];
  private cursor = 0;

  /** The leaves of a call, valid until the next call is encoded; sets `skeleton`. */
  encode(call: Call): readonly number[] {
    this.leaves.length = 0;
    const end = this.walk(call as unknown as Node, this.root);
    if (end.skeleton < 0) end.skeleton = this.skeletons.push(fieldsOf(call as unknown as Node)) - 1;
    this.skeleton = end.skeleton;
    return this.leaves;
  }

  /** The call of a skeleton whose leaves begin at `begin`. */
  decode(skeleton: number, leaves: ArrayLike<number>, begin: number): Call {
    this.cursor = begin;
    return this.made({}, this.skeletons[skeleton] as readonly Field[], leaves) as unknown as Call;
  }

  private walk(node: Node, from: Step): Step {
    let step = from;
    for (const key in node) {
      const value = node[key];
      if (value === undefined) continue;
      step = step.to(key);
      if (key === 'kind') step = step.to(value);
      else if (typeof value === 'number') {
        step = step.to(NUMBER);
        this.leaves.push(value);
      } else if (typeof value === 'string') {
        step = step.to(TEXT);
        if (step.text !== value || step.textNumber < 0) {
          step.textNumber = this.numberOf(value);
          step.text = value;
        }
        this.leaves.push(step.textNumber);
      } else if (typeof value === 'object' && value !== null) {
        step = this.walk(value as Node, step.to(Array.isArray(value) ? LIST : OBJECT)).to(END);
      } else step = step.to(value);
    }
    return step;
  }

  private numberOf(text: string): number {
    let number = this.numberOfText.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numberOfText.set(text, number);
    }
    return number;
  }

  private made(into: object, fields: readonly Field[], leaves: ArrayLike<number>): object {
    const made = into as Record<string, unknown>;
    for (const field of fields) made[field.key] = this.value(field, leaves);
    return made;
  }

  private value(field: Field, leaves: ArrayLike<number>): unknown {
    switch (field.holds) {
      case 'number':
        return leaves[this.cursor++];
      case 'text':
        return this.texts[leaves[this.cursor++] as number];
      case 'literal':
        return field.value;
      case 'object':
        return this.made({}, field.fields, leaves);
      case 'list':
        return this.made([], field.fields, leaves);
    }
  }
}

function fieldsOf(node: Node): Field[] {
  return Object.entries(node)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      if (key === 'kind') return { key, holds: 'literal', value };
      if (typeof value === 'number') return { key, holds: 'number' };
      if (typeof value === 'string') return { key, holds: 'text' };
      if (typeof value !== 'object' || value === null) return { key, holds: 'literal', value };
      return { key, holds: Array.isArray(value) ? 'list' : 'object', fields: fieldsOf(value as Node) };
    });
}
