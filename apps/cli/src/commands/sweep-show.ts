import { readResults } from '@griddep/sweep';
import { columnsOf, type PlotKind, type PlotOptions, renderPlot, toCsv, toParquet, toTable } from '@griddep/sweep/show';
import { EXIT } from '../exit-codes.ts';
import { statInput } from '../input/read-bytes.ts';
import { checkOutputs, type OutputFile, writeOutputs } from '../output/files.ts';
import { print } from '../output/stdout.ts';
import { sensitivityText } from '../output/sweep-text.ts';

export interface SweepShowOptions extends Omit<PlotOptions, 'kind' | 'title'> {
  readonly all?: boolean;
  readonly svg?: string;
  readonly plot?: PlotKind;
  readonly csv?: string;
  readonly parquet?: string;
  readonly rows: number;
  readonly json?: boolean;
}

/** `griddep sweep show RESULTS`: the table, and what else is asked for. */
export async function sweepShow(path: string, options: SweepShowOptions): Promise<number> {
  const { svg, csv, parquet, all = false, json = false } = options;
  await statInput(path);
  const { rows, sweep } = readResults(path);
  const outputs: OutputFile[] = [];
  const add = (option: string, file: string | undefined, content: OutputFile['content']) => {
    if (file !== undefined) outputs.push({ option, path: file, content });
  };
  add('--svg', svg, () => renderPlot(rows, plotOptions(options, sweep)));
  add('--csv', csv, () => toCsv(columnsOf(rows, { all: true })));
  add('--parquet', parquet, () => toParquet(columnsOf(rows, { all: true })));
  await checkOutputs(outputs, [path]);
  const failure = await writeOutputs(outputs);
  const columns = columnsOf(rows, { all });
  const more =
    rows.length > options.rows ? `and ${rows.length - options.rows} more rows (--rows ${rows.length})\n` : '';
  const summary = sweep.kind === 'sensitivity' ? sensitivityText(rows) : '';
  await print(json ? `${JSON.stringify(rows, null, 2)}\n` : `${toTable(columns, options.rows)}${more}${summary}`);
  if (failure !== undefined) throw failure;
  return EXIT.ok;
}

/** What the command line says, and for the rest what the sweep's file says. */
function plotOptions(
  { plot, x, y, value, series, facet }: SweepShowOptions,
  sweep: Readonly<Record<string, string>>,
): PlotOptions {
  const own = JSON.parse(sweep.plot ?? '{}') as PlotOptions;
  const given = { kind: plot, x, y, value, series, facet };
  const meant = Object.fromEntries(Object.entries(given).filter(([, name]) => name !== undefined));
  const title = sweep.name === undefined ? {} : { title: sweep.name };
  return plot !== undefined && plot !== own.kind ? { ...title, ...meant } : { ...title, ...own, ...meant };
}
