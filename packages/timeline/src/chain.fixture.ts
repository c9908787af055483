import { makeOperation, makeTimeline } from './make.ts';
import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

const US = 1e6;

/** A chain of kernels of 4 us each in one stream of a graph, with the gaps that an H200 shows, with or without PDL. */
export function chain(count: number, pdl: boolean): Timeline {
  const names = ['rmsNorm', 'qkvGemm', 'attention', 'outGemm', 'mlpUp', 'mlpDown'];
  const operations: Operation[] = [];
  for (let i = 0; i < count; i++) {
    const previous = operations[i - 1];
    const callBegin = i * 3 * US;
    const early = pdl && previous !== undefined;
    const start = previous === undefined ? 6 * US : early ? previous.lastTrigger + 0.64 * US : previous.end + 0.9 * US;
    const release = early ? Math.max(start + 0.25 * US, previous.end + 0.38 * US) : Number.NaN;
    const end = (early ? release : start) + 4 * US;
    operations.push(
      makeOperation({
        id: `${names[i % names.length]}#${i}`,
        callBegin,
        callEnd: callBegin + 2.6 * US,
        enqueue: callBegin + 3 * US,
        processing: start - 0.3 * US,
        start,
        lastStart: start + 0.1 * US,
        firstEnd: end - 0.1 * US,
        end,
        completion: end + 0.35 * US,
        blocks: 132,
        sms: 132,
        maxBlocksPerSm: 1,
        unit: 'queue 0',
        programmatic: early,
        cause: previous === undefined ? { kind: 'host' } : { kind: early ? 'trigger' : 'stream', operation: i - 1 },
        ...(pdl
          ? {
              firstTrigger: start + 0.25 * US,
              lastTrigger: start + 0.4 * US,
              ...(early ? { firstRelease: release - 0.05 * US, lastRelease: release } : {}),
            }
          : {}),
      }),
    );
  }
  return makeTimeline(operations, {
    program: pdl ? 'chain with PDL' : 'chain',
    machine: 'h200',
    hostTotal: count * 3 * US,
  });
}
