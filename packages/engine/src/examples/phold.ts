import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { Actor, ActorId, Context, Message, Time } from '../actor.ts';

export interface PholdOptions {
  /** Logical processes. */
  readonly actors: number;
  /** Events that each starts with; their number never changes. */
  readonly population: number;
  /** Share of events sent to another actor, 0 to 1. */
  readonly remote: number;
  /** Least delay of an event, ps. */
  readonly lookahead: Time;
  /** Mean delay beyond the lookahead, ps; exponential. */
  readonly meanDelay: Time;
  /** No event after this time, ps. */
  readonly end: Time;
  readonly seed: number;
}

export const PHOLD_DEFAULTS: PholdOptions = {
  actors: 1024,
  population: 16,
  remote: 0.25,
  lookahead: 1000,
  meanDelay: 9000,
  end: 1_000_000,
  seed: 1,
};

const JOB: Message = { type: 'job' };
const SHARE = 1_000_000;
const STEPS = 2 ** 31;

/**
 * Logical process of PHOLD, the standard benchmark of parallel discrete-event simulation (R. Fujimoto, "Performance of
 * Time Warp under synthetic workloads", 1990): each event, when handled, makes one other, here or at a random actor.
 * Remote events are messages and local ones timers. Each process draws from a generator of its own.
 */
export class PholdProcess implements Actor {
  readonly name: string;
  private readonly options: PholdOptions;
  private readonly random: RandomGenerator;
  private readonly remoteShare: number;
  handled = 0;
  /** Depends on the order and the times of all events handled. */
  checksum = 0;

  constructor(index: ActorId, options: PholdOptions) {
    this.name = `process ${index}`;
    this.options = options;
    this.random = xoroshiro128plus(Math.imul(options.seed, 0x9e3779b1) ^ index);
    this.remoteShare = Math.round(options.remote * SHARE);
  }

  start(context: Context): void {
    for (let i = 0; i < this.options.population; i++) this.schedule(context);
  }

  receive(_message: Message, source: ActorId, context: Context): void {
    this.handle(source, context);
  }

  timer(_code: number, _argument: number, context: Context): void {
    this.handle(context.self, context);
  }

  result(): { readonly handled: number; readonly checksum: number } {
    return { handled: this.handled, checksum: this.checksum };
  }

  /** Notes an event of a source at a time, ps. */
  note(source: ActorId, now: Time): void {
    this.handled++;
    this.checksum = (Math.imul(this.checksum, 31) + source + (now | 0)) | 0;
  }

  /** The next event that it makes at a time, ps: when and where; undefined after the end. */
  draw(self: ActorId, now: Time): { readonly at: Time; readonly target: ActorId } | undefined {
    const { random, options } = this;
    const at = now + options.lookahead + exponential(random, options.meanDelay);
    if (at > options.end) return undefined;
    if (options.actors < 2 || uniformInt(random, 0, SHARE - 1) >= this.remoteShare) return { at, target: self };
    const other = uniformInt(random, 0, options.actors - 2);
    return { at, target: other < self ? other : other + 1 };
  }

  private handle(source: ActorId, context: Context): void {
    this.note(source, context.now);
    this.schedule(context);
  }

  private schedule(context: Context): void {
    const { now, self } = context;
    const drawn = this.draw(self, now);
    if (drawn === undefined) return;
    if (drawn.target === self) context.timer(drawn.at, 0, 0, 0);
    else context.send(drawn.target, drawn.at - now, JOB);
  }
}

/** A draw of the exponential distribution, in whole ps. */
function exponential(random: RandomGenerator, mean: Time): Time {
  return Math.round(-mean * Math.log((uniformInt(random, 0, STEPS - 1) + 1) / STEPS));
}

/** The processes of one PHOLD run. */
export function phold(options: Partial<PholdOptions> = {}): readonly PholdProcess[] {
  const all = { ...PHOLD_DEFAULTS, ...options };
  return Array.from({ length: all.actors }, (_, index) => new PholdProcess(index, all));
}
