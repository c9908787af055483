import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../sweep.fixture.ts';
import { lockFile } from './lock.ts';

vi.setConfig({ testTimeout: 60_000 });

const PROCESS = fileURLToPath(new URL('./lock-process.fixture.mjs', import.meta.url));
const ROUNDS = 200;
/** So long after it is told does a process take a file, ms: all have to be told by then. */
const NOTICE_MS = 4;

const folder = temporaryFolder();
const taking: Taking[] = [];
afterEach(() => {
  for (const { kill } of taking.splice(0)) void kill();
});
afterAll(() => folder.remove());

/** A process that takes files when it is asked to. */
interface Taking {
  /** `at`: not before then, ms since 1970. Answers `taken`, or why not. */
  readonly take: (path: string, at?: number) => Promise<string>;
  readonly release: () => Promise<string>;
  readonly kill: () => Promise<void>;
}

function startTaking(): Taking {
  const child = spawn(process.execPath, [PROCESS], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return String((await lines.next()).value);
  };
  const started: Taking = {
    take: (path, at = 0) => ask(`take ${path} ${at}`),
    release: () => ask('release'),
    kill: async () => {
      if (!child.kill('SIGKILL')) return;
      await once(child, 'exit');
    },
  };
  taking.push(started);
  return started;
}

const soon = () => performance.timeOrigin + performance.now() + NOTICE_MS;
const locks = () => readdirSync(folder.path).filter((name) => /\.owner|\.lock/.test(name));

it(`of two processes that come at once for a file whose owner was killed one gets it, in each of ${ROUNDS} files`, async () => {
  const files = Array.from({ length: ROUNDS }, (_, i) => folder.file(`${i}.db`));
  const killed = startTaking();
  for (const file of files) expect(await killed.take(file)).toBe('taken');
  await killed.kill();
  const [first, second] = [startTaking(), startTaking()];
  const outcomes: string[] = [];
  for (const file of files) {
    const at = soon();
    const answers = await Promise.all([first.take(file, at), second.take(file, at)]);
    outcomes.push(
      answers
        .map((answer) => answer.replace(/.* is in use by process \d+$/, 'refused'))
        .sort()
        .join(),
    );
    await Promise.all([first.release(), second.release()]);
  }
  expect(outcomes).toEqual(files.map(() => 'refused,taken'));
  expect(locks()).toEqual([]);
});

it('a file is taken while its owner lives, and free again when it gives it back or is killed', async () => {
  const file = folder.file('one.db');
  const owner = startTaking();
  expect(await owner.take(file)).toBe('taken');
  expect(await owner.take(file)).toBe(`${file}: is in use by this process`);
  expect(() => lockFile(file)).toThrow(/one\.db: is in use by process \d+$/);
  await owner.release();
  lockFile(file)();
  expect(await owner.take(file)).toBe('taken');
  await owner.kill();
  lockFile(file)();
  expect(locks()).toEqual([]);
});
