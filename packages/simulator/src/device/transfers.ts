import type { Context } from '@griddep/engine';
import type { TransferDoneMessage, TransferMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { CopyRoute } from './copy-route.ts';
import type { Clock } from './unit-context.ts';

/** Sends a message of this device. */
export type Send = Context['send'];

/** When a transfer has ended: it took `actual` ps, and would have taken `alone` without others. */
export type Ended = (actual: number, alone: number, clock: Clock) => void;

/** What a device has asked fabrics to move, and who waits for it. */
export class Transfers {
  private readonly times: DeviceTimes;
  private readonly send: Send;
  private readonly open = new Map<number, Ended>();
  private next = 0;

  constructor(times: DeviceTimes, send: Send) {
    this.times = times;
    this.send = send;
  }

  /** Asks for a transfer. Of the copy's latency one part passes before the bytes flow, the other until the end is known. */
  begin(bytes: number, route: CopyRoute, ended: Ended): void {
    const id = this.next++;
    const { ports, limit, loads } = route;
    const answerDelay = this.times.transferAnswer;
    const message: TransferMessage = { type: 'transfer', id, bytes, ports, limit, answerDelay, loads };
    this.open.set(id, ended);
    this.send(route.fabric, askDelay(route.latency, answerDelay), message);
  }

  /** A fabric has moved the bytes. */
  done({ id, actual, alone }: TransferDoneMessage, clock: Clock): void {
    const ended = this.open.get(id);
    this.open.delete(id);
    ended?.(actual, alone, clock);
  }
}

/** The part of a copy's latency in which its engine asks for the transfer, at least a picosecond. */
export function askDelay(latency: number, answerDelay: number): number {
  return Math.max(1, latency - answerDelay);
}
