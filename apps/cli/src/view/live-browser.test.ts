import { existsSync, readFileSync } from 'node:fs';
import { INSTANTS, readTimeline } from '@griddep/timeline';
import { columnsOf } from '@griddep/viewer';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../griddep.fixture.ts';
import { browserFixture, expectAccessible, ready, type Serving, serving } from './browser.fixture.ts';

const { open, picture } = browserFixture();
const { path, griddep } = workFolder();
const MINUTE = 60_000;

/** A decode step whose simulation takes seconds, and one that takes no time. */
const decode = (steps: number, layers = 128) => [
  ...['run', '--scenario', 'tensor-parallel-decode', '--machine', 'h200x2', '--rows', '1'],
  ...['--set', 'devices=2', '--set', `layers=${layers}`, '--set', `steps=${steps}`],
];
const LONG = decode(20);
const ENDLESS = decode(64);
const SHORT = decode(1, 2);

/** Waits for intervals on the page of a run that goes on; returns the instants of some of them. */
async function firstIntervals(page: Page): Promise<(number | null)[]> {
  let found: (number | null)[] = [];
  const look = async () => {
    found = (await page.evaluate(
      `(() => {
        const [run] = griddepView.runs;
        if (run?.isRunning !== true || document.documentElement.hasAttribute('data-ready')) return [];
        return [...run.store.columns.instants.subarray(0, ${1000 * INSTANTS.length})].map((t) => (t === t ? t : null));
      })()`,
    )) as (number | null)[];
    return found.length / INSTANTS.length;
  };
  await expect.poll(look, { timeout: MINUTE, interval: 50 }).toBeGreaterThan(100);
  return found;
}

const rowsOf = (instants: ArrayLike<number | null>): string[] =>
  Array.from({ length: instants.length / INSTANTS.length }, (_, row) =>
    JSON.stringify(Array.from(INSTANTS, (_, i) => instants[row * INSTANTS.length + i])),
  );

/** The columns of the timeline that the page shows now. */
const shown = (page: Page) =>
  page.evaluate(`(async () => {
    const { instants, facts } = griddepView.runs[0].store.columns;
    const digest = async (column) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', column.slice()))];
    return [await digest(instants), await digest(facts)];
  })()`);

async function digests({ instants, facts }: Pick<ReturnType<typeof columnsOf>, 'instants' | 'facts'>) {
  const digest = async (column: Float64Array | Int32Array) => [
    ...new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(new Uint8Array(column.buffer)))),
  ];
  return [await digest(instants), await digest(facts)];
}

/** The timeline of the long run, as `griddep run` saves it. */
function expected() {
  if (!existsSync(path('timeline.json'))) griddep([...LONG, '--save', 'timeline.json']);
  return columnsOf(readTimeline(readFileSync(path('timeline.json'), 'utf8')));
}

describe('griddep run --view', () => {
  it.each([
    ['in one thread', 'sequential'],
    ['in two', '2'],
  ])(
    'shows intervals while the run goes on, and in the end the timeline: %s',
    async (_, workers) => {
      const columns = expected();
      const { url } = await serving([...LONG, '--workers', workers, '--view']);
      const { page, strangers, problems } = await open(url);
      const early = await firstIntervals(page);
      await page.waitForSelector('#progress');
      await picture(page, `running-${workers}`);
      const all = new Set(rowsOf(Array.from(columns.instants, (t) => (Number.isNaN(t) ? null : t))));
      expect(rowsOf(early).filter((row) => !all.has(row))).toEqual([]);
      await page.locator('#scroll').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('#why').textContent()).toContain('when the simulation is over');
      await expectAccessible(page);
      await ready(page);
      expect(await page.locator('#progress').count()).toBe(0);
      expect(await shown(page)).toEqual(await digests(columns));
      expect({ strangers, problems }).toEqual({ strangers: [], problems: [] });
    },
    4 * MINUTE,
  );

  it(
    'ends once its page is closed, also one that was closed before the run was over',
    async () => {
      const short = await serving([...SHORT, '--view']);
      const first = await open(short.url);
      await ready(first.page);
      await first.page.reload();
      await ready(first.page);
      await first.page.close();
      expect(await short.ended).toBe(0);
      const long = await serving([...LONG, '--view']);
      const second = await open(long.url);
      await firstIntervals(second.page);
      await second.page.close();
      expect(await long.ended).toBe(0);
    },
    2 * MINUTE,
  );

  it(
    'is there until it is interrupted where nobody opens its page',
    async () => {
      const run = await serving([...SHORT, '--view']);
      expect(await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, 6000, 'there'))])).toBe(
        'there',
      );
      run.kill('SIGINT');
      expect(await run.ended).toBe(0);
    },
    MINUTE,
  );

  it.each(['sequential', '2'])(
    'is interrupted within a second while it simulates, and the page says so: --workers %s',
    async (workers) => {
      const run = await serving([...ENDLESS, '--workers', workers, '--view']);
      const { page } = await open(run.url);
      await firstIntervals(page);
      const took = await interrupted(run);
      expect(took).toBeLessThan(1000);
      await expect.poll(() => page.locator('#status').textContent()).toContain('the simulation went away');
      expect(await page.evaluate('griddepView.runs[0].store.count')).toBeGreaterThan(0);
    },
    MINUTE,
  );

  it(
    'tells the page why it failed, and ends',
    async () => {
      const run = await serving([...ENDLESS, '--view', '--max-events', '400000']);
      const { page } = await open(run.url);
      await expect.poll(() => page.locator('#status').textContent(), { timeout: MINUTE }).toContain('events');
      expect(await run.ended).toBe(2);
      await expect.poll(() => page.locator('#status.error').textContent()).toContain('400');
    },
    MINUTE,
  );
});

async function interrupted({ kill, ended }: Serving): Promise<number> {
  const began = performance.now();
  kill('SIGINT');
  expect(await ended).toBe('SIGINT');
  return performance.now() - began;
}
