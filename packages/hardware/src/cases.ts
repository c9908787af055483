/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CaseGroup } from './case-group.ts';
import { readCases } from './read-cases.ts';

/** The files of measured cases that come with this package: one H200, each file on one host. */
export const CARRIED_FILES = ['calib1', 'calib1b', 'calib1c', 'train1', 'decode', 'packing'] as const;
export type CarriedFile = (typeof CARRIED_FILES)[number];

/**
 * The measured cases that come with this package. For Node only; everything else of the package runs in a browser too.
 *
 * @param files which of them; all if left out
 */
export function carriedCases(files: readonly CarriedFile[] = CARRIED_FILES): CaseGroup[] {
  return files.map((name) => {
    const packed = readFileSync(new URL(`../cases/${name}.json.gz`, import.meta.url));
    return { name, cases: readCases(gunzipSync(packed).toString(), name) };
  });
}
