import {
  causeText,
  formatUs,
  hashTimeline,
  renderSvg,
  renderTextbookSvg,
  statistics,
  type Timeline,
} from '@griddep/timeline';
import type { Finding } from '@griddep/viewer';
import { page, table, text } from './html.ts';

export interface ReportInput {
  readonly timeline: Timeline;
  /** File or scenario, and its settings. */
  readonly from: string;
  readonly findings: readonly Finding[];
  /** The program as YAML; unknown for a saved timeline. */
  readonly program: string | undefined;
  /** Indices of the two grids of the textbook figure; none where no two fit. */
  readonly pair: readonly [number, number] | undefined;
}

const MOST_OPERATIONS = 2000;
const LONGEST_PROGRAM = 1_000_000;
const MOST_ZOOMED = 24;

const us = (ns: number) => (Number.isFinite(ns) ? (ns / 1000).toFixed(3) : '-');
const number = (title: string) => ({ title, isNumber: true });

/** One file with pictures, tables and the program; it needs neither scripts nor a network. */
export function reportPage(input: ReportInput): string {
  const { timeline, from } = input;
  const title = timeline.program || from;
  return page(`${title}: griddep report`, [
    `<h1>${text(title)}</h1>`,
    summary(input),
    ...findings(input),
    '<h2 id="timeline">Timeline</h2>',
    picture(renderSvg([{ title, subtitle: from, timeline }]), 'Timeline'),
    ...zoomed(timeline, title),
    ...textbook(input),
    '<h2 id="statistics">Statistics</h2>',
    ...statisticsTables(timeline),
    '<h2 id="operations">Operations</h2>',
    operationsTable(timeline),
    ...programText(input.program),
  ]);
}

function summary({ timeline, from }: ReportInput): string {
  const { makespan, hostTotal } = statistics(timeline, { pairs: 0 });
  const assumed = timeline.basis.filter(({ status }) => status === 'assumed').length;
  const facts = [
    ['input', from],
    ['machine', `${timeline.machine}, ${timeline.devices.length} device${timeline.devices.length === 1 ? '' : 's'}`],
    ['makespan', `${us(makespan)} us`],
    ['host', `${us(hostTotal)} us`],
    ['operations', String(timeline.operations.length)],
    ['rests on', `${timeline.basis.length} constants, ${assumed} of them assumed`],
    ['hash', hashTimeline(timeline)],
    ...(timeline.stuck.length === 0 ? [] : [['never finish', timeline.stuck.slice(0, 20).join(', ')]]),
  ];
  return `<dl>${facts.map(([name = '', value = '']) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`;
}

function findings({ findings: list, timeline }: ReportInput): string[] {
  const rows = list.map(({ kind, text: words, operations }) => {
    const ids = operations.slice(0, 8).map((index) => timeline.operations[index]?.id ?? '');
    return [kind, words, ids.join(', ')];
  });
  if (rows.length === 0) return ['<h2 id="findings">Findings</h2>', '<p>None.</p>'];
  const columns = [{ title: 'kind' }, { title: 'what' }, { title: 'operations' }];
  return ['<h2 id="findings">Findings</h2>', table('Hazards, advice, errors and warnings', columns, rows)];
}

function picture(svg: string, name: string): string {
  const named = svg
    .replace(/^<\?xml[^>]*>\s*/, '')
    .replace(' role="img"', () => ` role="img" aria-label="${text(name)}"`);
  return `<div class="picture" tabindex="0" role="group" aria-label="${text(name)}">${named}</div>`;
}

/** The beginning by itself where the whole is too long to see single operations. */
function zoomed(timeline: Timeline, title: string): string[] {
  const ran = timeline.operations.filter(({ device, start, end }) => device >= 0 && start <= end);
  if (ran.length <= 2 * MOST_ZOOMED) return [];
  const to = Math.max(...ran.slice(0, MOST_ZOOMED).map(({ end }) => end));
  const from = Math.min(...ran.slice(0, MOST_ZOOMED).map(({ start }) => start));
  if (!(to > from)) return [];
  const panel = { title: `${title}, the first ${MOST_ZOOMED} operations`, timeline };
  return [picture(renderSvg([panel], { range: { from, to } }), 'The beginning of the timeline')];
}

function textbook({ timeline, pair }: ReportInput): string[] {
  if (pair === undefined) return [];
  return ['<h2 id="pair">Two grids</h2>', picture(renderTextbookSvg(timeline, pair), 'Two grids')];
}

function statisticsTables(timeline: Timeline): string[] {
  const { devices, streams, consecutive, slowdown } = statistics(timeline);
  const parts = [
    table(
      'Devices; times in us',
      [
        { title: 'device' },
        ...['makespan', 'busy', 'mean running kernels', 'most', 'mean busy SMs', 'most SMs'].map(number),
      ],
      devices.map(({ device, name, makespan, busyTime, concurrency, peakConcurrency, busySms }) => [
        `${device}: ${name}`,
        us(makespan),
        us(busyTime),
        concurrency.toFixed(2),
        String(peakConcurrency),
        busySms.mean.toFixed(1),
        String(busySms.peak),
      ]),
    ),
    table(
      'Streams; times in us',
      [
        { title: 'device' },
        { title: 'stream' },
        ...['operations', 'kernels', 'busy', 'first start', 'last end'].map(number),
      ],
      streams.map(({ device, stream, operations, kernels, busyTime, start, end }) => [
        String(device),
        stream,
        String(operations),
        String(kernels),
        us(busyTime),
        us(start),
        us(end),
      ]),
    ),
  ];
  if (consecutive.count > 0) {
    const { gap, overlap, count } = consecutive;
    parts.push(
      table(
        'From the end of a kernel to the start of the next of its stream, us; negative where they overlap',
        ['pairs', 'least', 'median', 'mean', 'most', 'overlap in all'].map(number),
        [[String(count), us(gap.least), us(gap.median), us(gap.mean), us(gap.most), us(overlap)]],
      ),
    );
  }
  if (slowdown.length > 0) {
    const columns = Object.keys(slowdown[0] ?? {}).map((title) => ({ title }));
    const rows = slowdown.map((row) =>
      Object.values(row).map((value) => (typeof value === 'number' ? value.toFixed(3) : String(value))),
    );
    parts.push(table('Slowdown against running alone', columns, rows));
  }
  return parts;
}

function operationsTable(timeline: Timeline): string {
  const shown = timeline.operations.slice(0, MOST_OPERATIONS);
  const rows = shown.map((operation) => [
    operation.id,
    operation.kind,
    operation.device < 0 ? 'host' : String(operation.device),
    operation.device < 0 ? operation.thread : operation.stream,
    formatUs(operation.device < 0 ? operation.callBegin : operation.start),
    formatUs(operation.device < 0 ? operation.callEnd : operation.end),
    formatUs(operation.lastTrigger),
    formatUs(operation.lastRelease),
    causeText(timeline, operation.cause),
  ]);
  const more = timeline.operations.length - shown.length;
  return table(
    `Times in us${more > 0 ? `; ${more} more are not listed` : ''}`,
    [
      { title: 'id' },
      { title: 'kind' },
      { title: 'device' },
      { title: 'stream' },
      ...['start', 'end', 'last trigger', 'last wait returned'].map(number),
      { title: 'started after' },
    ],
    rows,
  );
}

function programText(program: string | undefined): string[] {
  if (program === undefined) return [];
  const shown = `<pre tabindex="0" role="group" aria-label="Program">${text(program, LONGEST_PROGRAM)}</pre>`;
  return ['<h2 id="program">Program</h2>', shown];
}
