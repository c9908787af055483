import type { Actor, Context } from '@griddep/engine';
import type { DeviceTimes } from '../device/body.ts';
import { arriveDelay } from '../device/meetings.ts';
import type { TopologyPlan } from '../fabric/topology-plan.ts';
import type { ArriveMessage, MetMessage } from '../messages.ts';
import { collectiveTime, type Ring } from './cost.ts';

/** What the meeting place of collectives knows of the machine. */
export interface CollectiveSpec {
  readonly name: string;
  readonly times: readonly DeviceTimes[];
  readonly plan: Pick<TopologyPlan, 'path' | 'bandwidth'>;
  actorOf(device: number): number;
}

/**
 * Where the members of collectives meet: one begins when its last member has come, takes its time, and ends for all
 * together. Other traffic on the links does not slow it, nor it that.
 */
export class CollectiveActor implements Actor<ArriveMessage> {
  readonly name: string;
  private readonly spec: CollectiveSpec;
  private readonly arrived = new Map<string, ArriveMessage[]>();
  private readonly rings = new Map<string, Ring>();

  constructor(spec: CollectiveSpec) {
    this.name = spec.name;
    this.spec = spec;
  }

  /** A member has come. */
  receive(message: ArriveMessage, _source: number, context: Context): void {
    const { group, sequence, ranks } = message.rendezvous;
    const key = `${sequence} ${group}`;
    const members = this.arrived.get(key) ?? [];
    this.arrived.set(key, members);
    members.push(message);
    if (members.length < ranks.length) return;
    this.arrived.delete(key);
    this.end(members, context);
  }

  /** Nothing is left to its timer. */
  timer(): void {}

  private end(members: readonly ArriveMessage[], context: Context): void {
    const [last] = [...members].sort((a, b) => b.started - a.started || b.device - a.device);
    if (last === undefined) return;
    const { rendezvous, started, op: lastOp } = last;
    const bytes = Math.max(...members.map((m) => m.rendezvous.bytes));
    const time = collectiveTime({ ...rendezvous, bytes }, this.ring(rendezvous.ranks));
    const delay = Math.max(this.leastDelay(rendezvous.ranks), started + time - context.now);
    for (const { op, device } of [...members].sort((a, b) => a.device - b.device)) {
      const message: MetMessage = { type: 'met', op, last: lastOp, since: started };
      context.send(this.spec.actorOf(device), delay, message);
    }
  }

  private leastDelay(ranks: readonly number[]): number {
    return Math.max(...ranks.map((device) => endDelay(this.spec.times[device] as DeviceTimes)));
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
