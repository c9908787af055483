import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LocalRuns } from './local/local-runs.ts';
import { generator, uniform } from './random.ts';
import { runSweep } from './run-sweep.ts';
import type { Finished, Runs } from './runs.ts';
import { readResults, Store } from './store/store.ts';
import { sweepOf, temporaryFolder } from './sweep.fixture.ts';

vi.setConfig({ testTimeout: 1_200_000 });

const folder = temporaryFolder();
afterAll(() => folder.remove());

const PROCESS = fileURLToPath(new URL('./sweep-process.fixture.mjs', import.meta.url));
const IS_FULL = process.env.GRIDDEP_FULL === '1';
const KILLS = IS_FULL ? 50 : 3;
const COUNT = IS_FULL ? 99 : 25;
/** A process is killed at the latest so long after it has begun; the sweep takes longer. */
const LATEST_MS = 1500;

const SWEEP = `schema: griddep/sweep@1
name: killed
input: { scenario: iterative-solver }
set: { iterations: 16 }
axes:
  pdl: [true, false]
  checkEvery: [2, 4]
  launch: { varies: constant.launchSpacing, relative: true, from: 0.1, to: 4, count: ${COUNT} }
record: [makespan, { name: perIteration, expression: makespan / 16 }]
`;
const file = folder.file('killed.sweep.yaml');
writeFileSync(file, SWEEP);

/** What two files of one sweep have in common: all but how long runs took and how often they were begun. */
function comparable(path: string) {
  const { rows, sweep } = readResults(path);
  return { sweep, rows: rows.map((row) => ({ ...row, duration: 0, attempt: 0 })) };
}

describe('resuming', () => {
  it(`a sweep killed at ${KILLS} random moments and resumed equals one that was not`, async () => {
    const undisturbed = folder.file('undisturbed.db');
    await runToEnd(undisturbed);
    const expected = comparable(undisturbed);
    expect(expected.rows.length).toBe(4 * COUNT);
    const draw = generator(11, 'kills');
    let path = folder.file('killed-0.db');
    let killed = 0;
    let whole = 0;
    while (killed < KILLS) {
      if (await runAndKill(path, uniform(draw) * LATEST_MS)) killed += 1;
      else {
        expect(comparable(path)).toEqual(expected);
        path = folder.file(`killed-${++whole}.db`);
      }
    }
    await runToEnd(path);
    expect(comparable(path)).toEqual(expected);
    expect(readdirSync(folder.path).filter((name) => /-wal|-journal|\.owner|\.lock/.test(name))).toEqual([]);
  });

  it('what has run is not run again, also where the sweep has grown', async () => {
    const head = 'schema: griddep/sweep@1\ninput: { scenario: fork-join }\n';
    const output = folder.file('grown.db');
    const counted = async (text: string) => {
      const sweep = sweepOf(head + text);
      const runs = new LocalRuns(1, sweep.texts);
      const { rows, ran } = await runSweep(sweep, runs, { output, resume: true });
      await runs.close();
      return {
        ran,
        points: rows.map(({ parameters, recorded }) => ({ ...parameters, recorded: Object.keys(recorded) })),
      };
    };
    expect((await counted('axes: { branches: [1, 2] }\n')).ran).toBe(2);
    expect((await counted('axes: { branches: [1, 2] }\n')).ran).toBe(0);
    const grown = await counted('axes: { branches: [3, 2, 1] }\nrecord: [hostTotal]\n');
    expect(grown.ran).toBe(1);
    expect(grown.points).toEqual([3, 2, 1].map((branches) => ({ branches, recorded: ['hostTotal'] })));
    expect((await counted('axes: { branches: [2] }\n')).points).toEqual([{ branches: 2, recorded: ['makespan'] }]);
  });
});

describe('a results file', () => {
  const context = { version: '1', seed: 0, record: () => ({}) };

  it('that exists is not overwritten without --resume', () => {
    const path = folder.file('exists.db');
    Store.open(path, context).close();
    expect(() => Store.open(path, context)).toThrow(`${path}: exists; --resume goes on with it`);
    Store.open(path, context, { resume: true }).close();
  });

  it('that is in use, or none, is refused', () => {
    const path = folder.file('used.db');
    const store = Store.open(path, context);
    expect(() => readResults(path)).toThrow('is in use by this process');
    store.close();
    expect(readResults(path).rows).toEqual([]);
    expect(() => readResults(file)).toThrow(`${file}: is no results file of a sweep`);
    expect(readdirSync(folder.path).filter((name) => name.includes('.owner'))).toEqual([]);
  });

  it('takes a result that comes twice once', () => {
    const path = folder.file('twice.db');
    const store = Store.open(path, context);
    const [point] = [{ index: 0, key: 'k', parameters: { a: 1 }, job: {} }] as unknown as [Finished['point']];
    for (const attempt of [1, 2])
      store.add({ point, outcome: { statistics: { makespan: 1 }, hash: 'h' }, duration: 1, attempt });
    expect(store.rows()).toMatchObject([{ key: 'k', attempt: 1 }]);
    store.close();
  });
});

it('what failed to be made is a row with its error, and the sweep goes on', async () => {
  const sweep = sweepOf(
    'schema: griddep/sweep@1\ninput: { scenario: unfit-full-sms }\naxes: { shared: { varies: limit.sharedMemoryPerBlockOptIn, values: [1024, 232448] } }\n',
  );
  const runs: Runs = new LocalRuns(1, sweep.texts);
  const { rows } = await runSweep(sweep, runs, { output: folder.file('failing.db') });
  await runs.close();
  expect(rows[0]?.error).toMatch(/shared|machine h200 as changed/);
  expect(rows[1]?.error).toBe(undefined);
});

async function runToEnd(path: string): Promise<void> {
  const child = spawn(process.execPath, [PROCESS, file, path], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

/** Whether the process was killed before it had ended. */
async function runAndKill(path: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROCESS, file, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await Promise.race([sleep(afterMs), ended]);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL';
}
