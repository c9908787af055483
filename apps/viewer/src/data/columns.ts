import {
  type BlockColumns,
  CAUSE_KINDS,
  type CauseKind,
  INSTANTS,
  OPERATION_KINDS,
  type Operation,
  type OperationKind,
  type Timeline,
} from '@griddep/timeline';
import { TextCollector, type TextColumn } from './text-column.ts';

/** Names of the integers of an operation; texts are positions in `texts`, -1 where there is none. */
export const FACTS = [
  'id',
  'kind',
  'name',
  'device',
  'stream',
  'thread',
  'path',
  'origin',
  'unit',
  'causeKind',
  'causeOperation',
  'causeDetail',
  'blocks',
  'sms',
  'maxBlocksPerSm',
  'programmatic',
] as const;

export type FactName = (typeof FACTS)[number];

const positions = <T extends string>(names: readonly T[]) =>
  Object.fromEntries(names.map((name, i) => [name, i])) as Record<T, number>;

/** Where an instant and a fact stand in the row of an operation. */
export const INSTANT = positions(INSTANTS);
export const FACT = positions(FACTS);

export const KINDS: readonly OperationKind[] = [...OPERATION_KINDS];
export const CAUSES: readonly CauseKind[] = [...CAUSE_KINDS];
export const RESOURCES = ['arithmetic', 'deviceMemory', 'link', 'engine'] as const;

/** All of a timeline but its operations; NaN is null. */
export type TimelineHead = Omit<Timeline, 'operations' | 'blocks' | 'hostTotal'> & {
  readonly hostTotal: number | null;
};

/**
 * A timeline in columns: a million operations are a few large arrays, which pass between threads, server and page as
 * they are, and of which only what is looked at becomes objects.
 */
export interface TimelineColumns {
  readonly head: TimelineHead;
  readonly count: number;
  readonly texts: TextColumn;
  /** Rows of INSTANTS, ps. */
  readonly instants: Float64Array;
  /** Rows of FACTS. */
  readonly facts: Int32Array;
  readonly bytes: Float64Array;
  /** Waits of operation `i`: from `waitOffsets[i]` to `waitOffsets[i + 1]`; rows of (kind, operation, detail). */
  readonly waitOffsets: Uint32Array;
  readonly waitFacts: Int32Array;
  /** Rows of (from, until), ps. */
  readonly waitTimes: Float64Array;
  /** Likewise; rows of (resource, factor). */
  readonly slowdownOffsets: Uint32Array;
  readonly slowdown: Float64Array;
  readonly blocks?: BlockColumns;
}

/** Position of a text, which is added where it is not there; -1 for none. */
export function positionIn(texts: TextCollector, text: string | undefined): number {
  return text === undefined || text === '' ? -1 : texts.add(text);
}

/** The row of an operation in `facts`; `text` gives the position of one. */
export function factsOf(operation: Operation, text: (value: string | undefined) => number): number[] {
  const { cause } = operation;
  return [
    text(operation.id),
    KINDS.indexOf(operation.kind),
    text(operation.name),
    operation.device,
    text(operation.stream),
    text(operation.thread),
    text(operation.path),
    text(operation.origin),
    text(operation.unit),
    CAUSES.indexOf(cause.kind),
    cause.operation ?? -1,
    text(cause.detail),
    operation.blocks,
    operation.sms,
    operation.maxBlocksPerSm,
    operation.programmatic ? 1 : 0,
  ];
}

export function columnsOf(timeline: Timeline): TimelineColumns {
  const { operations, blocks, hostTotal, ...rest } = timeline;
  const count = operations.length;
  const texts = new TextCollector();
  const text = (value: string | undefined) => positionIn(texts, value);
  const instants = new Float64Array(count * INSTANTS.length);
  const facts = new Int32Array(count * FACTS.length);
  const bytes = new Float64Array(count);
  const waitOffsets = new Uint32Array(count + 1);
  const slowdownOffsets = new Uint32Array(count + 1);
  const waitFacts: number[] = [];
  const waitTimes: number[] = [];
  const slowdown: number[] = [];
  operations.forEach((operation, i) => {
    for (let k = 0; k < INSTANTS.length; k++) instants[i * INSTANTS.length + k] = operation[INSTANTS[k] ?? 'start'];
    facts.set(factsOf(operation, text), i * FACTS.length);
    bytes[i] = operation.bytes;
    for (const wait of operation.waits) {
      waitFacts.push(CAUSES.indexOf(wait.kind), wait.operation ?? -1, text(wait.detail));
      waitTimes.push(wait.from, wait.until);
    }
    for (const { resource, factor } of operation.slowdown) slowdown.push(RESOURCES.indexOf(resource), factor);
    waitOffsets[i + 1] = waitTimes.length / 2;
    slowdownOffsets[i + 1] = slowdown.length / 2;
  });
  return {
    head: { ...rest, hostTotal: Number.isNaN(hostTotal) ? null : hostTotal },
    count,
    texts: texts.column(),
    instants,
    facts,
    bytes,
    waitOffsets,
    waitFacts: Int32Array.from(waitFacts),
    waitTimes: Float64Array.from(waitTimes),
    slowdownOffsets,
    slowdown: Float64Array.from(slowdown),
    ...(blocks === undefined ? {} : { blocks }),
  };
}
