import { expect, test } from 'vitest';
import { readTests } from './read-tests.mjs';
import { readRules, ruleProblems, rulesOfTest, rulesPage } from './rules-and-tests.mjs';

const PAGE = `# Rules

## 2. Derived
1. Full edges order.

## 5. Streams
| # | rule | source |
|---|---|---|
| 5.1 | Legacy stream. It waits. | API |
| 5.22 | Capture | API |

## 7. Limits
7.1, the table; 7.2, units, in this order:

| CC | warps |
|---|---|
| 8.0 | 64 |

## 9. Conflicts
| id | question |
|---|---|
| C1 | wait |
`;
const RULES = readRules(PAGE);

test('rules are the numbered rows, items and names of a page', () => {
  expect(RULES.map(({ title, rules }) => [title, rules.map(({ id }) => id)])).toEqual([
    ['2. Derived', ['2.1']],
    ['5. Streams', ['5.1', '5.22']],
    ['7. Limits', ['7.1', '7.2']],
  ]);
});

test('tests are found whatever modifies them, but for those that do not run', () => {
  const source = `
    describe('5.9 not a test', () => {
      it('plain', () => {});
      it.each([1])('each %s', () => {});
      test.skipIf(slow)(\`now \${and} then\`, () => {});
      it.skip('never', () => {});
      test.todo('later');
      exit('no test');
    });
    it('alone', () => {});`;
  expect(readTests('some.test.ts', source)).toEqual([
    { name: 'plain', within: ['5.9 not a test'] },
    { name: 'each %s', within: ['5.9 not a test'] },
    { name: 'now … then', within: ['5.9 not a test'] },
    { name: 'alone', within: [] },
  ]);
});

test.each([
  ['5.22 a call', ['5.22']],
  ['5.5, 5.7 and 6.1 together', ['5.5', '5.7', '6.1']],
  ['4.1 to 4.3 ports', ['4.1', '4.3', '4.2']],
  ['[a-report-12] 5.4 an event', ['5.4']],
  ['wakes 1.4 to 3 us apart', []],
  ['5.22.1 a version', []],
])('the rules of %j are %j', (name, rules) => {
  expect(rulesOfTest(name)).toEqual(rules);
});

test('a rule without a test or reason, a test without a rule, and a reason without need are problems', () => {
  const shown = [
    { file: 'a.test.ts', name: '5.1 orders' },
    { file: 'a.test.ts', name: '5.3 what' },
  ];
  const reason = (/** @type {string} */ rule) => ({ rule, where: 'ptx', reason: 'reads code' });
  const part = { ...reason('5.1'), part: 'what it costs' };
  expect(ruleProblems(RULES, shown, [reason('5.1'), part, reason('7.1'), reason('8.8')])).toEqual([
    'rule 5.22 has no test whose name begins with its number',
    'rule 7.2 has no test whose name begins with its number',
    'a.test.ts: "5.3 what" is about rule 5.3, which docs/RULES.md does not have',
    'there is no rule 8.8 to give a reason for',
    'rule 5.1 has a test and needs no reason',
  ]);
});

test('the page names each rule with its tests, or why it has none', () => {
  const page = rulesPage(
    RULES,
    [{ file: 'a.test.ts', name: '5.1 a<b', within: ['streams'] }],
    [
      { rule: '5.22', where: 'ptx', reason: 'reads code' },
      { rule: '5.1', part: 'its cost', where: 'not modelled', reason: 'unknown' },
    ],
  );
  const lines = page.split('\n');
  const after = (/** @type {string} */ head) => lines.slice(lines.indexOf(head), lines.indexOf(head) + 5);
  expect(after('### 5.1 Legacy stream. It waits')).toEqual([
    '### 5.1 Legacy stream. It waits',
    '',
    '- streams › 5.1 a&lt;b (`a.test.ts`)',
    '- *its cost, not modelled: unknown*',
    '',
  ]);
  expect(after('### 5.22 Capture')).toContain('- *ptx: reads code*');
  expect(after('### 2.1 Full edges order')).toEqual([
    '### 2.1 Full edges order',
    '',
    '## 5. Streams',
    '',
    expect.anything(),
  ]);
});
