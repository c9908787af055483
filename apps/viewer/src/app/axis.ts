import type { Viewport } from '../lanes/viewport.ts';

const PS_PER_US = 1e6;

/** Instants (ps) at 1, 2 or 5 times a power of ten us, at most `most`, and their labels in us. */
export function ticksOf({ from, to }: Viewport, most: number): { readonly time: number; readonly label: string }[] {
  const rough = (to - from) / PS_PER_US / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => each >= rough) ?? rough;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks: { time: number; label: string }[] = [];
  for (let i = Math.ceil(Math.max(0, from) / PS_PER_US / step); i * step * PS_PER_US <= to; i++) {
    ticks.push({ time: i * step * PS_PER_US, label: (i * step).toFixed(decimals) });
  }
  return ticks;
}
