/** Something that a trace does not tell, or that was assumed in its place. */
export interface Finding {
  /** `unknown` is missing from the program; `assumed` stands in it though nobody said so; `left out` was not of use. */
  readonly kind: 'unknown' | 'assumed' | 'left out';
  readonly what: string;
  readonly count: number;
  /** One of them. */
  readonly example: string;
}

/** Counts what could not be known. */
export class Findings {
  readonly #byText = new Map<string, { kind: Finding['kind']; what: string; count: number; example: string }>();

  add(kind: Finding['kind'], what: string, example = '', count = 1): void {
    const key = `${kind} ${what}`;
    const known = this.#byText.get(key);
    if (known === undefined) this.#byText.set(key, { kind, what, count, example });
    else known.count += count;
  }

  list(): Finding[] {
    const order = { unknown: 0, assumed: 1, 'left out': 2 };
    return [...this.#byText.values()].sort((a, b) => order[a.kind] - order[b.kind] || b.count - a.count);
  }
}

/** Findings as text, a line each. */
export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ kind, what, count, example }) =>
        `${kind.padEnd(8)} ${count} x ${what}${example === '' ? '' : `, e.g. ${example}`}\n`,
    )
    .join('');
}
