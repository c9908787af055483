/** A transfer that shares ports: it may use at most `limit`, and every port it crosses. Rates in bytes per second. */
export interface Share {
  readonly ports: readonly string[];
  readonly limit: number;
  rate: number;
}

/** A port with less than this part of its capacity left is full. */
const ROUNDING = 1e-12;

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
    const full = new Set<string>();
    for (const [port, n] of users) {
      const rest = (left.get(port) as number) - step * n;
      left.set(port, rest);
      if (rest <= capacity(port) * ROUNDING) full.add(port);
    }
    for (const share of open) {
      const limited = share.limit - share.rate <= step;
      share.rate = limited ? share.limit : share.rate + step;
      if (limited || share.ports.some((port) => full.has(port))) open.delete(share);
    }
  }
}
