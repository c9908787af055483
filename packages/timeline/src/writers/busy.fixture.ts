import { chain } from '../chain.fixture.ts';
import { makeOperation } from '../make.ts';
import type { Timeline } from '../timeline.ts';

const US = 1e6;

/** Two GPUs with a PDL chain, a copy whose name needs escaping, events, a collective, and a blocking host call. */
export function busyTimeline(): Timeline {
  const base = chain(6, true);
  const on = (id: string, device: number, stream: string, start: number, end: number) => ({
    id,
    device,
    stream,
    start: start * US,
    end: end * US,
    completion: (end + 0.3) * US,
    sms: 40,
  });
  const operations = [
    ...base.operations,
    makeOperation({ ...on('up', 0, 'copies', 8, 19), kind: 'copy', name: 'upload <w & "b">\u0000\ud800' }),
    makeOperation({ ...on('rec', 0, 's0', 32.2, 32.2), kind: 'eventRecord', name: 'done' }),
    makeOperation({
      ...on('reduce', 1, 's1', 36, 42),
      kind: 'collective',
      name: 'allReduce',
      cause: { kind: 'event', operation: 7 },
      waits: [{ kind: 'event', operation: 7, from: 20 * US, until: 36 * US }],
    }),
    makeOperation({ id: 'sync', kind: 'hostCall', device: -1, name: 'sync', callBegin: 25 * US, callEnd: 46 * US }),
  ];
  const device = { name: 'H200', sms: 132 };
  return { ...base, devices: [device, device], operations };
}
