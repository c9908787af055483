// A worker in a process of its own: `node worker.fixture.mjs URL LOCK_SECONDS THREADS`. It ends with SIGTERM.
import { runWorker } from '@griddep/sweep/queue';

const [url, lockSeconds, threads] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await runWorker(url, {
  threads: Number(threads),
  lockSeconds: Number(lockSeconds),
  password: process.env.GRIDDEP_REDIS_PASSWORD,
  tell: (text) => console.log(text),
  signal: stop.signal,
});
process.exit();
