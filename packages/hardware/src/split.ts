import { kindOfCase } from './family.ts';

/** What a case serves: fitting constants, testing what was fitted, or judging alone. */
export type Part = 'fit' | 'held out' | 'judge';
export const PARTS: readonly Part[] = ['fit', 'held out', 'judge'];

/**
 * Deals cases by name: those named `decode-…`, `pack-…` and `layers-…` (applications) are for judging alone; of the
 * others, those whose hash is 0 modulo 3 are held out of every fit, and the rest, two thirds, are fitted to. The deal
 * depends on nothing but the name, so that a case stays in its part whatever is measured later.
 */
export function partOf(name: string): Part {
  if (kindOfCase(name) === 'application') return 'judge';
  return fnv1a(name) % 3 === 0 ? 'held out' : 'fit';
}

/**
 * FNV-1a, 32 bit, over the characters of an ASCII text (Fowler, Noll, Vo; draft-eastlake-fnv): offset basis 0x811c9dc5,
 * prime 0x01000193.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
