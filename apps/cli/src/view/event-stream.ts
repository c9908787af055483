import type { ServerResponse } from 'node:http';

/** Events for one page that listens (server-sent events; `watch-server.ts` of the viewer is the other end). */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The page has more to take than its connection holds: what can wait should, until `onDrain`. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  send(event: string, data: string): void {
    if (!this.#response.writableEnded) this.#response.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  onDrain(go: () => void): void {
    this.#response.on('drain', go);
  }

  onClose(closed: () => void): void {
    this.#response.on('close', closed);
  }

  /** Settles when all is sent, or cannot be. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#response.on('close', resolve);
      this.#response.end(resolve);
    });
  }
}
