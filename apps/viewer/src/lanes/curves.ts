import { runsOnSms } from '@griddep/timeline';
import type { Store } from '../data/store.ts';

/** A step function: from `times[i]` (ps) on it is `values[i]`, before the first 0. */
export interface Curve {
  readonly title: string;
  readonly unit: string;
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** What its full height stands for. */
  readonly full: number;
  /** `area[i]` is the integral up to `times[i]`. */
  readonly area: Float64Array;
}

const PS_PER_S = 1e12;

/** Busy SMs, running kernels and what copies move, over time. */
export function curvesOf(store: Store, device: number): Curve[] {
  const isOf = (i: number) => store.fact(i, 'device') === device;
  const kernels: number[] = [];
  const copies: number[] = [];
  for (let i = 0; i < store.count; i++) {
    if (!isOf(i) || !(store.instant(i, 'start') < store.instant(i, 'end'))) continue;
    const kind = store.kind(i);
    if (runsOnSms(kind)) kernels.push(i);
    else if (kind === 'copy' || kind === 'memset') copies.push(i);
  }
  const sms = store.columns.head.devices[device]?.sms || 1;
  const rate = (i: number) => {
    const seconds = (store.instant(i, 'end') - store.instant(i, 'start')) / PS_PER_S;
    return (store.columns.bytes[i] ?? 0) / seconds / 1e9;
  };
  const curves = [
    curve(store, 'busy SMs', 'SMs', kernels, (i) => store.fact(i, 'sms'), sms),
    curve(store, 'running kernels', '', kernels, () => 1),
    curve(store, 'copies', 'GB/s', copies, rate),
  ];
  return curves.filter(({ times }) => times.length > 0);
}

/** The sum of `weight` over the operations that run, at most `full` where that is given. */
function curve(
  store: Store,
  title: string,
  unit: string,
  operations: readonly number[],
  weight: (operation: number) => number,
  full?: number,
): Curve {
  const count = operations.length;
  const edge = Float64Array.from({ length: 2 * count }, (_, k) => {
    return store.instant(operations[k >> 1] ?? 0, k % 2 === 0 ? 'start' : 'end');
  });
  const order = Uint32Array.from({ length: 2 * count }, (_, k) => k);
  order.sort((a, b) => (edge[a] ?? 0) - (edge[b] ?? 0));
  const times: number[] = [];
  const values: number[] = [];
  let sum = 0;
  let running = 0;
  for (let at = 0; at < order.length; ) {
    const time = edge[order[at] ?? 0] ?? 0;
    for (; at < order.length && edge[order[at] ?? 0] === time; at++) {
      const k = order[at] ?? 0;
      const sign = k % 2 === 0 ? 1 : -1;
      running += sign;
      sum += sign * weight(operations[k >> 1] ?? 0);
    }
    // Sums of rates do not cancel exactly.
    if (running === 0) sum = 0;
    times.push(time);
    values.push(full === undefined ? sum : Math.min(full, sum));
  }
  const area = new Float64Array(times.length);
  for (let i = 1; i < times.length; i++) {
    area[i] = (area[i - 1] ?? 0) + (values[i - 1] ?? 0) * ((times[i] ?? 0) - (times[i - 1] ?? 0));
  }
  const peak = values.reduce((most, value) => Math.max(most, value), 0);
  return { title, unit, times: Float64Array.from(times), values: Float64Array.from(values), full: full ?? peak, area };
}
