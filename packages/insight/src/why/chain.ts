import type { Cause, Operation, Timeline, Wait } from '@griddep/timeline';

/** What time on the way to the last end went to. */
export type TimeKind = 'kernel' | 'copy' | 'host' | 'launch gap' | 'wait';

/** A stretch of the way to an operation, ps: the operation itself, or what lies between it and what it came after. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly kind: TimeKind;
  /** The operation that ran, or that something held up. */
  readonly operation: number;
  /** What held it up, where it did not run. */
  readonly cause?: Cause;
}

/** What an operation came after: the operation that set its start or its end, and from when on it could go on. */
interface Link {
  /** -1 for the begin of the program. */
  readonly operation: number;
  /** When that one let it go. */
  readonly at: number;
  /** From when on it ran for nobody but itself. */
  readonly ran: number;
  readonly cause: Cause;
}

/** Released within so long of the primary's completion, a wait was waiting for it, ps. */
const RELEASE = 2_000_000;

/** The operation that ended last on any device, or -1. */
export function lastOperation({ operations }: Timeline): number {
  let last = -1;
  operations.forEach(({ device, end }, i) => {
    if (device >= 0 && end >= (operations[last]?.end ?? Number.NEGATIVE_INFINITY)) last = i;
  });
  return last;
}

/**
 * The way to the end of an operation, first to last, without gaps and from time 0: each stretch is an operation that ran,
 * or what held the next one up. Where a kernel launched early waited for its primary, the way leads over the primary.
 */
export function criticalPath(timeline: Timeline, last = lastOperation(timeline)): Stretch[] {
  const path: Stretch[] = [];
  const seen = new Set<number>();
  let at = last;
  let until = timeline.operations[last]?.end ?? Number.NaN;
  while (at >= 0 && !seen.has(at) && until > 0) {
    seen.add(at);
    const operation = timeline.operations[at] as Operation;
    const link = linkOf(timeline, at, until);
    const ran = Math.min(link.ran, until);
    const let_ = Math.max(0, Math.min(link.at, ran));
    if (until > ran) path.push({ from: ran, until, kind: kindOf(operation), operation: at });
    if (ran > let_) path.push({ from: let_, until: ran, kind: gapKind(link.cause), operation: at, cause: link.cause });
    until = let_;
    at = link.operation;
  }
  const first = path.at(-1);
  if (first !== undefined && first.from > 0) {
    path.push({ from: 0, until: first.from, kind: 'host', operation: first.operation, cause: { kind: 'host' } });
  }
  return path.reverse();
}

/** Operations of the way, first to last, each once. */
export function criticalOperations(path: readonly Stretch[]): number[] {
  return [...new Set(path.map(({ operation }) => operation))];
}

function linkOf(timeline: Timeline, index: number, until: number): Link {
  const operation = timeline.operations[index] as Operation;
  if (operation.device < 0) return hostLink(timeline, operation, until);
  const released = releasedBy(timeline, index);
  if (released !== undefined && operation.lastRelease < until) return released;
  const ran = operation.start;
  const { cause } = operation;
  const source = cause.operation;
  if (source !== undefined && source !== index) {
    const from = timeline.operations[source] as Operation;
    return { operation: source, at: letGo(cause, from, ran), ran, cause };
  }
  const wait = lastNamed(operation.waits, index, ran);
  if (wait?.operation !== undefined) return { operation: wait.operation, at: wait.until, ran, cause };
  return { operation: -1, at: Math.min(operation.callEnd, ran), ran, cause };
}

/** When a call waited in itself, the way leads over what it waited for; else the host was at its own work. */
function hostLink({ operations }: Timeline, operation: Operation, until: number): Link {
  const wait = operation.waits.findLast(({ operation: of, until: at }) => of !== undefined && at <= until);
  const source = wait?.operation === undefined ? undefined : operations[wait.operation];
  if (wait?.operation === undefined || source === undefined) {
    return { operation: -1, at: 0, ran: 0, cause: { kind: 'host' } };
  }
  return { operation: wait.operation, at: Math.min(source.end, wait.until), ran: wait.until, cause: wait };
}

/** The primary whose completion a kernel's wait instruction waited for. */
function releasedBy({ operations }: Timeline, index: number): Link | undefined {
  const operation = operations[index] as Operation;
  if (Number.isNaN(operation.lastRelease)) return undefined;
  let primary = -1;
  for (let i = index - 1; i >= 0; i--) {
    const other = operations[i] as Operation;
    if (other.kind !== 'kernel' || other.stream !== operation.stream || other.device !== operation.device) continue;
    primary = i;
    break;
  }
  const source = operations[primary];
  if (source === undefined || !(source.completion > operation.start)) return undefined;
  if (operation.lastRelease - source.completion > RELEASE) return undefined;
  const cause: Cause = { kind: 'stream', operation: primary, detail: 'griddepcontrol.wait' };
  return { operation: primary, at: Math.min(source.end, operation.lastRelease), ran: operation.lastRelease, cause };
}

function letGo(cause: Cause, source: Operation, start: number): number {
  switch (cause.kind) {
    case 'host':
      return Math.min(source.callEnd, start);
    case 'trigger':
    case 'programmaticEvent':
      return Math.min(finite(source.lastTrigger, source.end), start);
    case 'launchCompletion':
      return Math.min(finite(source.lastStart, source.start), start);
    default:
      return Math.min(finite(source.end, source.completion), start);
  }
}

function finite(...instants: number[]): number {
  return instants.find(Number.isFinite) ?? Number.POSITIVE_INFINITY;
}

function lastNamed(waits: readonly Wait[], own: number, before: number): Wait | undefined {
  return waits.findLast(({ operation, until }) => operation !== undefined && operation !== own && until <= before);
}

function kindOf({ kind, device }: Operation): TimeKind {
  if (device < 0) return 'host';
  if (kind === 'copy' || kind === 'memset') return 'copy';
  if (kind === 'eventRecord' || kind === 'eventWait') return 'wait';
  return kind === 'hostFunction' ? 'host' : 'kernel';
}

function gapKind({ kind }: Cause): TimeKind {
  switch (kind) {
    case 'host':
    case 'synchronize':
    case 'queueFull':
      return 'host';
    case 'stream':
    case 'trigger':
    case 'graphEdge':
    case 'launchProcessing':
    case 'launchCompletion':
    case 'programmaticEvent':
      return 'launch gap';
    default:
      return 'wait';
  }
}
