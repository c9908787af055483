/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { CaseGroup } from './case-group.ts';
import { readCases } from './read-cases.ts';

/** The files of measured cases that come with this package: one H200, each file on one host. */
export const CARRIED_FILES = ['calib1', 'calib1b', 'calib1c', 'train1', 'decode', 'packing'] as const;
/** The same of programs over several H200s of one node, joined by NVLink through a switch. */
export const CARRIED_SEVERAL_DEVICES = ['calib2', 'calib2b', 'calib4', 'calib4b', 'train2', 'train4'] as const;
/**
 * Programs that griddep exported and one H200 ran: those of tools/measured-set, and those that calibrate plans. Apart from the
 * others, so that the fit of the shipped profile, and what is said of it, does not change with them.
 */
export const EXPORTED_FILES = [
  'exported-small',
  'exported-accesses',
  'exported-copies',
  'exported-data',
  'exported-scenarios',
  'exported-plan0',
  'exported-plan1',
] as const;
/** The same, which two H200s of one node ran. */
export const EXPORTED_SEVERAL_DEVICES = ['exported-devices'] as const;
export type CarriedFile =
  | (typeof CARRIED_FILES)[number]
  | (typeof CARRIED_SEVERAL_DEVICES)[number]
  | (typeof EXPORTED_FILES)[number]
  | (typeof EXPORTED_SEVERAL_DEVICES)[number];

/** Where the file of some carried cases stands. */
export function carriedFile(name: CarriedFile): URL {
  return new URL(`../cases/${name}.json.gz`, import.meta.url);
}

/**
 * The measured cases that come with this package. For Node only; everything else of the package runs in a browser too.
 *
 * @param files which of them; those of one device if left out
 */
export function carriedCases(files: readonly CarriedFile[] = CARRIED_FILES): CaseGroup[] {
  return files.map((name) => {
    return { name, cases: readCases(gunzipSync(readFileSync(carriedFile(name))).toString(), name) };
  });
}
