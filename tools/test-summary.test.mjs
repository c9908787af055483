import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { summarise, summaryLine } from './test-summary.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'griddep-summary-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {Record<string, unknown>} report */
function write(name, report) {
  const empty = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...empty, ...report }));
}

test('counts are added over the workspaces', () => {
  write('a', { numPassedTests: 3, numPendingTests: 1 });
  write('b', { numPassedTests: 4, numFailedTests: 2 });
  const summary = summarise(folder, ['a', 'b'], 1);
  expect(summary).toEqual({ passed: 7, failed: 2, skipped: 1, problems: [] });
  expect(summaryLine(summary)).toBe('7 passed, 2 failed, 1 skipped');
});

test('nothing skipped is not mentioned', () => {
  expect(summaryLine({ passed: 5, failed: 0, skipped: 0, problems: [] })).toBe('5 passed, 0 failed');
});

test('a file that could not be loaded is a failure', () => {
  write('a', { numPassedTests: 1, testResults: [{ name: 'x.test.ts', status: 'failed', assertionResults: [] }] });
  expect(summarise(folder, ['a'], 1).failed).toBe(1);
});

test('a file with a failed test is not counted twice', () => {
  const testResults = [{ name: 'x.test.ts', status: 'failed', assertionResults: [{ status: 'failed' }] }];
  write('a', { numFailedTests: 1, testResults });
  expect(summarise(folder, ['a'], 1).failed).toBe(1);
});

test('a workspace whose tests did not run is a failure', () => {
  expect(summarise(folder, ['a'], 0)).toMatchObject({ failed: 1, problems: ['a: has tests, but they did not run'] });
});

test('a failed run without a failed test is a failure', () => {
  write('a', { numPassedTests: 1 });
  expect(summarise(folder, ['a'], 2)).toMatchObject({ passed: 1, failed: 1 });
});
