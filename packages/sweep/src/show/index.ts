export { type Column, columnsOf } from './columns.ts';
export { toCsv } from './csv.ts';
export { paretoFront } from './pareto.ts';
export { toParquet } from './parquet.ts';
export { type PlotKind, type PlotOptions, renderPlot } from './plot.ts';
export { toTable } from './table.ts';
