import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release } from 'node:os';
import { dirname } from 'node:path';
import type { Measurement } from './suite.ts';

const SCHEMA = 'griddep/bench@1';

/** A run: where and when, and what was measured. */
export interface BenchResults {
  readonly schema: typeof SCHEMA;
  readonly date: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  /** Load average of the last minute when the run began; above 1 others were at work. */
  readonly load: number;
  readonly measurements: readonly Measurement[];
}

/** Describes this machine now. */
export function describeMachine(): Omit<BenchResults, 'measurements'> {
  const processors = cpus();
  return {
    schema: SCHEMA,
    date: new Date().toISOString(),
    node: process.version,
    system: `${platform()} ${release()}`,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    load: loadavg()[0] ?? 0,
  };
}

export function writeResults(path: string, results: BenchResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
}

/** @throws Error naming the file if it is not a result file of this version. */
export function readResults(path: string): BenchResults {
  const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof read !== 'object' || read === null || !('schema' in read) || read.schema !== SCHEMA) {
    throw new Error(`${path} holds no ${SCHEMA} results`);
  }
  return read as BenchResults;
}
