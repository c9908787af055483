/** A slice of a Chrome trace, ns. */
export interface ChromeSlice {
  readonly process: string;
  readonly thread: string;
  readonly name: string;
  readonly category: string;
  readonly start: number;
  readonly end: number;
  readonly args: Readonly<Record<string, unknown>>;
}

const PHASES = new Set(['M', 'X', 'i', 's', 'f', 'C']);

/**
 * Reads a Chrome trace as strictly as the format can be taken: every event of a phase that is known, with its own
 * fields of the right types, named processes and threads, and complete events that nest on their thread.
 *
 * @throws Error at the first breach
 */
export function readChromeStrictly(text: string): ChromeSlice[] {
  const document = JSON.parse(text) as { traceEvents?: unknown };
  if (!Array.isArray(document.traceEvents)) throw new Error('no traceEvents');
  const names = new Map<string, string>();
  const slices: ChromeSlice[] = [];
  for (const event of document.traceEvents as Record<string, unknown>[]) {
    const { ph, pid, tid, name, ts, dur, cat, args } = event;
    if (typeof ph !== 'string' || !PHASES.has(ph)) throw new Error(`phase ${String(ph)}`);
    if (typeof name !== 'string' || !Number.isInteger(pid)) throw new Error(`event ${JSON.stringify(event)}`);
    if (ph === 'M') {
      const title = (args as { name?: unknown }).name;
      if (name === 'process_name') names.set(String(pid), String(title));
      if (name === 'thread_name') names.set(`${pid} ${tid}`, String(title));
      continue;
    }
    const at = nanoseconds(ts);
    if (ph !== 'X') continue;
    const length = nanoseconds(dur);
    if (length < 0 || !Number.isInteger(tid)) throw new Error(`event ${JSON.stringify(event)}`);
    const [process, thread] = [names.get(String(pid)), names.get(`${pid} ${tid}`)];
    if (process === undefined || thread === undefined) throw new Error(`unnamed thread ${pid} ${tid}`);
    slices.push({
      process,
      thread,
      name,
      category: String(cat),
      start: at,
      end: at + length,
      args: (args ?? {}) as Record<string, unknown>,
    });
  }
  checkNesting(slices);
  return slices;
}

function checkNesting(slices: readonly ChromeSlice[]): void {
  const open = new Map<string, ChromeSlice[]>();
  const sorted = [...slices].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const slice of sorted) {
    const key = `${slice.process} ${slice.thread}`;
    const stack = (open.get(key) ?? []).filter(({ end }) => end > slice.start);
    const outer = stack.at(-1);
    if (outer !== undefined && outer.end < slice.end) {
      throw new Error(`"${slice.name}" at ${slice.start} outlasts "${outer.name}" on ${key}`);
    }
    open.set(key, [...stack, slice]);
  }
}

/** Whole ns of a time in us. */
function nanoseconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`time ${String(value)}`);
  const rounded = Math.round(value * 1000);
  if (Math.abs(value * 1000 - rounded) > 1e-3) throw new Error(`time ${value} is finer than 1 ns`);
  return rounded;
}
