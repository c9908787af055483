import { causeInstant } from '../cause.ts';
import type { Lane, Slice } from '../lanes.ts';
import type { CauseKind } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

/** A place in the lanes of a picture. */
interface Place {
  readonly lane: number;
  readonly slice: Slice;
}

/** From what satisfied the last condition to what then started. */
export interface Flow {
  readonly kind: CauseKind;
  readonly from: Place;
  /** ps, inside `from`'s slice. */
  readonly fromTime: number;
  readonly to: Place;
  /** ps, the start of `to`'s slice. */
  readonly toTime: number;
}

/**
 * One flow per operation whose cause is another operation, or the host's call that made it, in order of operation.
 * None leads backwards in time.
 */
export function flowsOf(timeline: Timeline, lanes: readonly Lane[]): Flow[] {
  const { operations } = timeline;
  const onDevice: (Place | undefined)[] = new Array(operations.length);
  const onHost: (Place | undefined)[] = new Array(operations.length);
  const hostCalls = new Map<string, Place>();
  lanes.forEach((lane, index) => {
    for (const slice of lane.slices) {
      const place = { lane: index, slice };
      if (lane.device >= 0) {
        onDevice[slice.operation] = place;
        continue;
      }
      onHost[slice.operation] = place;
      hostCalls.set(`${lane.stream} ${slice.start} ${slice.end}`, place);
    }
  });
  const flows: Flow[] = [];
  operations.forEach((operation, index) => {
    const to = operation.device < 0 ? onHost[index] : onDevice[index];
    if (to === undefined) return;
    const { cause } = operation;
    const ownCall = cause.kind === 'host' && operation.device >= 0 && cause.operation === undefined;
    const source = ownCall ? operation : operations[cause.operation ?? -1];
    if (source === undefined) return;
    const from = ownCall
      ? hostCalls.get(`${operation.thread} ${operation.callBegin} ${operation.callEnd}`)
      : (onDevice[cause.operation ?? -1] ?? onHost[cause.operation ?? -1]);
    if (from === undefined || from.slice.start > to.slice.start) return;
    const instant = causeInstant(cause, source, to.slice.start);
    const fromTime = Math.max(from.slice.start, Math.min(from.slice.end, instant));
    flows.push({ kind: cause.kind, from, fromTime, to, toTime: to.slice.start });
  });
  return flows;
}
