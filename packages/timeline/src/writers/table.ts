import { causeText } from '../cause.ts';
import { formatUs } from '../instants.ts';
import type { Operation } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

export interface TableOptions {
  /** At most how many operations are listed. Default 50. */
  readonly rows?: number;
  /** Whether host calls without work on a device are listed. Default false. */
  readonly host?: boolean;
}

const RIGHT_ALIGNED: ReadonlySet<number> = new Set([3, 4, 5]);

/**
 * Operations as a table of text, in order of start, times in us: id, device, stream, start, end, duration, and what each
 * started after, with how long it had waited for that. What the limit leaves out is counted in a last line.
 */
export function renderTable(timeline: Timeline, options: TableOptions = {}): string {
  const { rows = 50, host = false } = options;
  const shown = timeline.operations.filter((operation) => host || operation.device >= 0);
  const sorted = shown.sort((a, b) => orderOf(begin(a)) - orderOf(begin(b)));
  const cells = [
    ['id', 'device', 'stream', 'start', 'end', 'duration', 'started after'],
    ...sorted.slice(0, rows).map((operation) => row(timeline, operation)),
  ];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) => formatLine(line, widths));
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  if (sorted.length > rows) lines.push(`... ${sorted.length - rows} more`);
  return `${lines.join('\n')}\n`;
}

function row(timeline: Timeline, operation: Operation): string[] {
  const from = begin(operation);
  const to = operation.device < 0 ? operation.callEnd : firstFinite(operation.end, operation.completion);
  const last = operation.waits.at(-1);
  const waited = last !== undefined && last.until > last.from ? `, ${formatUs(last.until - last.from)} us` : '';
  return [
    operation.id,
    operation.device < 0 ? 'host' : String(operation.device),
    operation.device < 0 ? operation.thread : operation.stream,
    formatUs(from),
    formatUs(to),
    formatUs(to - from),
    causeText(timeline, operation.cause) + waited,
  ];
}

function begin(operation: Operation): number {
  return operation.device < 0 ? operation.callBegin : firstFinite(operation.start, operation.processing);
}

function firstFinite(a: number, b: number): number {
  return Number.isNaN(a) ? b : a;
}

/** What never started comes last. */
function orderOf(instant: number): number {
  return Number.isNaN(instant) ? Number.MAX_VALUE : instant;
}

function formatLine(line: readonly string[], widths: readonly number[]): string {
  return line
    .map((cell, column) => {
      const width = widths[column] ?? 0;
      return RIGHT_ALIGNED.has(column) ? cell.padStart(width) : cell.padEnd(width);
    })
    .join('  ')
    .trimEnd();
}
