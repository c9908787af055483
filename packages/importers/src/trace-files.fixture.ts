import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readKineto } from './kineto/read-kineto.ts';
import { readNsys } from './sqlite/read-nsys.ts';
import type { Trace } from './trace.ts';

const OWN = fileURLToPath(new URL('./fixtures/', import.meta.url));

/**
 * Traces of other projects, which are not part of this one: in the folder that GRIDDEP_TRACES names, or beside the
 * checkout. Undefined where there is none.
 */
export const OTHERS: string | undefined = [
  process.env.GRIDDEP_TRACES,
  fileURLToPath(new URL('../../../../shared/traces', import.meta.url)),
].find((folder) => folder !== undefined && existsSync(folder));

export function ownPath(name: string): string {
  return join(OWN, `${name}.json.gz`);
}

/** The text of a trace file, unpacked. */
export function textAt(path: string): string {
  return new TextDecoder().decode(bytesAt(path));
}

function bytesAt(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

export async function traceAt(path: string): Promise<Trace> {
  if (path.endsWith('.sqlite')) return readNsys(path);
  return readKineto([bytesAt(path)], { file: path });
}

/** Sets of own traces that were taken together, by name. */
export const OWN_SETS: readonly (readonly string[])[] = [
  ['decode-small-eager'],
  ['decode-small-graph'],
  ['pipeline-pageable-1streams'],
  ['pipeline-pinned-1streams'],
  ['pipeline-pinned-4streams'],
  ['triton-chain-1024-plain-eager'],
  ['triton-chain-1024-plain-graph'],
  ['triton-chain-1024-pdl-eager'],
  ['triton-chain-1024-pdl-graph'],
  ['tp-decode-2-eager-rank0', 'tp-decode-2-eager-rank1'],
  ['tp-decode-2-graph-rank0', 'tp-decode-2-graph-rank1'],
  ['ddp-2-rank0', 'ddp-2-rank1'],
  // One rank's host was ahead by more than a step.
  ['tensor-parallel-1024-eager-rank0', 'tensor-parallel-1024-eager-rank1'],
];

/** Sets of two equal steps each, which no mark divides. */
export const TWO_STEPS: readonly (readonly string[])[] = [
  ...['encoder-768', 'decode-2048', 'decode-256'].flatMap((model) => [[`${model}-eager`], [`${model}-graph`]]),
  ...[512, 2048].flatMap((width) =>
    ['plain', 'pdl'].flatMap((kind) => ['eager', 'graph'].map((how) => [`scale-dot-${width}-${kind}-${how}`])),
  ),
  ...['chunks-1streams', 'chunks-2streams', 'chunks-3streams', 'adds-16', 'adds-64'].map((name) => [name]),
  ['tensor-parallel-1024-graph-rank0', 'tensor-parallel-1024-graph-rank1'],
];
