import { nearestName } from '@griddep/machine';
import type { Value } from '@griddep/program';
import { sensitivitySummary } from '../sensitivity/summary.ts';
import type { Row } from '../store/store.ts';
import { SweepError } from '../sweep-error.ts';
import { columnsOf } from './columns.ts';
import { paretoFront } from './pareto.ts';

export type PlotKind = 'line' | 'heatmap' | 'pareto' | 'tornado';

/** What to draw; names are those of parameters, recorded values and statistics. */
export interface PlotOptions {
  readonly kind?: PlotKind | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly value?: string | undefined;
  /** A line for each of its values. */
  readonly series?: string | undefined;
  /** A picture for each of its values. */
  readonly facet?: string | undefined;
  readonly title?: string | undefined;
}

type Datum = Readonly<Record<string, Value | undefined>>;
const SIZE = { width: 360, height: 260 };

/**
 * A picture of results as SVG. Where several rows fall on one place, their median is drawn.
 *
 * @throws SweepError on names that no column bears, with the nearest
 */
export async function renderPlot(rows: readonly Row[], options: PlotOptions): Promise<string> {
  const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const specification = specificationOf(rows, options);
  const { spec } = compile({ ...specification, config: { font: 'sans-serif' } } as Parameters<typeof compile>[0]);
  const view = new View(parse(spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

function specificationOf(rows: readonly Row[], options: PlotOptions): object {
  const good = rows.filter(({ error }) => error === undefined);
  if (good.length === 0) throw new SweepError('there is no result to draw');
  const title = options.title === undefined ? {} : { title: options.title };
  switch (options.kind ?? 'line') {
    case 'tornado':
      return { ...title, ...tornado(good, options.value ?? 'makespan') };
    case 'heatmap':
      return { ...title, ...heatmap(good, options) };
    case 'pareto':
      return { ...title, ...pareto(good, options) };
    case 'line':
      return { ...title, ...line(good, options) };
  }
}

function line(rows: readonly Row[], { x, y, value, series, facet }: PlotOptions): object {
  const names = checked(rows, { x, y: y ?? value }, { series, facet });
  const data = dataOf(rows, Object.values(names));
  const encoding = {
    x: { field: fieldOf(names.x), type: 'quantitative', scale: scaleOf(data, names.x as string) },
    y: { field: fieldOf(names.y), type: 'quantitative', aggregate: 'median', title: names.y },
    ...(names.series === undefined ? {} : { color: { field: fieldOf(names.series), type: 'nominal' } }),
  };
  return faceted({ mark: { type: 'line', point: true }, encoding, ...SIZE }, data, names.facet);
}

function heatmap(rows: readonly Row[], { x, y, value, facet }: PlotOptions): object {
  const names = checked(rows, { x, y, value }, { facet });
  const data = dataOf(rows, Object.values(names));
  const axis = (field: string | undefined) => ({
    field: fieldOf(field),
    title: field,
    type: 'ordinal',
    axis: { labelAngle: 0 },
  });
  const encoding = {
    x: axis(names.x),
    y: { ...axis(names.y), sort: 'descending' },
    color: {
      field: fieldOf(names.value),
      type: 'quantitative',
      aggregate: 'median',
      title: names.value,
      scale: { scheme: 'viridis' },
    },
  };
  const text = {
    ...encoding,
    color: { value: 'white' },
    text: { ...encoding.color, format: '.3~g', scale: undefined },
  };
  const layer = [
    { mark: 'rect', encoding },
    { mark: { type: 'text', stroke: 'black', strokeWidth: 0.3 }, encoding: text },
  ];
  return faceted({ layer, ...SIZE }, data, names.facet);
}

function pareto(rows: readonly Row[], { x, y, series }: PlotOptions): object {
  const names = checked(rows, { x, y }, { series });
  const data = dataOf(rows, Object.values(names));
  const [a, b] = [names.x as string, names.y as string];
  const front = paretoFront(data, a, b);
  const encoding = {
    x: { field: fieldOf(a), title: a, type: 'quantitative', scale: { zero: false } },
    y: { field: fieldOf(b), title: b, type: 'quantitative', scale: { zero: false } },
  };
  const colour = names.series === undefined ? {} : { color: { field: fieldOf(names.series), type: 'nominal' } };
  return {
    ...SIZE,
    layer: [
      {
        data: { values: data },
        mark: { type: 'point', filled: true, opacity: 0.5 },
        encoding: { ...encoding, ...colour },
      },
      { data: { values: front }, mark: { type: 'line', interpolate: 'step-after', color: 'black' }, encoding },
    ],
  };
}

function tornado(rows: readonly Row[], value: string): object {
  const summary = sensitivitySummary(rows, value);
  if (summary === undefined) throw new SweepError('a tornado is drawn of the results of a sensitivity');
  const MOST_BARS = 20;
  const values = summary.effects.slice(0, MOST_BARS).flatMap(({ constant, low, high }) => [
    { constant, at: 'low end of its spread', from: summary.value, to: low },
    { constant, at: 'high end of its spread', from: summary.value, to: high },
  ]);
  return {
    data: { values },
    width: SIZE.width,
    height: { step: 16 },
    mark: 'bar',
    encoding: {
      y: { field: 'constant', type: 'nominal', sort: null },
      x: { field: 'from', type: 'quantitative', scale: { zero: false }, title: value },
      x2: { field: 'to' },
      color: { field: 'at', type: 'nominal' },
    },
  };
}

function faceted(unit: object, values: readonly Datum[], facet: string | undefined): object {
  const data = { values };
  if (facet === undefined) return { data, ...unit };
  return {
    data,
    facet: { field: fieldOf(facet), type: 'ordinal', header: { labelExpr: `'${facet} ' + datum.value`, title: null } },
    columns: 2,
    spec: unit,
  };
}

/** A name as Vega takes it: in a field a dot or a bracket would be a path. */
function fieldOf(name: string | undefined): string | undefined {
  return name?.replaceAll(/[.[\]\\']/g, '\\$&');
}

/** Values that are spread over more than two decades go on a log axis. */
function scaleOf(data: readonly Datum[], name: string): object {
  const numbers = data.map((datum) => Number(datum[name])).filter((value) => Number.isFinite(value));
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) [least, most] = [Math.min(least, number), Math.max(most, number)];
  return least > 0 && most / least >= 32 ? { type: 'log', base: 2 } : { zero: false };
}

function dataOf(rows: readonly Row[], names: readonly (string | undefined)[]): Datum[] {
  return rows.map((row) => {
    const all: Datum = { ...row.statistics, ...row.recorded, ...row.parameters };
    return Object.fromEntries(names.flatMap((name) => (name === undefined ? [] : [[name, all[name]]])));
  });
}

/** The names, each of which a column bears. Those in `needed` have to be given. */
function checked(
  rows: readonly Row[],
  needed: Readonly<Record<string, string | undefined>>,
  others: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const known = columnsOf(rows, { all: true }).map(({ name }) => name);
  for (const [axis, name] of Object.entries(needed)) {
    if (name === undefined) throw new SweepError(`the plot needs --${axis}: one of ${known.join(', ')}`);
  }
  const all = { ...needed, ...others };
  for (const name of Object.values(all)) {
    if (name === undefined || known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw new SweepError(`nothing is called "${name}"${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`);
  }
  return all;
}
