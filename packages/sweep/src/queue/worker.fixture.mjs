// A worker in a process of its own: `node worker.fixture.mjs URL LOCK_SECONDS THREADS`. It ends as `griddep worker` does.
import { interruptions, runWorker } from '@griddep/sweep/queue';

const [url, lockSeconds, threads] = process.argv.slice(2);
await runWorker(url, {
  threads: Number(threads),
  lockSeconds: Number(lockSeconds),
  password: process.env.GRIDDEP_REDIS_PASSWORD,
  tell: (text) => console.log(text),
  ...interruptions(),
});
process.exit();
