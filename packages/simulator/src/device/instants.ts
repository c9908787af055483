/** The earlier of two instants, the first of which may not have come yet (NaN). */
export function earlier(a: number, b: number): number {
  return Number.isNaN(a) ? b : Math.min(a, b);
}

/** The later of two instants, the first of which may not have come yet (NaN). */
export function later(a: number, b: number): number {
  return Number.isNaN(a) ? b : Math.max(a, b);
}
