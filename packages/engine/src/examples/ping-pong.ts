import type { Actor, ActorId, Context, Message, Time } from '../actor.ts';

interface Ball extends Message {
  readonly type: 'ball';
  readonly turn: number;
}

/** Returns a ball to where it came from `latency` ps later, until it has been passed `turns` times. */
export class Player implements Actor<Ball> {
  readonly name: string;
  private readonly opponent: ActorId;
  private readonly latency: Time;
  private readonly turns: number;
  private readonly serves: boolean;
  /** Times at which the ball arrived, ps. */
  readonly hits: Time[] = [];

  constructor(name: string, opponent: ActorId, latency: Time, turns: number, serves: boolean) {
    this.name = name;
    this.opponent = opponent;
    this.latency = latency;
    this.turns = turns;
    this.serves = serves;
  }

  start(context: Context): void {
    if (this.serves && this.turns > 0) context.send(this.opponent, this.latency, { type: 'ball', turn: 1 } as Ball);
  }

  receive({ turn }: Ball, source: ActorId, context: Context): void {
    this.hits.push(context.now);
    if (turn < this.turns) context.send(source, this.latency, { type: 'ball', turn: turn + 1 } as Ball);
  }

  timer(): void {}
}

/** Two players who pass one ball `turns` times; the last arrival is at `turns * latency` ps. */
export function pingPong(turns: number, latency: Time): readonly [ping: Player, pong: Player] {
  return [new Player('ping', 1, latency, turns, true), new Player('pong', 0, latency, turns, false)];
}
