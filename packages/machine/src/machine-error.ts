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
