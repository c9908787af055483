import { type Path, ProgramError } from './errors.ts';
import { nearestName } from './nearest-name.ts';
import { describeArgument } from './option-keys.ts';

/** Anything that has been declared, or its name. */
export type Ref = string | { readonly name: string };

/** The name in a reference; ProgramError when it is none, which says what stands there instead. */
export function nameOf(ref: Ref, what = 'object'): string {
  if (typeof ref === 'string') return ref;
  const name = (ref as { readonly name?: unknown } | null | undefined)?.name;
  if (typeof name === 'string') return name;
  throw new ProgramError(
    `expected ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} (declared, or its name), got ${describeArgument(ref)}`,
    { path: [what] },
  );
}

/** Characters of a name, label or range. */
const LONGEST_NAME = 1000;

/** What is wrong with a name as text: undefined when nothing is. Timelines and their writers show names as they are. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'a name must not be empty';
  if (name.length > LONGEST_NAME) return `a name has at most ${LONGEST_NAME} characters, this one has ${name.length}`;
  const control = /\p{Cc}/u.exec(name)?.[0];
  if (control === undefined) return undefined;
  const code = (control.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return `a name must not hold control characters, this one has U+${code}`;
}

/** The name itself. Throws ProgramError unless it is a text that can be one; `what` bears it. */
export function checkedName(name: string, what: string, path: Path = []): string {
  const problem = typeof name === 'string' ? nameProblem(name) : `got ${describeArgument(name)}`;
  if (problem === undefined) return name;
  throw new ProgramError(`${what}: ${problem}`, { path, offending: String(name).slice(0, 60) });
}

const LONGEST = 200;
/** With more names than this, an error lists none. */
const MOST_LISTED = 8;

/** The error for a name that nothing valid bears. `field` is the argument that held it. */
export function unknownName(what: string, name: string, candidates: Iterable<string>, field?: string): ProgramError {
  const valid = [...candidates];
  const nearest = nearestName(name, valid);
  const shown = JSON.stringify(name.length > LONGEST ? `${name.slice(0, LONGEST)}...` : name);
  return new ProgramError(`unknown ${what} ${shown}${nearest === undefined ? listOf(what, valid) : ''}`, {
    offending: name,
    ...(field === undefined ? {} : { path: [field] }),
    ...(nearest === undefined ? {} : { nearest }),
  });
}

function listOf(what: string, names: readonly string[]): string {
  if (names.length === 0) return `; there is no ${what}`;
  if (names.length > MOST_LISTED) return '';
  return names.length === 1 ? `; there is only ${names[0]}` : `; there are ${names.join(', ')}`;
}

/** The declared objects of one kind, by name. */
export class NameTable<T> {
  readonly what: string;
  readonly map = new Map<string, T>();

  constructor(what: string) {
    this.what = what;
  }

  /** Throws ProgramError on a text that cannot be a name, and on one declared before. */
  declare(name: string, value: T): T {
    if (typeof name !== 'string' || name === '') throw new ProgramError(`a ${this.what} needs a name`);
    checkedName(name, this.what);
    if (this.map.has(name)) {
      throw new ProgramError(`${this.what} ${JSON.stringify(name)} is declared twice`, { offending: name });
    }
    this.map.set(name, value);
    return value;
  }

  /** Throws ProgramError with the nearest declared name. */
  get(name: string, field: string = this.what): T {
    const value = this.map.get(name);
    if (value === undefined) throw unknownName(this.what, String(name), this.map.keys(), field);
    return value;
  }
}
