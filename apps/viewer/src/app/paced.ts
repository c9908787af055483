/** Least time between two calls, ms, and how many times as long as one took. */
const EVERY_MS = 200;
const SHARE = 4;

/** Calls `work` soon after it is asked for, however often it is: the more seldom, the longer it takes. */
export class Paced {
  readonly #work: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #notBefore = 0;

  constructor(work: () => void) {
    this.#work = work;
  }

  ask(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        const began = performance.now();
        this.#work();
        const took = performance.now() - began;
        this.#notBefore = performance.now() + Math.max(EVERY_MS, SHARE * took);
      },
      Math.max(0, this.#notBefore - performance.now()),
    );
  }

  /** What was asked for and not done is not done any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
