import { closest } from 'fastest-levenshtein';
import { ProgramError } from './errors.ts';

/** Anything that has been declared, or its name. */
export type Ref = string | { readonly name: string };

export function nameOf(ref: Ref): string {
  return typeof ref === 'string' ? ref : ref.name;
}

const MOST_CANDIDATES = 20_000;
const LONGEST = 200;

/** The candidate with the least edit distance to `name`; undefined when there is none. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const some: string[] = [];
  for (const candidate of candidates) {
    if (some.push(candidate) === MOST_CANDIDATES) break;
  }
  return some.length === 0 ? undefined : closest(name.slice(0, LONGEST), some);
}

/** The error for a name that nothing valid bears. `field` is the argument that held it. */
export function unknownName(what: string, name: string, candidates: Iterable<string>, field?: string): ProgramError {
  const nearest = nearestName(name, candidates);
  const shown = JSON.stringify(name.length > LONGEST ? `${name.slice(0, LONGEST)}...` : name);
  const none = nearest === undefined ? `; the program declares no ${what}` : '';
  return new ProgramError(`unknown ${what} ${shown}${none}`, {
    offending: name,
    ...(field === undefined ? {} : { path: [field] }),
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** The declared objects of one kind, by name. */
export class NameTable<T> {
  readonly what: string;
  readonly map = new Map<string, T>();

  constructor(what: string) {
    this.what = what;
  }

  /** Throws ProgramError on an empty name and on one declared before. */
  declare(name: string, value: T): T {
    if (typeof name !== 'string' || name === '') throw new ProgramError(`a ${this.what} needs a name`);
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
