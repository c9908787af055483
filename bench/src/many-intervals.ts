import { makeOperation, makeTimeline } from '@griddep/timeline';
import { columnsOf, type TimelineColumns } from '@griddep/viewer';

const DEVICES = 8;
const STREAMS = 4;
const NAMES = 12;
/** One in so many is a kernel of one block and a nanosecond. */
const SINGLE = 997;

/** Kernels in chains of `DEVICES * STREAMS` streams, each with a cause: as many rows as are asked for. */
export function manyIntervals(count: number): TimelineColumns {
  const operations = Array.from({ length: count }, (_, i) => {
    const chain = i % (DEVICES * STREAMS);
    const step = Math.floor(i / (DEVICES * STREAMS));
    const isSingle = i % SINGLE === 0;
    const start = step * 5e6 + chain * 1000;
    const end = start + (isSingle ? 1000 : 3.5e6 + ((i * 7919) % 1000) * 1000);
    return makeOperation({
      id: `k${i}`,
      name: `kernel${(step + chain) % NAMES}`,
      device: chain % DEVICES,
      stream: `s${Math.floor(chain / DEVICES)}`,
      start,
      lastStart: start,
      end,
      completion: end + 500_000,
      blocks: isSingle ? 1 : 132,
      sms: isSingle ? 1 : 33,
      cause: step === 0 ? { kind: 'host' } : { kind: 'stream', operation: i - DEVICES * STREAMS },
    });
  });
  const devices = Array.from({ length: DEVICES }, (_, i) => ({ name: `GPU ${i}`, sms: 132 }));
  return columnsOf(makeTimeline(operations, { program: 'many intervals', machine: 'none', devices }));
}
