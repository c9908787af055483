import { type Panel, writeChromeTrace } from '@griddep/timeline';

interface Trace {
  readonly traceEvents: readonly Event[];
}
interface Event {
  readonly ph: string;
  readonly name?: string;
  readonly pid: number;
  readonly id?: number | string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Processes of one timeline in the trace. */
const STRIDE = 1000;

/** Several timelines in one Chrome trace, each with processes of its own named after it. */
export function mergedTrace(panels: readonly Panel[]): string {
  const lines = panels.flatMap(({ title, timeline }, i) => {
    const { traceEvents } = JSON.parse(writeChromeTrace(timeline)) as Trace;
    return traceEvents.map((event) => JSON.stringify(moved(event, title, i)));
  });
  return `{"displayTimeUnit":"ns","traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

function moved(event: Event, title: string, index: number): Event {
  const { pid, id, args } = event;
  const base = { ...event, pid: index * STRIDE + pid, ...(id === undefined ? {} : { id: `${index}.${id}` }) };
  if (event.ph !== 'M') return base;
  if (event.name === 'process_name') return { ...base, args: { name: `${title}: ${args?.name}` } };
  return event.name === 'process_sort_index' ? { ...base, args: { sort_index: base.pid } } : base;
}
