import type { SingleBar } from 'cli-progress';
import { printableLine } from './printable.ts';

const DELAY_MS = 500;
/** Without a terminal a line every so often; with one the bar is redrawn in place. */
const LINE_EVERY_MS = 2000;

export interface ProgressOptions {
  /** As cli-progress formats it: `{value}`, `{total}`, `{bar}` and names of the payload. */
  readonly format: string;
  readonly total?: number;
}

/** Progress on standard error for work that takes longer than half a second, also work that never yields. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #begin = Date.now();
  readonly #create: (options: ProgressOptions) => SingleBar;
  #bar: SingleBar | undefined;
  #lastLine = 0;

  private constructor(options: ProgressOptions, create: (options: ProgressOptions) => SingleBar) {
    this.#options = options;
    this.#create = create;
  }

  static async start(options: ProgressOptions): Promise<Progress> {
    const { default: cliProgress } = await import('cli-progress');
    const create = ({ format }: ProgressOptions) =>
      new cliProgress.SingleBar({
        format,
        stream: process.stderr,
        noTTYOutput: true,
        clearOnComplete: true,
        linewrap: true,
      });
    return new Progress(options, create);
  }

  update(value: number, given: Readonly<Record<string, string | number>> = {}): void {
    const payload = Object.fromEntries(
      Object.entries(given).map(([name, each]) => [name, typeof each === 'string' ? printableLine(each) : each]),
    );
    const now = Date.now();
    if (this.#bar === undefined) {
      if (now - this.#begin < DELAY_MS) return;
      this.#bar = this.#create(this.#options);
      this.#bar.start(this.#options.total ?? 0, value, payload);
      this.#lastLine = now;
      return;
    }
    this.#bar.update(value, payload);
    if (process.stderr.isTTY || now - this.#lastLine < LINE_EVERY_MS) return;
    this.#lastLine = now;
    this.#bar.render();
  }

  stop(): void {
    this.#bar?.stop();
  }
}
