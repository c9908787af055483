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
];
