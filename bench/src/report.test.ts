import { expect, test } from 'vitest';
import { comparison, rateText, rows } from './report.ts';
import type { Measurement } from './suite.ts';

const measured = (name: string, rate: number, ratio: number, target?: number): Measurement => ({
  suite: 's',
  group: 'g',
  case: name,
  unit: 'events/s',
  rate,
  ratio,
  spread: 1.26,
  samples: 10,
  ...(target === undefined ? {} : { target }),
});

test('rates have three significant digits', () => {
  expect([12_345_678, 1e6, 999, 12_340, 0.0123].map(rateText)).toEqual(['12.3 M', '1.00 M', '999', '12.3 k', '0.0123']);
});

test('rows say whether a target is met', () => {
  expect(rows([measured('a', 2, 1, 1), measured('b', 0.5, 0.25, 1)]).map((r) => r.target)).toEqual([
    'met (1)',
    'missed (1)',
  ]);
  expect(rows([measured('a', 2e6, 1)])).toEqual([
    { group: 'g', case: 'a', 'events/s': '2.00 M', ratio: '1.00', 'spread %': '1.3', samples: '10' },
  ]);
});

test('a comparison has the cases of both runs alone', () => {
  const before = [measured('a', 100, 1), measured('gone', 1, 1)];
  const after = [measured('a', 150, 1), measured('new', 1, 1)];
  expect(comparison(before, after)).toEqual([
    {
      suite: 's',
      group: 'g',
      case: 'a',
      before: '100',
      after: '150',
      'after/before': '1.50',
      'ratio before': '1.00',
      'ratio after': '1.00',
    },
  ]);
});
