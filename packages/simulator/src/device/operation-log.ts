import type { DeviceRecord, Held, SharedResource } from './device-record.ts';
import { NumberTable } from './number-table.ts';
import type { Milestone } from './work.ts';

/** What a device recorded of its operations, as plain rows that go to other threads as they are (`LogReader`). */
export interface LoggedOperations {
  readonly rows: Float64Array;
  readonly held: Float64Array;
  readonly shared: Float64Array;
  /** Texts that rows name by index. */
  readonly words: readonly string[];
}

/** Instants of a row, in this order after the operation's number; the milestones at the end are for those who come later. */
const INSTANTS = [
  'arrived',
  'processing',
  'start',
  'lastStart',
  'firstTrigger',
  'lastTrigger',
  'firstRelease',
  'lastRelease',
  'firstEnd',
  'end',
  'completion',
] as const satisfies readonly (keyof DeviceRecord)[];
const MILESTONES = ['triggered', 'started', 'seen'] as const satisfies readonly Milestone[];

const OP = 0;
const INSTANT = 1;
const MILESTONE = INSTANT + INSTANTS.length;
const SMS = MILESTONE + MILESTONES.length;
const [MOST_BLOCKS, UNIT, CAUSE, CAUSE_OP, DETAIL, PROGRAMMATIC, HELD, SHARED, WIDTH] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  (i) => SMS + i,
) as [number, number, number, number, number, number, number, number, number];

const HELD_WIDTH = 5;
const SHARED_WIDTH = 3;
const NO_WORD = -1;
/** Column of each instant. */
const AT = Object.fromEntries(INSTANTS.map((name, i) => [name, INSTANT + i])) as Readonly<
  Record<(typeof INSTANTS)[number], number>
>;

/** Times at which an operation reached its milestones, ps; NaN for those that it did not. */
export type Reached = Readonly<Record<Milestone, number>>;

/** Operations that are over, as rows of numbers: an object of each would be most of the memory of a long run. */
export class OperationLog {
  private readonly rows = new NumberTable(WIDTH);
  private readonly held = new NumberTable(HELD_WIDTH);
  private readonly shared = new NumberTable(SHARED_WIDTH);
  private readonly words: string[] = [];
  private readonly wordIndex = new Map<string, number>();
  private readonly rowOf = new Map<number, number>();

  /** Adds an operation that does not change any more. */
  add(record: DeviceRecord, reached: Reached): void {
    const row = this.rows.add([
      record.op,
      record.arrived,
      record.processing,
      record.start,
      record.lastStart,
      record.firstTrigger,
      record.lastTrigger,
      record.firstRelease,
      record.lastRelease,
      record.firstEnd,
      record.end,
      record.completion,
      reached.triggered,
      reached.started,
      reached.seen,
      record.sms,
      record.maxBlocksPerSm,
      this.word(record.unit),
      this.word(record.cause),
      record.causeOp,
      this.word(record.causeDetail),
      record.programmatic ? 1 : 0,
      this.held.length,
      this.shared.length,
    ]);
    this.rowOf.set(record.op, row);
    for (const { kind, op, from, until, detail } of record.held) {
      this.held.add([this.word(kind), op, from, until, this.word(detail)]);
    }
    for (const { resource, actual, alone } of record.shared) this.shared.add([this.word(resource), actual, alone]);
  }

  /** When an operation of the log reached its milestones; undefined for one that is not in it. */
  reached(op: number): Reached | undefined {
    const row = this.rowOf.get(op);
    if (row === undefined) return undefined;
    const [triggered, started, seen] = MILESTONES.map((_, i) => this.rows.at(row, MILESTONE + i));
    return { complete: this.rows.at(row, AT.completion), triggered, started, seen } as Reached;
  }

  /** All of it, as views. */
  logged(): LoggedOperations {
    const { rows, held, shared, words } = this;
    return { rows: rows.rows(), held: held.rows(), shared: shared.rows(), words };
  }

  private word(text: string | undefined): number {
    if (text === undefined) return NO_WORD;
    const known = this.wordIndex.get(text);
    if (known !== undefined) return known;
    this.wordIndex.set(text, this.words.length);
    return this.words.push(text) - 1;
  }
}

/** Reads what a device recorded of its operations. */
export class LogReader {
  private readonly log: LoggedOperations;
  readonly length: number;

  constructor(log: LoggedOperations) {
    this.log = log;
    this.length = log.rows.length / WIDTH;
  }

  /** Numbers of the operations, by row. */
  ops(): number[] {
    return Array.from({ length: this.length }, (_, row) => this.number(row, OP));
  }

  /** The record in a row: one literal, as this is done for millions. */
  record(row: number): DeviceRecord {
    return {
      op: this.number(row, OP),
      arrived: this.number(row, AT.arrived),
      processing: this.number(row, AT.processing),
      start: this.number(row, AT.start),
      lastStart: this.number(row, AT.lastStart),
      firstTrigger: this.number(row, AT.firstTrigger),
      lastTrigger: this.number(row, AT.lastTrigger),
      firstRelease: this.number(row, AT.firstRelease),
      lastRelease: this.number(row, AT.lastRelease),
      firstEnd: this.number(row, AT.firstEnd),
      end: this.number(row, AT.end),
      completion: this.number(row, AT.completion),
      sms: this.number(row, SMS),
      maxBlocksPerSm: this.number(row, MOST_BLOCKS),
      unit: this.word(this.number(row, UNIT)) as string,
      cause: this.word(this.number(row, CAUSE)) as DeviceRecord['cause'],
      causeOp: this.number(row, CAUSE_OP),
      causeDetail: this.word(this.number(row, DETAIL)),
      programmatic: this.number(row, PROGRAMMATIC) === 1,
      held: this.heldOf(row),
      shared: this.sharedOf(row),
    };
  }

  private heldOf(row: number): Held[] {
    const { held } = this.log;
    const all: Held[] = [];
    const last = this.endOf(row, HELD, held.length / HELD_WIDTH);
    for (let i = this.number(row, HELD); i < last; i++) {
      const at = i * HELD_WIDTH;
      const kind = this.word(held[at] as number) as Held['kind'];
      const [op, from, until] = [held[at + 1] as number, held[at + 2] as number, held[at + 3] as number];
      const detail = this.word(held[at + 4] as number);
      all.push(detail === undefined ? { kind, op, from, until } : { kind, op, from, until, detail });
    }
    return all;
  }

  private sharedOf(row: number): DeviceRecord['shared'] {
    const { shared } = this.log;
    const all: DeviceRecord['shared'][number][] = [];
    const last = this.endOf(row, SHARED, shared.length / SHARED_WIDTH);
    for (let i = this.number(row, SHARED); i < last; i++) {
      const at = i * SHARED_WIDTH;
      const resource = this.word(shared[at] as number) as SharedResource;
      all.push({ resource, actual: shared[at + 1] as number, alone: shared[at + 2] as number });
    }
    return all;
  }

  /** Where the lines of a row end: where those of the next begin. */
  private endOf(row: number, column: number, length: number): number {
    return row + 1 < this.length ? this.number(row + 1, column) : length;
  }

  private number(row: number, column: number): number {
    return this.log.rows[row * WIDTH + column] as number;
  }

  private word(index: number): string | undefined {
    return index === NO_WORD ? undefined : this.log.words[index];
  }
}
