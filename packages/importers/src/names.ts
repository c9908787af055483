const LONGEST = 900;
const LONGEST_LABEL = 120;

/** A text of a trace as a name: without control characters, and not too long. */
export function nameFrom(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, ' ').trim();
  return clean === '' ? 'unnamed' : clean.length > LONGEST ? `${clean.slice(0, LONGEST)}...` : clean;
}

/** A kernel's name without return type, template arguments and parameters. */
export function shortName(name: string): string {
  const plain = name.replaceAll('(anonymous namespace)::', '').replace(/^void /, '');
  const cut = /^[^<( ]+/.exec(plain)?.[0] ?? plain;
  const last = cut.split('::').at(-1);
  return nameFrom(last === undefined || last === '' ? plain : last).slice(0, LONGEST_LABEL);
}

const VARIANT = / ~\d+$/;

/** The name that a trace gave to a kernel of the program: launches that took another time are kernels `name ~2`. */
export function tracedName(kernel: string): string {
  return kernel.replace(VARIANT, '');
}

/** Gives out names, each once. */
export class Names {
  readonly #taken = new Map<string, number>();

  /** The name itself, or with `~2`, `~3` where it is taken. */
  unique(name: string, separator = ' ~'): string {
    const count = (this.#taken.get(name) ?? 0) + 1;
    this.#taken.set(name, count);
    return count === 1 ? name : `${name}${separator}${count}`;
  }
}
