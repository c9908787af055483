import type { SharedResource } from './device-record.ts';
import type { Track } from './residency.ts';

/** A track begins a phase whose pace depends on who else is at the same resource; its rate is not known yet. */
export function beginShared(track: Track, work: number, now: number): void {
  track.remaining = work;
  track.rate = 0;
  track.ownRate = 0;
  track.settled = now;
  track.finish = Number.POSITIVE_INFINITY;
  track.sharedSince = now;
  track.sharedAlone = 0;
  track.aloneSettled = now;
}

/** Its rate from now on, and the one that it would have if its own grid had the resource alone. */
export function setRates(track: Track, rate: number, ownRate: number, now: number): void {
  if (rate !== track.rate || ownRate !== track.ownRate) settleAlone(track, now);
  track.ownRate = ownRate;
  if (rate === track.rate) return;
  track.remaining = Math.max(0, track.remaining - track.rate * (now - track.settled));
  track.settled = now;
  track.rate = rate;
  track.finish = rate > 0 ? now + Math.ceil(track.remaining / rate) : Number.POSITIVE_INFINITY;
}

/**
 * The phase is over: its operation notes what it took, and what it would have alone. In whole ps, whose sums over blocks are exact up to
 * 2^53 of them, 2.5 hours.
 */
export function endShared(track: Track, resource: SharedResource, now: number): void {
  settleAlone(track, now);
  const { count, grid } = track.cohort;
  grid.operation.addShared(resource, (now - track.sharedSince) * count, Math.round(track.sharedAlone) * count);
}

/** What was done since the last time would have taken this long at the track's own rate. */
function settleAlone(track: Track, now: number): void {
  const { rate, ownRate, aloneSettled } = track;
  const took = now - aloneSettled;
  track.sharedAlone += rate === ownRate ? took : (took * rate) / ownRate;
  track.aloneSettled = now;
}
