import { type Cause, INSTANTS, type InstantName, type Operation, type Timeline, type Wait } from '@griddep/timeline';
import { CAUSES, FACT, FACTS, type FactName, INSTANT, KINDS, RESOURCES, type TimelineColumns } from './columns.ts';
import { textAt } from './text-column.ts';

/** Reads a timeline in columns; operations become objects one by one, when they are asked for. */
export class Store {
  readonly columns: TimelineColumns;
  readonly count: number;
  readonly #texts = new Map<number, string>();
  #timeline: Timeline | undefined;

  constructor(columns: TimelineColumns) {
    this.columns = columns;
    this.count = columns.count;
  }

  /** ps, NaN where the operation has no such instant. */
  instant(operation: number, name: InstantName): number {
    return this.columns.instants[operation * INSTANTS.length + INSTANT[name]] ?? Number.NaN;
  }

  fact(operation: number, name: FactName): number {
    return this.columns.facts[operation * FACTS.length + FACT[name]] ?? -1;
  }

  /** A text by its position; names repeat, so they are kept, but not ids. */
  text(position: number): string {
    let text = this.#texts.get(position);
    if (text === undefined) {
      text = textAt(this.columns.texts, position);
      this.#texts.set(position, text);
    }
    return text;
  }

  id(operation: number): string {
    return textAt(this.columns.texts, this.fact(operation, 'id'));
  }

  /** The name, or the kind where it has none. */
  name(operation: number): string {
    return this.text(this.fact(operation, 'name')) || this.kind(operation);
  }

  kind(operation: number): Operation['kind'] {
    return KINDS[this.fact(operation, 'kind')] ?? 'kernel';
  }

  cause(operation: number): Cause {
    return this.#cause(
      this.fact(operation, 'causeKind'),
      this.fact(operation, 'causeOperation'),
      this.fact(operation, 'causeDetail'),
    );
  }

  waits(operation: number): Wait[] {
    const { waitOffsets, waitFacts, waitTimes } = this.columns;
    const waits: Wait[] = [];
    for (let i = waitOffsets[operation] ?? 0; i < (waitOffsets[operation + 1] ?? 0); i++) {
      const cause = this.#cause(waitFacts[3 * i] ?? 0, waitFacts[3 * i + 1] ?? -1, waitFacts[3 * i + 2] ?? -1);
      waits.push({ ...cause, from: waitTimes[2 * i] ?? Number.NaN, until: waitTimes[2 * i + 1] ?? Number.NaN });
    }
    return waits;
  }

  operation(index: number): Operation {
    const instants = {} as Record<InstantName, number>;
    for (const name of INSTANTS) instants[name] = this.instant(index, name);
    const { slowdownOffsets, slowdown, bytes } = this.columns;
    const slowdowns: { resource: (typeof RESOURCES)[number]; factor: number }[] = [];
    for (let i = slowdownOffsets[index] ?? 0; i < (slowdownOffsets[index + 1] ?? 0); i++) {
      slowdowns.push({ resource: RESOURCES[slowdown[2 * i] ?? 0] ?? 'engine', factor: slowdown[2 * i + 1] ?? 1 });
    }
    const text = (name: FactName) => this.text(this.fact(index, name));
    return {
      id: this.id(index),
      kind: this.kind(index),
      name: text('name'),
      device: this.fact(index, 'device'),
      stream: text('stream'),
      thread: text('thread'),
      path: text('path'),
      origin: text('origin'),
      ...instants,
      blocks: this.fact(index, 'blocks'),
      sms: this.fact(index, 'sms'),
      maxBlocksPerSm: this.fact(index, 'maxBlocksPerSm'),
      unit: text('unit'),
      bytes: bytes[index] ?? 0,
      cause: this.cause(index),
      waits: this.waits(index),
      slowdown: slowdowns,
      programmatic: this.fact(index, 'programmatic') === 1,
    };
  }

  /** The whole timeline as objects; made once, and only where a statistic or a comparison needs it. */
  timeline(): Timeline {
    if (this.#timeline === undefined) {
      const { head, blocks } = this.columns;
      const operations = Array.from({ length: this.count }, (_, i) => this.operation(i));
      const hostTotal = head.hostTotal ?? Number.NaN;
      this.#timeline = { ...head, hostTotal, operations, ...(blocks === undefined ? {} : { blocks }) };
    }
    return this.#timeline;
  }

  #cause(kind: number, operation: number, detail: number): Cause {
    return {
      kind: CAUSES[kind] ?? 'host',
      ...(operation < 0 ? {} : { operation }),
      ...(detail < 0 ? {} : { detail: this.text(detail) }),
    };
  }
}
