import { expect, it } from 'vitest';
import { Expressions, escapeExpression, type Value } from './expression.ts';

const environment = new Map<string, Value>([
  ['n', 3],
  ['size', '64KiB'],
  ['pdl', true],
]);
const of = (text: string) => new Expressions().text(text, environment);
const e = (source: string) => `$\{${source}}`;

it('keeps the type of a lone expression and joins others as text', () => {
  expect(of(e('n'))).toBe(3);
  expect(of(e('pdl'))).toBe(true);
  expect(of(`k${e('n')}-${e('n + 1')}`)).toBe('k3-4');
});

it('computes with arithmetic, comparison, choice, functions and quantities', () => {
  expect(of(e('(n + 1) * 2 % 5'))).toBe(3);
  expect(of(e('n > 2 && pdl ? "a" : "b"'))).toBe('a');
  expect(of(e('max(n, 7) - -1'))).toBe(8);
  expect(of(e('size * 2'))).toBe(131_072);
});

it('tells the names that it uses, also of what is not evaluated', () => {
  const names = (text: string) => [...new Expressions().names(text)];
  expect(names(`a${e('n > 1 || m')}-${e('pdl ? -size : min(n, o * 2)')}`)).toEqual(['n', 'm', 'pdl', 'size', 'o']);
  expect(names('n')).toEqual([]);
});

it('reads escaped text as it stands', () => {
  for (const text of [e('x'), `a$${e('x')}`, '$$', '${'.repeat(3)]) expect(of(escapeExpression(text))).toBe(text);
});

it.each([
  ['m', 'unknown parameter "m"; there are n, size, pdl'],
  ['n.constructor', 'not this'],
  ['[n]', 'not this'],
  ['flor(n)', 'did you mean "floor"?'],
  ['n +', 'bad expression'],
  ['n n', 'one value'],
  ['pdl * 2', 'true is no number'],
])('refuses %s', (source, problem) => {
  expect(() => of(e(source))).toThrow(problem);
});
