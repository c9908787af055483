import { type Rendezvous, rendezvousOf } from '@griddep/cuda';
import type { ArriveMessage, MetMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { Flags } from './flags.ts';
import type { DeviceOperation } from './operation.ts';
import type { Send } from './transfers.ts';
import type { Clock } from './unit-context.ts';

/** A collective that has not ended, and the operation that is this device's part in it. */
export interface OpenMeeting {
  readonly op: number;
  readonly rendezvous: Rendezvous;
}

const MEETING = '\0collective ';

/** The flag on which the blocks of an operation wait for their collective to end. No program can name it. */
export function meetingOf(op: number): string {
  return `${MEETING}${op}`;
}

/** Whether a flag is one of those: no flag of the program. */
export function isMeeting(flag: string): boolean {
  return flag.startsWith(MEETING);
}

/** Collectives of which this device is a member: it tells when its blocks have started, and is told of the end. */
export class Meetings {
  private readonly device: number;
  private readonly actor: number;
  private readonly times: DeviceTimes;
  private readonly flags: Flags;
  private readonly send: Send;
  private readonly open = new Map<number, { readonly operation: DeviceOperation; readonly rendezvous: Rendezvous }>();

  constructor(device: number, actor: number, times: DeviceTimes, flags: Flags, send: Send) {
    this.device = device;
    this.actor = actor;
    this.times = times;
    this.flags = flags;
    this.send = send;
  }

  /** An operation that may be a member's part in a collective. */
  enter(operation: DeviceOperation, clock: Clock): void {
    const rendezvous = rendezvousOf(operation.work);
    if (rendezvous === undefined) return;
    operation.listen(
      'started',
      (started, now) => {
        this.open.set(operation.op, { operation, rendezvous });
        const { op } = operation;
        const message: ArriveMessage = { type: 'arrive', op, rendezvous, device: this.device, started };
        this.send(this.actor, started - now + arriveDelay(this.times), message);
      },
      clock.now,
    );
  }

  /** A collective ends: its blocks go on. */
  met({ op, last, since }: MetMessage, clock: Clock): void {
    const { operation } = this.open.get(op) as { readonly operation: DeviceOperation };
    this.open.delete(op);
    if (last !== op) operation.waited('collective', last, operation.start, since);
    this.flags.set(meetingOf(op), 1, clock);
  }

  /** Those that have not ended. */
  unfinished(): OpenMeeting[] {
    return [...this.open].map(([op, { rendezvous }]) => ({ op, rendezvous }));
  }
}

/** Part of the first step of a collective, ps: its members find each other. */
export function arriveDelay({ collectiveStep }: DeviceTimes): number {
  return Math.floor(collectiveStep / 2);
}
