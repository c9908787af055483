const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface Interruptions {
  /** At the first: no more is begun. */
  readonly stop: AbortSignal;
  /** At the second: what has begun is left. */
  readonly quit: AbortSignal;
}

/** The interrupts of this process, counted. The third ends it, as any would without this. */
export function interruptions(): Interruptions {
  const [stop, quit] = [new AbortController(), new AbortController()];
  const onSignal = () => {
    if (!stop.signal.aborted) return stop.abort();
    for (const signal of SIGNALS) process.off(signal, onSignal);
    quit.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { stop: stop.signal, quit: quit.signal };
}
