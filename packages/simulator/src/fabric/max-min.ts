/** A transfer that shares ports: it may use at most `limit`, and every port it crosses. Rates in bytes per second. */
export interface Share {
  readonly ports: readonly string[];
  readonly limit: number;
  rate: number;
}

/**
 * Max-min fair rates: raises all transfers together until a port is full or a transfer has reached its limit, freezes
 * those, and goes on with the rest. Deterministic in the order of `shares`.
 */
export function shareMaxMin(shares: readonly Share[], capacity: (port: string) => number): void {
  const open = new Set(shares);
  const left = new Map<string, number>();
  for (const share of shares) {
    share.rate = 0;
    for (const port of share.ports) left.set(port, capacity(port));
  }
  while (open.size > 0) {
    const users = new Map<string, number>();
    for (const share of open) for (const port of share.ports) users.set(port, (users.get(port) ?? 0) + 1);
    let step = Number.POSITIVE_INFINITY;
    for (const [port, n] of users) step = Math.min(step, (left.get(port) as number) / n);
    for (const share of open) step = Math.min(step, share.limit - share.rate);
    for (const share of open) share.rate += step;
    for (const [port, n] of users) left.set(port, (left.get(port) as number) - step * n);
    let frozen = 0;
    for (const share of open) {
      const full = share.rate >= share.limit || share.ports.some((p) => (left.get(p) as number) <= capacity(p) * 1e-12);
      if (full) {
        open.delete(share);
        frozen++;
      }
    }
    if (frozen === 0) break;
  }
}
