import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PtxError } from './errors.ts';
import { fixture, lintText } from './expected.fixture.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 2000 : 200;
const SEED = 8;
/** Milliseconds for one file of at most 40 KB; unchanged ones take a few. */
const LONGEST = 5000;

const TEXTS = ['rms-pdl', 'roles', 'loops', 'order', 'hand/paths', 'hand/hoist'].map((name) => fixture(`${name}.ptx`));
const PIECES = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ':',
    ',',
    '@',
    '"',
    '/*',
    '*/',
    '//',
    '\n',
    '\0',
    '.loc 1 1 1\n',
    '.section .x',
  ],
  ...[
    'griddepcontrol.wait;',
    'bra $L__BB0_1;',
    'ret;',
    '%rd1',
    '@%p1 ',
    '.entry k()',
    '.reg .b32 %r<9>;',
    'bar.sync 0;',
  ],
  ...['call f;', '.branchtargets', 'ts: .branchtargets a;', 'brx.idx %r1, ts;', '9e999', '-', '0x', 'é', '.func f() {'],
];

type Change = {
  readonly at: number;
  readonly length: number;
  readonly kind: 'remove' | 'insert' | 'copy' | 'swap';
  readonly piece: string;
};

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.nat(4), fc.nat(400)),
  kind: fc.constantFrom('remove', 'insert', 'copy', 'swap'),
  piece: fc.constantFrom(...PIECES),
});

function mutate(text: string, { at, length, kind, piece }: Change): string {
  const from = Math.floor(at * text.length);
  const to = Math.min(text.length, from + length);
  const part = text.slice(from, to);
  if (kind === 'remove') return text.slice(0, from) + text.slice(to);
  if (kind === 'insert') return text.slice(0, from) + piece + text.slice(from);
  if (kind === 'copy') return text.slice(0, to) + part + text.slice(to);
  return text.slice(0, from) + part.split('\n').reverse().join('\n') + text.slice(to);
}

it(`7.12 reads or refuses ${RUNS} mutated files, each with a place, and never hangs`, { timeout: 600_000 }, () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...TEXTS), fc.array(change, { minLength: 1, maxLength: 6 }), (text, changes) => {
      const mutated = changes.reduce(mutate, text);
      const begin = performance.now();
      try {
        for (const { findings } of lintText(mutated)) {
          for (const { line, column } of findings) expect(Math.min(line, column)).toBeGreaterThan(0);
        }
        read += 1;
      } catch (error) {
        if (!(error instanceof PtxError)) throw error;
        expect(error.line).toBeGreaterThan(0);
        expect(error.line).toBeLessThanOrEqual(mutated.split('\n').length);
        refused += 1;
      }
      expect(performance.now() - begin).toBeLessThan(LONGEST);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  // The mutations are of both kinds, or this shows nothing.
  expect(Math.min(read, refused)).toBeGreaterThan(RUNS / 20);
});
