import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './workspaces.mjs';

/**
 * @typedef {object} Summary
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} problems one line for each failure that is not a failed test
 */

/**
 * Adds up vitest's JSON reports. A file that could not be loaded, a workspace without a report, and a failed run whose reports
 * show no failure (an error outside the tests, or a failed build) count as one failure each.
 * @param {string} folder where the reports are, `<workspace>.json`
 * @param {string[]} expected short names of the workspaces that have tests
 * @param {number} status exit status of the run
 * @returns {Summary}
 */
export function summarise(folder, expected, status) {
  const summary = { passed: 0, failed: 0, skipped: 0, problems: /** @type {string[]} */ ([]) };
  /** @param {string} problem */
  const fail = (problem) => {
    summary.failed += 1;
    summary.problems.push(problem);
  };
  for (const name of expected) {
    const file = join(folder, `${name}.json`);
    if (!existsSync(file)) {
      fail(`${name}: has tests, but they did not run`);
      continue;
    }
    const report = readJson(file);
    summary.passed += report.numPassedTests;
    summary.failed += report.numFailedTests;
    summary.skipped += report.numPendingTests + report.numTodoTests;
    for (const result of report.testResults) {
      const noTestFailed = result.assertionResults.every((/** @type {any} */ test) => test.status !== 'failed');
      if (result.status === 'failed' && noTestFailed) fail(`${name}: ${result.name} failed outside its tests`);
    }
  }
  if (status !== 0 && summary.failed === 0) fail(`the run failed outside the tests (status ${status})`);
  return summary;
}

/** @param {Summary} summary @returns {string} `N passed, N failed`, and what was skipped, if anything was */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
