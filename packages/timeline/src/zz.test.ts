import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { chain } from './chain.fixture.ts';
import * as t from './index.ts';

const busy = () => {
  const c = chain(8, true);
  const ops = c.operations.map((o) => o);
  const US = 1e6;
  const mk = (id: string, device: number, stream: string, start: number, end: number, more = {}) =>
    t.makeOperation({
      id,
      device,
      stream,
      start: start * US,
      end: end * US,
      completion: (end + 0.3) * US,
      sms: 40,
      blocks: 40,
      ...more,
    });
  const more = [
    mk('copyIn', 0, 'copies', 8, 19, {
      kind: 'copy',
      cause: { kind: 'host' },
      bytes: 1 << 20,
      name: 'upload <weights & "bias">',
    }),
    mk('rec', 0, 's0', 40, 40, { kind: 'eventRecord', name: 'done' }),
    mk('allReduce#0', 1, 's1', 30, 36, { kind: 'collective', cause: { kind: 'event', operation: 3 } }),
    mk('gemmWithVeryLongNameOfTemplateInstance#0', 1, 's1', 37, 38.5, {
      cause: { kind: 'stream', operation: ops.length + 2 },
    }),
    mk('sync', -1, '', Number.NaN, Number.NaN, {
      kind: 'hostCall',
      name: 'cudaDeviceSynchronize',
      callBegin: 25 * US,
      callEnd: 46 * US,
      start: NaN,
      end: NaN,
      completion: NaN,
    }),
  ];
  return {
    ...c,
    devices: [
      { name: 'H200', sms: 132 },
      { name: 'H200', sms: 132 },
    ],
    operations: [...ops, ...more],
  };
};
const many = (n: number) => {
  const ops = [];
  let x = 1,
    at = 6e6;
  for (let i = 0; i < n; i++) {
    x = (x * 48271) % 2147483647;
    const d = 1e6 + (x % 5) * 1e6 * (i % 50 === 0 ? 20 : 1);
    at += 0.9e6;
    ops.push(
      t.makeOperation({
        id: `k${i % 7}#${i}`,
        name: `k${i % 7}`,
        stream: `s${i % 4}`,
        callBegin: i * 1e6,
        callEnd: i * 1e6 + 0.9e6,
        start: at,
        lastStart: at,
        end: at + d,
        completion: at + d + 3e5,
        lastTrigger: at + 1e5,
        sms: 1 + (x % 132),
        cause: { kind: 'stream', operation: Math.max(0, i - 4) },
      }),
    );
  }
  return t.makeTimeline(ops, { program: 'many' });
};
it('x', () => {
  writeFileSync('/tmp/tl/one.svg', t.renderSvg([{ title: 'Decode chain with PDL', timeline: chain(6, true) }]));
  writeFileSync('/tmp/tl/busy.svg', t.renderSvg([{ title: 'Two GPUs <&>', timeline: busy() }]));
  const m = many(100_000);
  const time = (name: string, f: () => unknown) => {
    const a = performance.now();
    const r = f();
    console.log(name, Math.round(performance.now() - a), (r as string)?.length);
    return r;
  };
  time('stats', () => t.statistics(m));
  time('hash', () => t.hashTimeline(m));
  const text = time('write', () => t.writeTimeline(m)) as string;
  time('read', () => t.readTimeline(text));
  time('chrome', () => t.writeChromeTrace(m));
  time('perfetto', () => t.writePerfetto(m));
  writeFileSync('/tmp/tl/big.svg', time('svg', () => t.renderSvg([{ title: 'big', timeline: m }])) as string);
  time('terminal', () => t.renderTerminal([{ title: 'big', timeline: m }]));
  time('table', () => t.renderTable(m));
  time('compare', () => t.compareTimelines(m, m));
  writeFileSync('/tmp/tl/mid.svg', t.renderSvg([{ title: 'mid', timeline: many(700) }]));
}, 60000);
