import type { Rendezvous } from '@griddep/cuda';
import type { Actor, Context } from '@griddep/engine';
import type { DeviceTimes } from '../device/body.ts';
import { arriveDelay } from '../device/meetings.ts';
import type { TopologyPlan } from '../fabric/topology-plan.ts';
import type { ArriveMessage, MeetingInbound, MetMessage, PartArrivedMessage } from '../messages.ts';
import { collectiveTime, type Ring } from './cost.ts';

/** What a meeting place knows of the machine. */
export interface CollectiveSpec {
  readonly name: string;
  /** Number of this place. */
  readonly place: number;
  readonly times: readonly DeviceTimes[];
  readonly plan: Pick<TopologyPlan, 'path' | 'bandwidth'>;
  actorOf(device: number): number;
  /** Number of the place that a device belongs to, and the actor of a place. */
  placeOf(device: number): number;
  actorOfPlace(place: number): number;
}

/** The member that came last, of all or of those of one place. */
type Last = Pick<PartArrivedMessage, 'device' | 'op' | 'started' | 'bytes'>;

/** A collective that some members have come to. */
interface Meeting {
  readonly rendezvous: Rendezvous;
  /** Members whose devices belong here: how many there are, and those that have come. */
  readonly expected: number;
  readonly here: ArriveMessage[];
  /** By place, the last of those that belong there, once all of them have come. */
  readonly parts: Map<number, Last>;
  /** Places of which it is known that all have come, if only by a message that is still to be handled. */
  readonly known: Set<number>;
  readonly places: ReadonlySet<number>;
}

/**
 * Where the members of collectives meet: one begins when its last member has come, takes its time, and ends for all
 * together. Other traffic on the links does not slow it, nor it that. There may be several places, each for some of the
 * devices, which tell each other when all of theirs have come, and all find the same end.
 */
export class CollectiveActor implements Actor<MeetingInbound> {
  readonly name: string;
  private readonly spec: CollectiveSpec;
  private readonly meetings = new Map<string, Meeting>();
  /** Ended meetings by the time at which their members are to know, ps. */
  private readonly ending = new Map<number, { readonly meeting: Meeting; readonly last: Last }[]>();
  private readonly rings = new Map<string, Ring>();
  /** Meetings to which all members from here have come, and nothing is known of some from elsewhere. */
  private readonly waiting = new Set<Meeting>();

  constructor(spec: CollectiveSpec) {
    this.name = spec.name;
    this.spec = spec;
  }

  /** A member has come, or all those of another place have. */
  receive(message: MeetingInbound, _source: number, context: Context): void {
    const meeting = this.meeting(message.rendezvous);
    if (message.type === 'arrive') {
      meeting.here.push(message);
      if (meeting.here.length < meeting.expected) return;
      this.allFromHere(meeting, context);
    } else {
      this.foresee(message);
      meeting.parts.set(message.place, message);
      if (meeting.here.length < meeting.expected) return;
    }
    if (meeting.parts.size === meeting.places.size) this.allHaveCome(meeting, context);
  }

  /** Collectives end: their members go on, in an order that nothing but groups and calls decide. */
  timer(_code: number, _argument: number, context: Context): void {
    const ended = this.ending.get(context.now) ?? [];
    this.ending.delete(context.now);
    const byCall = ended.sort((a, b) => (keyOf(a.meeting.rendezvous) < keyOf(b.meeting.rendezvous) ? -1 : 1));
    for (const { meeting, last } of byCall) {
      for (const { op, device } of [...meeting.here].sort((a, b) => a.device - b.device)) {
        const message: MetMessage = { type: 'met', op, last: last.op, since: last.started };
        context.send(this.spec.actorOf(device), 0, message);
      }
    }
  }

  /** Whether members here wait for some elsewhere of whom nothing is known; else, what places tell each other makes no difference yet. */
  awaitsOthers(): boolean {
    return this.waiting.size > 0;
  }

  /** All members of another place have come, which will be so here when the message is handled. */
  foresee({ rendezvous, place }: PartArrivedMessage): void {
    const meeting = this.meeting(rendezvous);
    meeting.known.add(place);
    if (meeting.known.size === meeting.places.size) this.waiting.delete(meeting);
  }

  private meeting(rendezvous: Rendezvous): Meeting {
    const key = keyOf(rendezvous);
    const known = this.meetings.get(key);
    if (known !== undefined) return known;
    const { spec } = this;
    const made: Meeting = {
      rendezvous,
      expected: rendezvous.ranks.filter((device) => spec.placeOf(device) === spec.place).length,
      here: [],
      parts: new Map(),
      known: new Set(),
      places: new Set(rendezvous.ranks.map((device) => spec.placeOf(device))),
    };
    this.meetings.set(key, made);
    return made;
  }

  private allFromHere(meeting: Meeting, context: Context): void {
    const { spec } = this;
    const { rendezvous, here, places, parts } = meeting;
    const bytes = Math.max(...here.map((m) => m.rendezvous.bytes));
    const { device, op, started } = here.reduce((a, b) => (isLater(a, b) ? a : b));
    parts.set(spec.place, { device, op, started, bytes });
    meeting.known.add(spec.place);
    const message: PartArrivedMessage = {
      type: 'partArrived',
      rendezvous,
      place: spec.place,
      bytes,
      device,
      op,
      started,
    };
    for (const place of places) {
      if (place !== spec.place) context.send(spec.actorOfPlace(place), betweenPlaces(spec.times), message);
    }
    if (meeting.known.size < places.size) this.waiting.add(meeting);
  }

  private allHaveCome(meeting: Meeting, context: Context): void {
    const { rendezvous, parts } = meeting;
    this.meetings.delete(keyOf(rendezvous));
    const last = [...parts.values()].reduce((a, b) => (isLater(a, b) ? a : b));
    const bytes = Math.max(...[...parts.values()].map((part) => part.bytes));
    const time = collectiveTime({ ...rendezvous, bytes }, this.ring(rendezvous.ranks));
    const end = last.started + Math.max(this.leastTime(rendezvous.ranks), time);
    const sameTime = this.ending.get(end);
    if (sameTime !== undefined) sameTime.push({ meeting, last });
    else {
      this.ending.set(end, [{ meeting, last }]);
      context.timer(end, 0, 0, 0);
    }
  }

  /** From the last member's start to the end at the least, ps: all have to hear that it has come, and then of the end. */
  private leastTime(ranks: readonly number[]): number {
    const times = ranks.map((device) => this.spec.times[device] as DeviceTimes);
    return Math.max(...times.map(arriveDelay)) + Math.max(...times.map(endDelay));
  }

  private ring(ranks: readonly number[]): Ring {
    const key = ranks.join(' ');
    const known = this.rings.get(key);
    if (known !== undefined) return known;
    const { times, plan } = this.spec;
    const of = ranks.map((device) => times[device] as DeviceTimes);
    const links =
      ranks.length < 2 ? [] : ranks.map((from, i) => [from, ranks[(i + 1) % ranks.length] as number] as const);
    const share = Math.min(...of.map((t) => t.collectiveShare));
    const ring = {
      ranks: ranks.length,
      step:
        Math.max(...of.map((t) => t.collectiveStep)) + Math.max(0, ...links.map(([a, b]) => plan.path(a, b).latency)),
      bandwidth: share * Math.min(...links.map(([a, b]) => plan.bandwidth(a, b))),
    };
    this.rings.set(key, ring);
    return ring;
  }
}

/** The least time from the last arrival being known to the end, ps: the rest of the first step. */
export function endDelay(times: DeviceTimes): number {
  return Math.max(1, times.collectiveStep - arriveDelay(times));
}

/** From one meeting place to another, ps: the rest of the first step of whichever device is the quickest. */
export function betweenPlaces(times: readonly DeviceTimes[]): number {
  return Math.min(...times.map(endDelay));
}

function keyOf({ group, sequence }: Rendezvous): string {
  return `${sequence} ${group}`;
}

function isLater(a: Pick<Last, 'device' | 'started'>, b: Pick<Last, 'device' | 'started'>): boolean {
  return a.started !== b.started ? a.started > b.started : a.device > b.device;
}
