import { causeText } from '../cause.ts';
import { formatUs, INSTANTS, PS_PER_US } from '../instants.ts';
import type { Operation } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

const CALLS: Partial<Record<Operation['kind'], string>> = {
  kernel: 'launch ',
  graph: 'launch graph ',
  eventRecord: 'record ',
  eventWait: 'wait ',
  hostFunction: 'launch host function ',
};

/** What a host lane calls an operation: `launch rmsNorm` for a kernel. */
export function callName(operation: Operation): string {
  return (CALLS[operation.kind] ?? '') + (operation.name || operation.kind);
}

/** The name of an operation, or its kind where it has none. */
export function sliceName(operation: Operation): string {
  return operation.name || operation.kind;
}

/** What an operation is, where its name alone would not tell: `record done` and `wait done` for the two sides of an event. */
export function workName(operation: Operation): string {
  return operation.kind === 'eventRecord' || operation.kind === 'eventWait'
    ? callName(operation)
    : sliceName(operation);
}

/** `GPU 0: H200`; `host` for -1. */
export function deviceTitle(timeline: Timeline, device: number): string {
  if (device < 0) return 'host';
  const name = timeline.devices[device]?.name ?? '';
  const title = `GPU ${device}`;
  return name === '' || name === title ? title : `${title}: ${name}`;
}

/** All that is known of an operation, for a viewer's details: times in us, only what is there. */
export function details(timeline: Timeline, operation: Operation): Record<string, string | number> {
  const record: Record<string, string | number> = { id: operation.id, kind: operation.kind };
  for (const key of ['path', 'origin', 'unit'] as const) {
    if (operation[key] !== '') record[key] = operation[key];
  }
  for (const instant of INSTANTS) {
    if (!Number.isNaN(operation[instant])) record[`${instant} (us)`] = operation[instant] / PS_PER_US;
  }
  for (const key of ['blocks', 'sms', 'maxBlocksPerSm', 'bytes'] as const) {
    if (operation[key] !== 0) record[key] = operation[key];
  }
  record.cause = causeText(timeline, operation.cause);
  operation.waits.forEach((wait, i) => {
    record[`wait ${i + 1}`] = `${causeText(timeline, wait)}, ${formatUs(wait.from)} to ${formatUs(wait.until)} us`;
  });
  for (const { resource, factor } of operation.slowdown) record[`slowdown ${resource}`] = factor;
  return record;
}

/** Whether blocks of the kernel waited for its predecessors, and so where the part before the wait's return ends. */
export function waitingUntil(operation: Operation): number | undefined {
  const { start, lastRelease } = operation;
  return start < lastRelease ? lastRelease : undefined;
}
