import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Finding, FoundAccess, Place } from '../finding.ts';
import type { Explored, ExploreResult } from './explored.ts';

/** Races and deadlocks that are reported and that no schedule shows, and those shown that nobody reports, as texts. */
export function disagreements(findings: readonly Finding[], { findings: explored }: ExploreResult): string[] {
  const races = findings.filter(({ verdict, accesses }) => isRace(verdict) && accesses.length === 2);
  const swaps = explored.filter(({ kind }) => kind !== 'deadlock');
  const shown = new Set(swaps.map(({ accesses }) => pairKey(accesses)));
  const stuck = new Set(explored.filter(({ kind }) => kind === 'deadlock').map(({ places }) => placeKey(places[0])));
  const reported = findings.filter(({ verdict }) => verdict === 'deadlock' || verdict === 'possible deadlock');
  return [
    ...races.filter(({ accesses }) => !shown.has(pairKey(accesses))).map(({ text }) => `not shown: ${text}`),
    ...(races.length === 0 ? swaps.map(({ text }) => `not reported: ${text}`) : []),
    ...reported.filter(({ places }) => !stuck.has(placeKey(places[0]))).map(({ text }) => `not shown: ${text}`),
    ...(reported.length === 0
      ? explored.flatMap(({ kind, text }) => (kind === 'deadlock' ? [`not reported: ${text}`] : []))
      : []),
  ];
}

function isRace(verdict: Finding['verdict']): boolean {
  return verdict === 'race' || verdict === 'relies on fence and trigger';
}

function pairKey(accesses: readonly FoundAccess[]): string {
  return accesses
    .map(({ mode, buffer, begin, end, place, role, phase }) =>
      [mode, buffer, begin, end, placeKey(place), role, phase].join(' '),
    )
    .sort()
    .join(' | ');
}

function placeKey(place: Place | undefined): string {
  return place === undefined ? '' : `${place.thread} ${place.line ?? place.call} ${place.launchedBy?.call}`;
}

/** The same finding, whatever it took to find it. */
export function sameFinding(a: Explored, b: Explored): boolean {
  return a.kind === b.kind && a.text === b.text && a.seed === b.seed && pairKey(a.accesses) === pairKey(b.accesses);
}

/** A program and what it runs on, for tests over many. */
export interface Sample {
  readonly name: string;
  readonly program: Program;
  readonly machine: Machine;
}
