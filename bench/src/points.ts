import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What one point took. */
export interface PointResult {
  /** Making the program, ms; not part of `wallMs`. */
  readonly buildMs: number;
  readonly wallMs: number;
  readonly events: number;
  readonly messages: number;
  /** Peak resident memory of the process, MiB. */
  readonly memoryMb: number;
}

/** One run of a model on so many devices, by so many threads. */
export interface Point {
  readonly model: string;
  readonly devices: number;
  readonly workers: string;
  readonly settings: readonly string[];
}

const PROGRAM = fileURLToPath(new URL('./point.js', import.meta.url));
const HEAP_MB = 16_384;

/** Runs a point in a process of its own; the text of its error if it fails. */
export function runPoint({ model, devices, workers, settings }: Point): PointResult | string {
  const args = [`--max-old-space-size=${HEAP_MB}`, PROGRAM, model, String(devices), workers, ...settings];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status === 0) return JSON.parse(stdout) as PointResult;
  return stderr.split('\n').find((line) => /Error/.test(line)) ?? `exit ${status}`;
}
