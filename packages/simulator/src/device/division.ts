import type { Arithmetic } from './arithmetic.ts';
import type { Flags } from './flags.ts';
import type { Memory } from './memory.ts';
import type { Polling } from './polling.ts';
import { Cohort, type SmGroup, type Track } from './residency.ts';
import type { TrackTimers } from './track-timers.ts';
import type { TracksByGrid } from './tracks-by-grid.ts';
import type { Clock } from './unit-context.ts';

/** Where a track may be while it does not end: each has to learn of the parts that it goes on as. */
export interface TrackHolders {
  readonly timers: TrackTimers;
  readonly waiting: TracksByGrid;
  readonly atGridBarrier: TracksByGrid;
  readonly flags: Flags;
  readonly memory: Memory;
  readonly arithmetic: Arithmetic;
  readonly polling: Polling;
}

/** Divides groups of SMs whose blocks part ways. */
export class Division {
  private readonly holders: TrackHolders;

  constructor(holders: TrackHolders) {
    this.holders = holders;
  }

  /** `sms` leave a group for one of their own, with their share of every resident cohort; the group itself is gone. */
  divide(group: SmGroup, sms: Uint16Array, clock: Clock): { part: SmGroup; rest: SmGroup } {
    const { polling, arithmetic } = this.holders;
    const chosen = membership(group.sms, sms);
    const part = group.divided(sms);
    const rest = group.divided(complement(group.sms, sms, chosen));
    for (const cohort of group.residents) {
      const { inPart, inRest } = separate(cohort.blocks, chosen, sms.length);
      this.moveTo(part, cohort, inPart, clock);
      this.moveTo(rest, cohort, inRest, clock);
      for (const track of cohort.tracks) this.forget(track);
    }
    group.residents = [];
    polling.adopted(part);
    polling.adopted(rest);
    arithmetic.adopted(part, clock);
    arithmetic.adopted(rest, clock);
    return { part, rest };
  }

  /** A part of a cohort's blocks, on the SMs of a group, at the same point of their work. */
  private moveTo(group: SmGroup, cohort: Cohort, blocks: Uint32Array, clock: Clock): void {
    const copy = new Cohort(cohort.grid, group, blocks, cohort.start);
    copy.triggered = cohort.triggered;
    copy.liveTracks = cohort.liveTracks;
    copy.barrierArrivals = cohort.barrierArrivals;
    group.residents.push(copy);
    for (const track of cohort.tracks) {
      const twin = track.copyFor(copy);
      copy.tracks.push(twin);
      if (twin.state !== 'ended') this.adopt(track, twin, clock);
    }
  }

  private adopt(original: Track, twin: Track, clock: Clock): void {
    const { timers, waiting, atGridBarrier, flags, memory } = this.holders;
    timers.add(twin);
    if (twin.state === 'timed') timers.set(twin, twin.at, clock);
    else if (twin.state === 'waiting') waiting.add(twin);
    else if (twin.state === 'gridBarrier') atGridBarrier.add(twin);
    else if (twin.state === 'flag') flags.replace(original, twin);
    else if (twin.state === 'memory') memory.adopt(twin);
  }

  private forget(track: Track): void {
    const { timers, waiting, atGridBarrier, flags, memory } = this.holders;
    if (track.state === 'waiting') waiting.remove(track);
    if (track.state === 'gridBarrier') atGridBarrier.remove(track);
    if (track.state === 'flag') flags.forget(track);
    if (track.state === 'memory') memory.forget(track);
    timers.remove(track);
  }
}

/** For each SM whether it is among some, both ascending. */
function membership(sms: Uint16Array, some: Uint16Array): Uint8Array {
  const member = new Uint8Array(sms.length);
  let next = 0;
  for (let i = 0; i < sms.length && next < some.length; i++) {
    if (sms[i] !== some[next]) continue;
    member[i] = 1;
    next++;
  }
  return member;
}

/** The blocks on the chosen SMs, of which there are `count`, and the others. */
function separate(
  blocks: Uint32Array,
  chosen: Uint8Array,
  count: number,
): { readonly inPart: Uint32Array; readonly inRest: Uint32Array } {
  const inPart = new Uint32Array(count);
  const inRest = new Uint32Array(blocks.length - count);
  let parts = 0;
  let rests = 0;
  for (let i = 0; i < blocks.length; i++) {
    if (chosen[i] === 1) inPart[parts++] = blocks[i] as number;
    else inRest[rests++] = blocks[i] as number;
  }
  return { inPart, inRest };
}

/** The other SMs; where `some` are the first, a view of them. */
function complement(sms: Uint16Array, some: Uint16Array, member: Uint8Array): Uint16Array {
  const first = sms[0] === some[0] && sms[some.length - 1] === some[some.length - 1];
  return first ? sms.subarray(some.length) : sms.filter((_, i) => member[i] === 0);
}
