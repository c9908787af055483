/** Nanoseconds as microseconds with one decimal; `-` for NaN. */
export function us(ns: number, digits = 1): string {
  return Number.isNaN(ns) ? '-' : (ns / 1000).toFixed(digits);
}

/** A fraction as percent; `-` for NaN. */
export function percent(fraction: number, digits = 1): string {
  if (Number.isNaN(fraction)) return '-';
  return Number.isFinite(fraction) ? `${(fraction * 100).toFixed(digits)} %` : 'inf';
}

/** The same with its sign. */
export function signedPercent(fraction: number, digits = 1): string {
  return fraction > 0 ? `+${percent(fraction, digits)}` : percent(fraction, digits);
}
