import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Message } from '@griddep/engine';
import { Inbox, inboxMemory, MessageCodec, Outbox } from '@griddep/engine/rings';
import { RING_SHAPES, RING_WORDS } from './rings-worker.ts';
import type { BenchCase, BenchSuite } from './suite.ts';

const MESSAGES = 50_000;
const BATCH = 256;

/** Messages that another thread has taken, a second: each posted alone, or through a ring in shared memory. */
export const ringsSuite: BenchSuite = {
  name: 'rings',
  unit: 'messages/s',
  *groups() {
    const memory = inboxMemory(RING_WORDS);
    const worker = new Worker(new URL('./rings-worker.js', import.meta.url), { workerData: memory, execArgv: [] });
    worker.unref();
    const outbox = new Outbox(new Inbox(memory), new MessageCodec(RING_SHAPES));
    yield {
      name: `${MESSAGES} messages of two numbers to another thread`,
      time: 2000,
      cases: [
        posted(worker),
        ring('a ring, one at a time', worker, outbox, 1),
        ring(`a ring, in batches of ${BATCH}`, worker, outbox, BATCH),
      ],
    };
  },
};

function posted(worker: Worker): BenchCase {
  return {
    name: 'one postMessage each',
    items: MESSAGES,
    async run() {
      worker.postMessage({ expect: MESSAGES, by: 'port' });
      for (let op = 0; op < MESSAGES; op++) worker.postMessage({ type: 'progress', stream: 1, op });
      await once(worker, 'message');
    },
  };
}

function ring(name: string, worker: Worker, outbox: Outbox, batch: number): BenchCase {
  return {
    name,
    items: MESSAGES,
    async run() {
      worker.postMessage({ expect: MESSAGES, by: 'ring' });
      for (let op = 0; op < MESSAGES; op++) {
        outbox.add(1, op, 0, op, { type: 'progress', stream: 1, op } as Message);
        if (op % batch === batch - 1) outbox.flush();
      }
      while (outbox.waiting > 0) outbox.flush();
      await once(worker, 'message');
    },
  };
}
