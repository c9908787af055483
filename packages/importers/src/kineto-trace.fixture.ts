import { KinetoReader } from './kineto/reader.ts';
import type { Trace } from './trace.ts';

/** A row of a trace, in us. */
export interface RowInput {
  readonly cat: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly tid?: number | string;
  readonly args?: object;
}

/** The text of a trace of these rows. */
export function kinetoText(rows: readonly RowInput[], header: object = {}): string {
  const events = rows.map((row) => ({ ph: 'X', pid: 1, tid: 1, ...row }));
  return JSON.stringify({ schemaVersion: 1, ...header, traceEvents: events });
}

export function kinetoTrace(rows: readonly RowInput[], header: object = {}): Trace {
  return readText(kinetoText(rows, header));
}

export function readText(text: string, partial = false): Trace {
  const reader = new KinetoReader({ file: 't.json', partial });
  reader.push(new TextEncoder().encode(text));
  return reader.finish();
}

export function launch(correlation: number, ts: number, dur = 5): RowInput {
  return { cat: 'cuda_runtime', name: 'cudaLaunchKernel', ts, dur, args: { correlation } };
}

export function kernel(correlation: number, ts: number, dur: number, stream = 7, name = 'k'): RowInput {
  const args = { correlation, stream, device: 0, context: 1, grid: [1, 1, 1], block: [32, 1, 1] };
  return { cat: 'kernel', name, ts, dur, tid: stream, args };
}
