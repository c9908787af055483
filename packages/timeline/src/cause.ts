import type { Cause, Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

/**
 * When `source` satisfied the condition that `cause` names, ps, never later than `effect`. A trigger satisfies it
 * while its kernel still runs, everything else at the end.
 */
export function causeInstant(cause: Cause, source: Operation, effect: number): number {
  const instant = firstFinite(satisfying(cause, source), source.completion, source.end, source.callEnd, effect);
  return Math.min(instant, effect);
}

/** What of the source `causeInstant` is, in words. */
export function causeMoment(cause: Cause, source: Operation): string {
  if (cause.kind === 'host') return 'the call returned';
  if (cause.kind === 'trigger' || cause.kind === 'programmaticEvent') {
    return Number.isNaN(source.lastTrigger) ? 'its end' : 'its last trigger';
  }
  return cause.kind === 'launchCompletion' ? 'its last block start' : 'its end';
}

function satisfying(cause: Cause, source: Operation): number {
  switch (cause.kind) {
    case 'trigger':
    case 'programmaticEvent':
      return firstFinite(source.lastTrigger, source.end);
    case 'launchCompletion':
      return firstFinite(source.lastStart, source.start);
    case 'host':
      return source.callEnd;
    default:
      return firstFinite(source.end, source.completion);
  }
}

function firstFinite(...instants: number[]): number {
  return instants.find((instant) => !Number.isNaN(instant)) ?? Number.NaN;
}

const PHRASES: Partial<Record<Cause['kind'], string>> = {
  host: 'host call',
  stream: 'stream order',
  programmaticEvent: 'programmatic event',
  launchCompletion: 'launch completion',
  legacyStream: 'legacy stream',
  hardwareQueue: 'hardware queue',
  launchProcessing: 'launch processing',
  carveOut: 'shared-memory carve-out',
  residentGrids: 'resident grids',
  implicitSync: 'implicit synchronisation',
  graphEdge: 'graph edge',
  queueFull: 'queue full',
};

/** A cause in words: `trigger of rms#0`, `resources (registers) of gemm#3`, `host call`. */
export function causeText(timeline: Timeline, cause: Cause): string {
  const detail = cause.detail === undefined || cause.detail === '' ? '' : ` (${cause.detail})`;
  const source = cause.operation === undefined ? undefined : timeline.operations[cause.operation];
  return `${PHRASES[cause.kind] ?? cause.kind}${detail}${source === undefined ? '' : ` of ${source.id}`}`;
}
