import { distance } from 'fastest-levenshtein';

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Bad input that describes a machine. The message begins with `file:line:column` where there is a text. */
export class MachineError extends Error {
  readonly file: string | undefined;
  readonly place: Place | undefined;
  /** The message without place and nearest name. */
  readonly reason: string;
  /** The offending text. */
  readonly text: string;
  /** The nearest valid name, if one is near. */
  readonly nearest: string | undefined;

  constructor(message: string, text: string, at?: { file: string; place: Place }, nearest?: string) {
    const where = at === undefined ? '' : `${at.file}:${at.place.line}:${at.place.column}: `;
    super(`${where}${message}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`);
    this.name = 'MachineError';
    this.file = at?.file;
    this.place = at?.place;
    this.reason = message;
    this.text = text;
    this.nearest = nearest;
  }
}

/** The valid name closest to a text by edit distance, if less than half of it would have to change. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(text.length / 2));
  for (const name of names) {
    const edits = distance(lower, name.toLowerCase());
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}
