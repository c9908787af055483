// The other end of the `rings` suite: takes so many messages by port or ring, and says when it has them all.
import { parentPort, workerData } from 'node:worker_threads';
import { Inbox, MessageCodec, Reader, type RecordShape } from '@griddep/engine/rings';

export const RING_WORDS = 2 ** 15;
export const RING_SHAPES: readonly RecordShape[] = [{ type: 'progress', numbers: ['stream', 'op'] }];

if (parentPort !== null && workerData instanceof SharedArrayBuffer) {
  const port = parentPort;
  const reader = new Reader(new Inbox(workerData), new MessageCodec(RING_SHAPES));
  let left = 0;
  port.on('message', (message: { expect?: number; by?: string }) => {
    if (message.expect === undefined) left--;
    else {
      left = message.expect;
      if (message.by === 'ring') while (left > 0) left -= reader.drain(() => {});
    }
    if (left === 0) port.postMessage('done');
  });
}
