import { type Operation, runsOnSms, type Timeline } from '@griddep/timeline';

/** What the time of a run went into, ps; the parts add up to it. */
export interface TimeParts {
  /** A kernel runs, and no copy. */
  readonly kernels: number;
  /** A copy or memset runs, and no kernel. */
  readonly copies: number;
  /** Both. */
  readonly kernelsAndCopies: number;
  /** The device has nothing to do: the host has not called yet. */
  readonly waitingForHost: number;
  /** Nothing runs though the host has called: launch latency, order, completion. */
  readonly betweenOperations: number;
}

export const PART_NAMES: Readonly<Record<keyof TimeParts, string>> = {
  kernels: 'kernels run',
  copies: 'copies run',
  kernelsAndCopies: 'kernels and copies run at once',
  waitingForHost: 'the device waits for the host',
  betweenOperations: 'between operations: launch, order, completion',
};

type Work = Pick<Operation, 'kind' | 'device' | 'start' | 'end' | 'enqueue'>;

/** What a span of a timeline went into, on the device whose work ends last. */
export function timeParts({ operations }: Timeline, begin: number, end: number): TimeParts {
  const work = operations.filter(({ kind, start, end: to }) => occupiesDevice(kind) && start <= to);
  const last = work.reduce<Work | undefined>((a, b) => (a === undefined || b.end > a.end ? b : a), undefined);
  const own = work.filter(({ device }) => device === last?.device).sort((a, b) => a.start - b.start);
  const parts = { kernels: 0, copies: 0, kernelsAndCopies: 0, waitingForHost: 0, betweenOperations: 0 };
  const edges = own.flatMap((each) => [
    { at: Math.max(begin, each.start), by: 1, kind: each.kind, enqueue: each.enqueue },
    { at: Math.min(end, each.end), by: -1, kind: each.kind, enqueue: each.enqueue },
  ]);
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  let [kernels, copies, now] = [0, 0, begin];
  for (const { at, by, kind, enqueue } of edges) {
    const passed = at - now;
    if (passed > 0) {
      if (kernels > 0 && copies > 0) parts.kernelsAndCopies += passed;
      else if (kernels > 0) parts.kernels += passed;
      else if (copies > 0) parts.copies += passed;
      else {
        const called = Math.min(at, Math.max(now, Number.isNaN(enqueue) ? now : enqueue));
        parts.waitingForHost += called - now;
        parts.betweenOperations += at - called;
      }
    }
    now = Math.max(now, at);
    // A collective runs on the SMs, as NCCL's kernels do.
    if (runsOnSms(kind)) kernels += by;
    else copies += by;
  }
  parts.betweenOperations += Math.max(0, end - now);
  return parts;
}

/** What bounds a run: whatever takes most of its time, and more than two fifths of it. */
export function boundBy(parts: TimeParts): 'host' | 'kernels' | 'copies' | 'latency' | 'nothing alone' {
  const total = Object.values(parts).reduce((sum: number, part: number) => sum + part, 0);
  const rows = [
    ['host', parts.waitingForHost],
    ['kernels', parts.kernels],
    ['copies', parts.copies + parts.kernelsAndCopies],
    ['latency', parts.betweenOperations],
  ] as const;
  const [name, most] = rows.reduce((a, b) => (b[1] > a[1] ? b : a));
  return most > 0.4 * total ? name : 'nothing alone';
}

function occupiesDevice(kind: Operation['kind']): boolean {
  return runsOnSms(kind) || kind === 'copy' || kind === 'memset';
}
