import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { Actor, ActorId, Context, Message, Time } from '../actor.ts';

/** Parties that work for a random time and then meet, again and again. */
export interface BarrierOptions {
  readonly parties: number;
  /** Places that parties meet at: equal runs of parties belong to each, and places tell each other who has come. */
  readonly places: number;
  readonly rounds: number;
  /** Longest work of a round, ps. */
  readonly work: Time;
  /** From the last party's coming to all going on, ps; places hear of each other in half of it. */
  readonly latency: Time;
  readonly seed: number;
}

/** All parties of a place have come to a round; `last` is when the last of them did, ps. */
interface PartMessage extends Message {
  readonly type: 'part';
  readonly place: number;
  readonly round: number;
  readonly last: Time;
}

const HERE: Message = { type: 'here' };
const GO: Message = { type: 'go' };

/** Works, comes to its place, goes on when all have come. */
export class Party implements Actor {
  readonly name: string;
  /** When each round began, ps. */
  readonly began: Time[] = [];
  private readonly random: RandomGenerator;
  private readonly options: BarrierOptions;
  private readonly place: ActorId;

  constructor(index: number, options: BarrierOptions) {
    this.name = `party ${index}`;
    this.options = options;
    this.place = options.parties + placeOf(index, options);
    this.random = xoroshiro128plus(Math.imul(options.seed, 0x9e3779b1) ^ index);
  }

  start(context: Context): void {
    this.work(context);
  }

  receive(_go: Message, _place: ActorId, context: Context): void {
    if (this.began.length < this.options.rounds) this.work(context);
  }

  timer(_code: number, _argument: number, context: Context): void {
    context.send(this.place, 0, HERE);
  }

  result(): readonly Time[] {
    return this.began;
  }

  private work(context: Context): void {
    this.began.push(context.now);
    context.timer(context.now + uniformInt(this.random, 1, this.options.work), 0, 0, 0);
  }
}

/** Where some parties meet. A patient actor: until its own have come, it does not matter what other places say. */
export class Place implements Actor {
  readonly name: string;
  private readonly options: BarrierOptions;
  private readonly index: number;
  private readonly own: readonly ActorId[];
  private come = 0;
  private round = 0;
  /** By place, the last round to which all its parties are known to have come, handled or still to be. */
  private readonly known: number[];
  /** When the last came of each place whose parties have all come, ps. */
  private parts: Time[] = [];

  constructor(index: number, options: BarrierOptions) {
    this.name = `place ${index}`;
    this.index = index;
    this.options = options;
    this.known = Array.from({ length: options.places }, () => -1);
    this.own = Array.from({ length: options.parties }, (_, p) => p).filter((p) => placeOf(p, options) === index);
  }

  receive(message: Message, _source: ActorId, context: Context): void {
    if (message.type === 'part') {
      this.foresee(message);
      this.parts.push((message as PartMessage).last);
    } else if (++this.come === this.own.length) this.allFromHere(context);
    if (this.parts.length === this.options.places && this.come === this.own.length) this.allHaveCome(context);
  }

  timer(_code: number, _argument: number, context: Context): void {
    for (const party of this.own) context.send(party, 0, GO);
  }

  awaitsOthers(): boolean {
    const { come, own, index, known, round } = this;
    return come === own.length && known.some((last, place) => place !== index && last < round);
  }

  foresee(message: Message): void {
    const { place, round } = message as PartMessage;
    this.known[place] = round;
  }

  private allFromHere(context: Context): void {
    const { parties, places } = this.options;
    this.parts.push(context.now);
    const part: PartMessage = { type: 'part', place: this.index, round: this.round, last: context.now };
    for (let place = 0; place < places; place++) {
      if (place !== this.index) context.send(parties + place, betweenPlaces(this.options), part);
    }
  }

  private allHaveCome(context: Context): void {
    context.timer(Math.max(...this.parts) + this.options.latency, 0, 0, 0);
    this.come = 0;
    this.round++;
    this.parts = [];
  }
}

/** The delay of what a place tells another, ps. */
export function betweenPlaces({ latency }: BarrierOptions): Time {
  return Math.ceil(latency / 2);
}

/** The place that a party belongs to. */
export function placeOf(party: number, { parties, places }: BarrierOptions): number {
  return Math.floor((party * places) / parties);
}

/** The actors of one run: parties, then places. */
export function barriers(options: BarrierOptions): readonly (Party | Place)[] {
  return Array.from({ length: options.parties + options.places }, (_, id) => barrierActor(id, options));
}

/** The actor of an id. */
export function barrierActor(id: ActorId, options: BarrierOptions): Party | Place {
  return id < options.parties ? new Party(id, options) : new Place(id - options.parties, options);
}
