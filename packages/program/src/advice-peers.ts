import type { Notes } from './advice-notes.ts';
import type { Call, CallOf } from './calls.ts';
import type { HostThread, Program } from './program.ts';

/** Copies between devices that one host thread has not waited for, when access between these is taken away. */
export class PeerTransfers {
  private readonly program: Program;
  private readonly found: Notes;
  private device: number;
  /** Pairs of devices with copies under way, by stream. */
  private readonly underWay = new Map<string, Set<string>>();
  /** What a synchronise on an event waits for: the stream of its newest record. */
  private readonly recordedIn = new Map<string, string>();

  constructor(program: Program, { device }: HostThread, found: Notes) {
    this.program = program;
    this.device = device;
    this.found = found;
  }

  next(call: Call, place: () => string): void {
    switch (call.kind) {
      case 'setDevice':
        this.device = call.device;
        break;
      case 'memcpy':
        if (call.copy === 'peer') this.copy(call);
        break;
      case 'eventRecord':
        this.recordedIn.set(call.event, call.stream);
        break;
      case 'eventSynchronize':
        this.underWay.delete(this.recordedIn.get(call.event) ?? '');
        break;
      case 'streamSynchronize':
        this.underWay.delete(call.stream);
        break;
      case 'deviceSynchronize':
        for (const stream of this.underWay.keys())
          if (this.deviceOf(stream) === this.device) this.underWay.delete(stream);
        break;
      case 'deviceDisablePeerAccess':
        this.disable(call, place);
        break;
    }
  }

  private copy({ stream, async, sourceDevice, destinationDevice }: CallOf<'memcpy'>): void {
    const own = this.deviceOf(stream);
    const pair = pairOf(sourceDevice ?? own, destinationDevice ?? own);
    if (!async) this.underWay.delete(stream);
    else this.underWay.set(stream, (this.underWay.get(stream) ?? new Set()).add(pair));
  }

  private disable({ peer }: CallOf<'deviceDisablePeerAccess'>, place: () => string): void {
    const pair = pairOf(this.device, peer);
    const streams = [...this.underWay].filter(([, pairs]) => pairs.has(pair)).map(([stream]) => `"${stream}"`);
    if (streams.length === 0) return;
    const message = `access between devices ${this.device} and ${peer} is changed while copies between them in ${streams.length === 1 ? 'stream' : 'streams'} ${streams.join(', ')} may be under way: synchronise both devices first`;
    this.found.add('6.10', place(), message);
  }

  private deviceOf(stream: string): number {
    return this.program.streams.get(stream)?.device ?? this.device;
  }
}

function pairOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}
