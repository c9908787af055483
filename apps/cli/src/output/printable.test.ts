import { expect, it } from 'vitest';
import { renderColumns } from './columns.ts';
import { printable, printableLine } from './printable.ts';

it('shows what a terminal would obey, and keeps lines', () => {
  expect(printable('\u001b[31mred\u009b\u202e\na\tb')).toBe('\\u001b[31mred\\u009b\\u202e\na\\u0009b');
  expect(printableLine('a\nb')).toBe('a\\nb');
  expect(printable('\u00e4\u6f22\u2500')).toBe('\u00e4\u6f22\u2500');
});

it('leaves the meaning of JSON as it is', () => {
  const value = { name: '\u001b\u009b\u2028\n"' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

it('keeps cells of a table in their row', () => {
  expect(renderColumns([{ title: 'name' }], [['a\u001b[1m\nb']]).split('\n')[2]).toBe('a\\u001b[1m\\nb');
});
