import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { INSTANTS } from './instants.ts';
import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

const RECORDS_PER_UPDATE = 4096;

/**
 * SHA-256 in hexadecimal over what happened: per operation its id, device, stream, all instants, and kind and id of its
 * cause, one JSON array a line. Records go in the order of what happened (instants, device, stream, thread, name); ids
 * decide only between operations that are otherwise the same, so neither positions nor naming move a record. Executor,
 * host machine and wall clock have no part in it.
 */
export function hashTimeline(timeline: Timeline): string {
  const { operations } = timeline;
  const hash = sha256.create();
  const sorted = [...operations].sort(compareCanonically);
  for (let from = 0; from < sorted.length; from += RECORDS_PER_UPDATE) {
    const lines = sorted.slice(from, from + RECORDS_PER_UPDATE).map((operation) => record(operations, operation));
    hash.update(utf8ToBytes(`${lines.join('\n')}\n`));
  }
  return bytesToHex(hash.digest());
}

function record(operations: readonly Operation[], operation: Operation): string {
  const { id, device, stream, cause } = operation;
  const source = cause.operation === undefined ? '' : (operations[cause.operation]?.id ?? '');
  return JSON.stringify([id, device, stream, ...INSTANTS.map((instant) => operation[instant]), cause.kind, source]);
}

function compareCanonically(a: Operation, b: Operation): number {
  for (const instant of INSTANTS) {
    const order = compareInstants(a[instant], b[instant]);
    if (order !== 0) return order;
  }
  return (
    a.device - b.device ||
    compareText(a.stream, b.stream) ||
    compareText(a.thread, b.thread) ||
    compareText(a.name, b.name) ||
    compareText(a.id, b.id)
  );
}

/** NaN, for an instant that never came, after all others. */
function compareInstants(a: number, b: number): number {
  if (a === b) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : a - b;
}

/** By code unit: unlike localeCompare the same everywhere. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
