import type { Call } from '@griddep/program';

/** Which streams of a thread capture, as far as its own calls tell. */
export class Captures {
  private readonly streams = new Set<string>();
  private readonly events = new Set<string>();

  /** Whether a capture is under way. */
  get active(): boolean {
    return this.streams.size > 0;
  }

  /** Whether a call is recorded into a capture instead of being carried out. To be told of every call in order. */
  follow(call: Call): boolean {
    if (call.kind === 'streamBeginCapture') {
      this.streams.add(call.stream);
      return false;
    }
    if (call.kind === 'streamEndCapture') {
      this.streams.clear();
      this.events.clear();
      return false;
    }
    if (this.streams.size === 0 || !('stream' in call)) return false;
    if (call.kind === 'streamWaitEvent' && this.events.has(call.event)) this.streams.add(call.stream);
    const captured = this.streams.has(call.stream);
    if (!captured) return false;
    if (call.kind === 'eventRecord') this.events.add(call.event);
    if (call.kind === 'launchKernel') {
      const { programmaticEvent, launchCompletionEvent } = call.attributes;
      for (const of of [programmaticEvent, launchCompletionEvent]) if (of !== undefined) this.events.add(of.event);
    }
    return true;
  }
}
