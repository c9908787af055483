import { makeOperation, makeTimeline } from '@griddep/timeline';
import { expect, it } from 'vitest';
import { find } from '../app/find.ts';
import { fit, pan, zoom } from '../lanes/viewport.ts';
import { columnsOf } from './columns.ts';
import { Store } from './store.ts';
import { criticalChain, effectsOf, whyNotEarlier } from './why.ts';

const store = new Store(
  columnsOf(
    makeTimeline([
      makeOperation({ id: 'a', start: 1e6, end: 3e6, lastTrigger: 2e6 }),
      makeOperation({
        id: 'b',
        stream: 's1',
        start: 4e6,
        end: 9e6,
        cause: { kind: 'trigger', operation: 0 },
        waits: [
          { kind: 'host', from: 0, until: 1.5e6 },
          { kind: 'trigger', operation: 0, from: 1.5e6, until: 2e6 },
        ],
      }),
      makeOperation({ id: 'c', path: 'layer0/B', start: 1e6, end: 2e6 }),
      makeOperation({ id: 'd' }),
    ]),
  ),
);

it('why an operation did not start earlier: what decided, the waits before, and what would have held it next', () => {
  expect(whyNotEarlier(store, 1)).toEqual([
    {
      text: 'It started at 4.000 us: trigger of a at 2.000 us, and 2.000 us until it could act on it',
      operation: 0,
    },
    { text: '0.000 to 1.500 us (1.500 us): waited for host call' },
    { text: '1.500 to 2.000 us (0.500 us): waited for trigger of a', operation: 0 },
    { text: 'Without the last of these it could have started at most 0.500 us earlier.' },
  ]);
  expect(whyNotEarlier(store, 3)).toEqual([{ text: 'It never started.' }]);
});

it('the critical path leads from the first cause to the last end, and effects the other way', () => {
  expect(criticalChain(store)).toEqual([0, 1]);
  expect(effectsOf(store, 0)).toEqual([1]);
});

it('a search finds ids, names, streams and paths, whatever the case', () => {
  expect([...find(store, 'b')]).toEqual([1, 2]);
  expect([...find(store, 'S1')]).toEqual([1]);
});

it('zooming keeps its instant, moving keeps the span, and neither leaves the run', () => {
  const whole = { from: 0, to: 1e9 };
  expect(zoom(whole, 0.5, 25e7, whole)).toEqual({ from: 12.5e7, to: 62.5e7 });
  expect(pan({ from: 0, to: 1e6 }, 0.5, whole)).toEqual({ from: 5e5, to: 15e5 });
  expect(pan({ from: 0, to: 1e6 }, -9, whole)).toEqual({ from: -5e5, to: 5e5 });
  expect(fit(4e8, 6e8, whole, 0.5)).toEqual({ from: 3e8, to: 7e8 });
  expect(zoom({ from: 0, to: 2000 }, 1e-9, 1000, whole).to).toBeGreaterThanOrEqual(1000);
});
