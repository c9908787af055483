import { PS_PER_US } from '../instants.ts';

export interface Tick {
  /** ps */
  readonly time: number;
  /** In us, without unit. */
  readonly label: string;
}

/** Ticks at 1, 2 or 5 times a power of ten us, at most `most` of them, from `from` to `to` (ps). */
export function ticks(from: number, to: number, most: number): Tick[] {
  const span = Math.max(1, to - from) / PS_PER_US;
  const rough = span / Math.max(1, most);
  const power = Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * 10 ** power).find((candidate) => candidate >= rough) ?? rough;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const list: Tick[] = [];
  for (let i = Math.ceil(from / PS_PER_US / step - 1e-9); i * step * PS_PER_US <= to + 1e-3; i++) {
    list.push({ time: i * step * PS_PER_US, label: (i * step).toFixed(decimals) });
  }
  return list;
}
