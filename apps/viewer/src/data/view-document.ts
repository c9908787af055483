import type { TimelineColumns, TimelineHead } from './columns.ts';
import type { Finding } from './finding.ts';
import { type Column, packFrame, unpackFrame } from './frame.ts';

export const VIEW_SCHEMA = 'griddep/view@1';

/** One run to show, and what it takes to run it again. */
export interface ViewRun {
  readonly title: string;
  readonly columns: TimelineColumns;
  readonly findings: readonly Finding[];
  /** The program as JSON text, and the machine as JSON text, where they are known: without them nothing can be edited. */
  readonly program?: string;
  readonly machine?: string;
}

interface RunHead extends Omit<ViewRun, 'columns'> {
  readonly head: TimelineHead;
  readonly count: number;
}

/** Runs as bytes, for a page to show: two of them are compared. */
export function packView(runs: readonly ViewRun[]): Uint8Array<ArrayBuffer> {
  const columns: Record<string, Column> = {};
  const heads = runs.map(({ columns: table, ...run }, i): RunHead => {
    const { head, count, texts, blocks, ...arrays } = table;
    Object.assign(columns, prefixed(`${i}.`, arrays), prefixed(`${i}.texts.`, { ...texts }));
    if (blocks !== undefined) Object.assign(columns, prefixed(`${i}.blocks.`, { ...blocks }));
    return { ...run, head, count };
  });
  return packFrame({ schema: VIEW_SCHEMA, runs: heads }, columns);
}

/** Throws Error where the bytes are of another version, or cut off. */
export function unpackView(bytes: Uint8Array): ViewRun[] {
  const { head, columns } = unpackFrame(bytes);
  const { schema, runs } = head as { schema: string; runs: RunHead[] };
  if (schema !== VIEW_SCHEMA) throw new Error(`this is ${schema}; this page shows ${VIEW_SCHEMA}`);
  return runs.map(({ head, count, ...run }, i) => {
    const arrays = without(`${i}.`, columns);
    const blocks = without(`${i}.blocks.`, columns);
    const table = {
      ...arrays,
      head,
      count,
      texts: without(`${i}.texts.`, columns),
      ...(Object.keys(blocks).length === 0 ? {} : { blocks }),
    };
    return { ...run, columns: table as unknown as TimelineColumns };
  });
}

function prefixed(prefix: string, columns: Readonly<Record<string, Column>>): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [prefix + name, column]));
}

/** The columns whose names begin with `prefix` and have no further part. */
function without(prefix: string, columns: Readonly<Record<string, Column>>): Record<string, Column> {
  const own = Object.entries(columns).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(([name, column]) => [name.slice(prefix.length), column] as const).filter(([name]) => !name.includes('.')),
  );
}
