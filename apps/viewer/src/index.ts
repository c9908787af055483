export { columnsOf, type TimelineColumns } from './data/columns.ts';
export type { Finding } from './data/finding.ts';
export { IntervalRows, IntervalTable, type RunBegun, TABLE_START, type TablePosition } from './data/interval-table.ts';
export { packView, unpackView, VIEW_SCHEMA, type ViewRun } from './data/view-document.ts';

/** The page: one HTML file that holds all it needs. */
export const VIEWER_PAGE = new URL('../dist/page/index.html', import.meta.url);
