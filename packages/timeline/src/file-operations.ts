import { ColumnReader, fileInstant, type TextTable } from './file-columns.ts';
import { TimelineFileError } from './file-error.ts';
import { INSTANTS } from './instants.ts';
import type { Cause, CauseKind, Operation, OperationKind, Slowdown, Wait } from './operation.ts';
import { CAUSE_KINDS, OPERATION_KINDS, SLOWDOWN_RESOURCES } from './vocabulary.ts';

const TEXTS = ['name', 'stream', 'thread', 'path', 'origin', 'unit'] as const;
const COUNTS = ['device', 'blocks', 'sms', 'maxBlocksPerSm', 'bytes'] as const;

type Columns = Record<string, (number | string | null)[]>;

/**
 * Operations as columns. Texts are positions in `table`. An instant is the difference to the last one before it that is
 * not null, along the row; the first of a row continues from the first of the row before: small numbers compress.
 * Waits and slowdowns are columns of their own, with a column of how many each operation has.
 */
export function encodeOperations(operations: readonly Operation[], table: TextTable) {
  const columns: Columns = {};
  for (const key of ['id', 'kind', ...TEXTS, ...COUNTS, ...INSTANTS, 'programmatic', 'waits', 'slowdown']) {
    columns[key] = [];
  }
  const put = (key: string, value: number | string | null) => columns[key]?.push(value);
  const causes = causeColumns();
  const waits = { ...causeColumns(), from: [] as (number | null)[], until: [] as (number | null)[] };
  const slowdown = { resource: [] as number[], factor: [] as number[] };
  let rowBase = 0;
  operations.forEach((operation, row) => {
    put('id', operation.id);
    put('kind', table.add(operation.kind));
    for (const key of TEXTS) put(key, table.add(operation[key]));
    for (const key of COUNTS) put(key, fileInstant(operation[key], `operations.${key}[${row}]`));
    let base = rowBase;
    let isFirst = true;
    for (const key of INSTANTS) {
      const value = fileInstant(operation[key], `operations.${key}[${row}]`);
      put(key, value === null ? null : fileInstant(value - base, `operations.${key}[${row}]`));
      if (value === null) continue;
      base = value;
      if (isFirst) rowBase = value;
      isFirst = false;
    }
    put('programmatic', operation.programmatic ? 1 : 0);
    pushCause(causes, operation.cause, table);
    put('waits', operation.waits.length);
    for (const wait of operation.waits) {
      pushCause(waits, wait, table);
      waits.from.push(fileInstant(wait.from, `waits.from of operation ${row}`));
      waits.until.push(fileInstant(wait.until, `waits.until of operation ${row}`));
    }
    put('slowdown', operation.slowdown.length);
    for (const { resource, factor } of operation.slowdown) {
      slowdown.resource.push(table.add(resource));
      slowdown.factor.push(factor);
    }
  });
  return { operations: columns, causes, waits, slowdown };
}

export interface OperationColumns {
  readonly operations: Readonly<Record<string, unknown>>;
  readonly causes: Readonly<Record<string, unknown>>;
  readonly waits: Readonly<Record<string, unknown>>;
  readonly slowdown: Readonly<Record<string, unknown>>;
}

/** The reverse of `encodeOperations`; throws TimelineFileError with the column and row of what does not fit. */
export function decodeOperations(file: OperationColumns, texts: readonly string[]): Operation[] {
  const ids = new ColumnReader(file.operations, 'operations', 'id');
  const rows = ids.length;
  const reader = (key: string) => new ColumnReader(file.operations, 'operations', key, rows);
  const kind = reader('kind');
  const programmatic = reader('programmatic');
  const waitCount = reader('waits');
  const slowdownCount = reader('slowdown');
  const textReaders = TEXTS.map((key) => [key, reader(key)] as const);
  const countReaders = COUNTS.map((key) => [key, reader(key)] as const);
  const instantReaders = INSTANTS.map((key) => [key, reader(key)] as const);
  const text = (column: ColumnReader, row: number) => texts[column.integer(row, 0, texts.length)] ?? '';
  const causes = causeReader(file.causes, 'causes', rows, texts, rows);
  const waits = waitReader(file.waits, texts, rows);
  const slowdowns = slowdownReader(file.slowdown, texts);
  let rowBase = 0;
  const operations: Operation[] = [];
  for (let row = 0; row < rows; row++) {
    const fields: Record<string, unknown> = {
      id: ids.text(row),
      kind: member<OperationKind>(text(kind, row), OPERATION_KINDS, `operations.kind[${row}]`),
    };
    for (const [key, column] of textReaders) fields[key] = text(column, row);
    for (const [key, column] of countReaders) fields[key] = column.instant(row);
    let base = rowBase;
    let isFirst = true;
    for (const [key, column] of instantReaders) {
      const value = base + column.instant(row);
      fields[key] = value;
      if (Number.isNaN(value)) continue;
      base = value;
      if (isFirst) rowBase = value;
      isFirst = false;
    }
    fields.cause = causes(row);
    fields.waits = waits(waitCount.integer(row, 0));
    fields.slowdown = slowdowns(slowdownCount.integer(row, 0));
    fields.programmatic = programmatic.integer(row, 0, 2) === 1;
    operations.push(fields as unknown as Operation);
  }
  return operations;
}

function causeColumns() {
  return { kind: [] as number[], operation: [] as (number | null)[], detail: [] as (number | null)[] };
}

function pushCause(columns: ReturnType<typeof causeColumns>, cause: Cause, table: TextTable): void {
  columns.kind.push(table.add(cause.kind));
  columns.operation.push(cause.operation ?? null);
  columns.detail.push(cause.detail === undefined ? null : table.add(cause.detail));
}

function causeReader(
  columns: Readonly<Record<string, unknown>>,
  group: string,
  length: number | undefined,
  texts: readonly string[],
  operations: number,
): (row: number) => Cause {
  const kind = new ColumnReader(columns, group, 'kind', length);
  const operation = new ColumnReader(columns, group, 'operation', kind.length);
  const detail = new ColumnReader(columns, group, 'detail', kind.length);
  return (row) => {
    const name = texts[kind.integer(row, 0, texts.length)] ?? '';
    const source = operation.optionalIndex(row, operations);
    const words = detail.optionalIndex(row, texts.length);
    return {
      kind: member<CauseKind>(name, CAUSE_KINDS, `${group}.kind[${row}]`),
      ...(source === undefined ? {} : { operation: source }),
      ...(words === undefined ? {} : { detail: texts[words] ?? '' }),
    };
  };
}

function waitReader(columns: Readonly<Record<string, unknown>>, texts: readonly string[], operations: number) {
  const from = new ColumnReader(columns, 'waits', 'from');
  const until = new ColumnReader(columns, 'waits', 'until', from.length);
  const cause = causeReader(columns, 'waits', from.length, texts, operations);
  let next = 0;
  return (count: number): Wait[] => {
    const waits: Wait[] = [];
    for (let i = 0; i < count; i++, next++) {
      waits.push({ ...cause(next), from: from.instant(next), until: until.instant(next) });
    }
    return waits;
  };
}

function slowdownReader(columns: Readonly<Record<string, unknown>>, texts: readonly string[]) {
  const resource = new ColumnReader(columns, 'slowdown', 'resource');
  const factor = new ColumnReader(columns, 'slowdown', 'factor', resource.length);
  let next = 0;
  return (count: number): Slowdown[] => {
    const slowdowns: Slowdown[] = [];
    for (let i = 0; i < count; i++, next++) {
      const name = texts[resource.integer(next, 0, texts.length)] ?? '';
      slowdowns.push({
        resource: member<Slowdown['resource']>(name, SLOWDOWN_RESOURCES, `slowdown.resource[${next}]`),
        factor: factor.number(next),
      });
    }
    return slowdowns;
  };
}

function member<T extends string>(value: string, members: ReadonlySet<string>, place: string): T {
  if (members.has(value)) return value as T;
  throw new TimelineFileError(`${place}: unknown ${JSON.stringify(value)}; one of ${[...members].join(', ')}`);
}
