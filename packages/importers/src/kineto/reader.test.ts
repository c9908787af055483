import { describe, expect, it } from 'vitest';
import { kernel, kinetoText, kinetoTrace, launch, readText } from '../kineto-trace.fixture.ts';

describe('times', () => {
  it('keep every nanosecond of an epoch in microseconds', () => {
    const text = kinetoText([launch(1, 0), kernel(1, 1, 1)])
      .replace('"ts":0,"dur":5', '"ts":1712867402348256.123,"dur":5.001')
      .replace('"ts":1,"dur":1', '"ts":1712867402348263.456,"dur":0.032');
    const { calls, operations, epoch } = readText(text);
    expect(epoch).toBe(1712867402348256000n);
    expect(calls[0]).toMatchObject({ start: 123_000, end: 5_124_000 });
    expect(operations[0]).toMatchObject({ start: 7_456_000, end: 7_488_000 });
  });

  it('of whole microseconds are known to be no finer', () => {
    expect(kinetoTrace([launch(1, 0), kernel(1, 1, 1)]).resolution).toBe(1_000_000);
    expect(kinetoTrace([launch(1, 0), kernel(1, 1.001, 1)]).resolution).toBe(1000);
  });
});

it('older schemas spell categories and threads otherwise', () => {
  const { calls, operations, ranges } = kinetoTrace([
    { ...launch(1, 0), cat: 'Runtime' },
    { ...kernel(1, 9, 2), cat: 'Kernel', tid: 'stream 7', args: { correlation: 1, device: 0, grid: [2, 1, 1] } },
    { cat: 'Memcpy', name: 'Memcpy HtoD (Pageable -> Device)', ts: 20, dur: 3, args: { stream: 7, bytes: 8 } },
    { cat: 'Operator', name: 'aten::mm', ts: 0, dur: 9 },
  ]);
  expect(calls).toHaveLength(1);
  expect(ranges.length).toBe(1);
  expect(operations).toMatchObject([
    { kind: 'kernel', stream: 7, grid: [2, 1, 1] },
    { kind: 'copy', copy: 'hostToDevice', hostMemory: 'pageable', bytes: 8 },
  ]);
});

describe('a file that is wrong', () => {
  const good = kinetoText([launch(1, 0), kernel(1, 9, 2), launch(2, 20), kernel(2, 29, 2)]);
  it.each([
    ['cut off', good.slice(0, good.length - 40), /^t\.json: the JSON is cut off at byte \d+, after event 3; --partial/],
    ['no trace', '{"a":1}', /^t\.json: is JSON without traceEvents/],
    ['no device rows', kinetoText([launch(1, 0)]), /^t\.json: has no kernel, copy or memset among its 1 events/],
    ['negative duration', kinetoText([launch(1, 0), kernel(1, 9, -2)]), /^t\.json: event 2 \("k"\) lasts -2 us/],
    ['no JSON in an event', good.replace('"dur":2', '"dur":oops'), /^t\.json: an event is no JSON/],
    [
      'another maker',
      kinetoText([{ ...launch(1, 0), name: 'hipLaunchKernel' }, kernel(1, 9, 2)]),
      /^t\.json: is a trace of AMD devices \(ROCm\)/,
    ],
  ])('%s: says so', (_, text, message) => {
    expect(() => readText(text)).toThrow(message);
  });

  it('is read as far as it goes when asked', () => {
    for (let cut = good.indexOf('"k"') + 200; cut < good.length; cut += 7) {
      const trace = readText(good.slice(0, cut), true);
      expect(trace.cut).toMatch(/the JSON is cut off/);
      expect(trace.operations.length).toBeGreaterThan(0);
    }
    const negative = readText(kinetoText([launch(1, 0), kernel(1, 9, -2), kernel(1, 9, 1)]), true);
    expect(negative.operations).toHaveLength(1);
    expect(negative.ignored.get('rows of negative duration')).toBe(1);
  });
});
