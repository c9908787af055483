import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { LocalRuns } from '../local/local-runs.ts';
import { pointsOf } from '../points.ts';
import { runSweep, type SweepProgress } from '../run-sweep.ts';
import type { Row } from '../store/store.ts';
import { sweepOf, temporaryFolder } from '../sweep.fixture.ts';
import { KEYS, QUEUE, readAddress } from './connection.ts';
import { QueueRuns } from './queue-runs.ts';
import { RedisServer } from './redis.fixture.ts';
import { runWorker } from './run-worker.ts';

vi.setConfig({ testTimeout: 240_000 });

const WORKER = fileURLToPath(new URL('./worker.fixture.mjs', import.meta.url));
const folder = temporaryFolder();
const workers: ChildProcess[] = [];
const servers: RedisServer[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => folder.remove());

async function redis(password?: string): Promise<RedisServer> {
  const server = await RedisServer.start(password);
  servers.push(server);
  return server;
}

function startWorker({ url, password }: RedisServer, lockSeconds = 30): ChildProcess & { output: () => string } {
  const env = { ...process.env, ...(password === undefined ? {} : { GRIDDEP_REDIS_PASSWORD: password }) };
  const worker = spawn(process.execPath, [WORKER, url, String(lockSeconds), '1'], { env });
  let output = '';
  worker.stdout?.on('data', (data) => (output += data));
  worker.stderr?.on('data', (data) => (output += data));
  workers.push(worker);
  return Object.assign(worker, { output: () => output });
}

/** 48 points of a few hundred ms each. */
const SWEEP = `schema: griddep/sweep@1
input: { scenario: decode-chain }
set: { layers: 24 }
axes:
  pdl: [true, false]
  mode: [stream, graph]
  gap: { varies: constant.launchSpacing, relative: true, from: 0.5, to: 2, count: 12 }
`;

const result = (row: Row) => ({ ...row, duration: 0, attempt: 0 });

async function locally(text: string, name: string): Promise<readonly Row[]> {
  const sweep = sweepOf(text);
  const runs = new LocalRuns(2, sweep.texts);
  try {
    return (await runSweep(sweep, runs, { output: folder.file(name) })).rows;
  } finally {
    await runs.close();
  }
}

it('a worker killed, one paused beyond its lock, and Redis restarted in the middle: every point once, as locally', async () => {
  const server = await redis();
  const [killed, paused] = [startWorker(server, 2), startWorker(server, 2), startWorker(server, 2)];
  const sweep = sweepOf(SWEEP);
  const runs = await QueueRuns.connect(server.url, sweep.texts);
  const disturbances: Promise<unknown>[] = [];
  const at = new Map<number, () => Promise<unknown>>([
    [6, async () => killed?.kill('SIGKILL')],
    [
      12,
      async () => {
        paused?.kill('SIGSTOP');
        await sleep(6000);
        paused?.kill('SIGCONT');
      },
    ],
    [
      24,
      async () => {
        await server.kill();
        await sleep(500);
        await server.start();
      },
    ],
  ]);
  const onProgress = ({ done }: SweepProgress) => {
    for (const [count, disturb] of at) {
      if (done < count) continue;
      at.delete(count);
      disturbances.push(disturb());
    }
  };
  const { rows, ran } = await runSweep(sweep, runs, { output: folder.file('queue.db'), onProgress });
  await Promise.all(disturbances);
  await runs.close();
  expect(at.size).toBe(0);
  expect(ran).toBe(48);
  expect(rows.map(result)).toEqual((await locally(SWEEP, 'local.db')).map(result));
  expect(new Set(rows.map(({ key }) => key)).size).toBe(48);
});

it('programs and machines travel with the sweep, and nothing is left in Redis but what expires', async () => {
  const server = await redis();
  startWorker(server);
  const text =
    'schema: griddep/sweep@1\ninput: pdl-chain.yaml\naxes: { chain: [2, 3], pdl: [true, false] }\nhazards: true\nrecord: [makespan, hazards]\n';
  const sweep = sweepOf(text);
  const runs = await QueueRuns.connect(server.url, sweep.texts);
  const { rows } = await runSweep(sweep, runs, { output: folder.file('texts.db') });
  await runs.close();
  expect(rows.map(result)).toEqual((await locally(text, 'texts-local.db')).map(result));
  const client = new Redis(server.port);
  expect(await client.keys('bull:*:p*')).toEqual([]);
  expect(await client.ttl(KEYS.text([...sweep.texts.keys()][0] as string))).toBeGreaterThan(0);
  client.disconnect();
});

it('a sweep that is stopped takes back what nobody has begun', async () => {
  const server = await redis();
  const sweep = sweepOf(SWEEP);
  const runs = await QueueRuns.connect(server.url, sweep.texts);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 500);
  const { isComplete } = await runSweep(sweep, runs, { output: folder.file('stopped.db'), signal: stop.signal });
  await runs.close();
  expect(isComplete).toBe(false);
  const client = new Redis(server.port);
  expect(await client.keys('bull:*:p*')).toEqual([]);
  client.disconnect();
});

describe('a worker interrupted twice', () => {
  /** One point that takes many seconds. */
  const LONG = 'schema: griddep/sweep@1\ninput: many-streams.yaml\naxes: { chains: [100000] }\n';

  it('puts back what it has begun, for others, and it counts as begun twice', async () => {
    const server = await redis();
    const left = startWorker(server);
    const { rows, client } = await coordinated(server, 'left.db');
    await hasBegun(client);
    await interruptedTwice(left);
    expect(await client.lrange(key('active'), 0, -1)).toEqual([]);
    expect(await client.lrange(key('wait'), 0, -1)).toHaveLength(1);
    expect(await client.exists(key('failed'))).toBe(0);
    startWorker(server);
    expect(await rows).toMatchObject([{ error: undefined, attempt: 2 }]);
    client.disconnect();
  });

  it('ends also while Redis is away, and its run is found by others', async () => {
    const server = await redis();
    const left = startWorker(server, 2);
    const { rows, client } = await coordinated(server, 'away.db');
    await hasBegun(client);
    client.disconnect();
    await server.kill();
    await interruptedTwice(left);
    await server.start();
    startWorker(server, 2);
    expect(await rows).toMatchObject([{ error: undefined, attempt: 2 }]);
  });

  async function coordinated(server: RedisServer, name: string) {
    const sweep = sweepOf(LONG);
    const runs = await QueueRuns.connect(server.url, sweep.texts);
    const ended = runSweep(sweep, runs, { output: folder.file(name) }).finally(() => runs.close());
    return { rows: ended.then(({ rows }) => rows), client: new Redis(server.port) };
  }

  const key = (name: string) => `bull:${QUEUE}:${name}`;

  async function hasBegun(client: Redis): Promise<void> {
    while ((await client.llen(key('active'))) === 0) await sleep(10);
  }

  /** The first lets what has begun go on. */
  async function interruptedTwice(worker: ChildProcess): Promise<void> {
    const ended = once(worker, 'exit');
    worker.kill('SIGINT');
    expect(await Promise.race([ended, sleep(500, 'goes on')])).toBe('goes on');
    worker.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  }
});

describe('who may take part', () => {
  it('a worker of another version than the sweep is refused', async () => {
    const server = await redis();
    const client = new Redis(server.port);
    await client.set(KEYS.coordinator('other'), '9.9.9');
    client.disconnect();
    const refused = runWorker(server.url, { threads: 1, stop: new AbortController().signal });
    await expect(refused).rejects.toThrow(/the sweep is of version 9\.9\.9, this worker of \d+\.\d+\.\d+/);
  });

  it('with a password in the address or beside it; it is in no message', async () => {
    const secret = 'kH7-not-to-be-seen';
    const server = await redis(secret);
    await expect(QueueRuns.connect(server.url, new Map())).rejects.toThrow(/cannot be used: NOAUTH/);
    const wrong = QueueRuns.connect(server.url, new Map(), { password: `${secret}x` });
    await expect(wrong).rejects.toThrow(/cannot be used: WRONGPASS/);
    await wrong.catch((error: Error) => expect(error.message).not.toContain(secret));
    const worker = startWorker(server);
    const sweep = sweepOf('schema: griddep/sweep@1\ninput: { scenario: fork-join }\naxes: { branches: [1, 2] }\n');
    const url = server.url.replace('redis://', `redis://:${secret}@`);
    expect(readAddress(url).shown).toBe(server.url);
    const runs = await QueueRuns.connect(url, sweep.texts);
    const { rows } = await runSweep(sweep, runs, { output: folder.file('secret.db') });
    await runs.close();
    expect(rows.map(({ error }) => error)).toEqual([undefined, undefined]);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect(worker.output()).toContain(`127.0.0.1:${server.port}`);
    expect(worker.output()).not.toContain(secret);
  });

  it('addresses that are none', () => {
    expect(() => readAddress('http://host')).toThrow('expected redis:// or rediss://');
    expect(() => readAddress('nothing:secret')).toThrow(/--queue/);
    expect(readAddress('rediss://user:p%40ss@host:7000/3')).toMatchObject({
      shown: 'rediss://host:7000/3',
      options: { host: 'host', port: 7000, username: 'user', password: 'p@ss', db: 3, tls: { servername: 'host' } },
    });
  });

  it('a Redis that is not there', async () => {
    await expect(QueueRuns.connect('redis://127.0.0.1:1', new Map())).rejects.toThrow(
      /127\.0\.0\.1:1: cannot be used: .*ECONNREFUSED/,
    );
  });
});

it('the points of the disturbed sweep are 48', () => {
  expect([...pointsOf(sweepOf(SWEEP))].length).toBe(48);
});
