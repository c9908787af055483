import { causeInstant, causeMoment, causeText } from '../cause.ts';
import { formatUs } from '../instants.ts';
import { type Operation, runsOnSms } from '../operation.ts';
import type { Timeline } from '../timeline.ts';
import { workName } from './names.ts';

export interface TableOptions {
  /** At most how many operations are listed. Default 50. */
  readonly rows?: number;
  /** Whether host calls without work on a device are listed. Default false. */
  readonly host?: boolean;
}

interface Column {
  readonly title: string;
  readonly isRight?: boolean;
  readonly cell: (operation: Operation) => string;
}

/**
 * Operations as a table of text, in order of start, times in us: id, what it is where the id does not tell, device, stream,
 * start, end, duration, SMs and most blocks on one where there are kernels, and what each started after. What the limit
 * leaves out is counted; the last line says how to read the last column.
 */
export function renderTable(timeline: Timeline, options: TableOptions = {}): string {
  const { rows = 50, host = false } = options;
  const all = timeline.operations.filter((operation) => host || operation.device >= 0);
  const shown = all.sort((a, b) => orderOf(begin(a)) - orderOf(begin(b))).slice(0, rows);
  const columns = columnsFor(timeline, shown);
  const cells = [columns.map(({ title }) => title), ...shown.map((each) => columns.map(({ cell }) => cell(each)))];
  const widths = columns.map((_, i) => cells.reduce((most, line) => Math.max(most, line[i]?.length ?? 0), 0));
  const lines = cells.map((line) => formatLine(line, columns, widths));
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  if (all.length > rows) lines.push(`... ${all.length - rows} more`);
  if (shown.length > 0) lines.push(...LEGEND);
  return `${lines.join('\n')}\n`;
}

const LEGEND = [
  'started after: the condition that held last before the start; +N us: the start came that much later than what is named',
];

function columnsFor(timeline: Timeline, shown: readonly Operation[]): Column[] {
  const isTold = (operation: Operation) => operation.id.replace(/#\d+$/, '') === workName(operation);
  const columns: (Column | false)[] = [
    { title: 'id', cell: ({ id }) => id },
    shown.some((operation) => !isTold(operation)) && { title: 'what', cell: workName },
    { title: 'device', cell: ({ device }) => (device < 0 ? 'host' : String(device)) },
    { title: 'stream', cell: ({ device, thread, stream }) => (device < 0 ? thread : stream) },
    { title: 'start', isRight: true, cell: (operation) => formatUs(begin(operation)) },
    { title: 'end', isRight: true, cell: (operation) => formatUs(finish(operation)) },
    { title: 'duration', isRight: true, cell: (operation) => formatUs(finish(operation) - begin(operation)) },
    shown.some(hasBlocks) && {
      title: 'SMs x blocks',
      isRight: true,
      cell: (operation) => (hasBlocks(operation) ? `${operation.sms} x ${operation.maxBlocksPerSm}` : ''),
    },
    { title: 'started after', cell: (operation) => startedAfter(timeline, operation) },
  ];
  return columns.filter((column) => column !== false);
}

function hasBlocks({ kind, sms }: Operation): boolean {
  return runsOnSms(kind) && sms > 0;
}

/** The cause, and how much later than it the start came: `stream order of k#0 (+1.65 us after its end)`. */
function startedAfter(timeline: Timeline, operation: Operation): string {
  const { cause } = operation;
  const text = causeText(timeline, cause);
  if (operation.device < 0) return text;
  const source =
    cause.operation === undefined && cause.kind === 'host' ? operation : timeline.operations[cause.operation ?? -1];
  const start = begin(operation);
  if (source === undefined || Number.isNaN(start)) return text;
  const later = formatUs(start - causeInstant(cause, source, start), 2);
  return Number(later) > 0 ? `${text} (+${later} us after ${causeMoment(cause, source)})` : text;
}

function begin(operation: Operation): number {
  return operation.device < 0 ? operation.callBegin : firstFinite(operation.start, operation.processing);
}

function finish(operation: Operation): number {
  return operation.device < 0 ? operation.callEnd : firstFinite(operation.end, operation.completion);
}

function firstFinite(a: number, b: number): number {
  return Number.isNaN(a) ? b : a;
}

/** What never started comes last. */
function orderOf(instant: number): number {
  return Number.isNaN(instant) ? Number.MAX_VALUE : instant;
}

function formatLine(line: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  return line
    .map((cell, i) => (columns[i]?.isRight === true ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
    .join('  ')
    .trimEnd();
}
