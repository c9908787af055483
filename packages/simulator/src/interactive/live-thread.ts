import type { CudaError, CudaRuntime, Issued } from '@griddep/cuda';
import {
  type Answer,
  CudaHost,
  type HostProcess,
  HostUseError,
  type MadeCall,
  stackHere,
  type ThreadPort,
} from '@griddep/cuda/host-api';
import type { Call } from '@griddep/program';
import type { CallSource, IssuedCall } from '../host/call-source.ts';

/** Steps of promises that code may take before it makes a call; no timer and no input of the outside comes in them. */
const MOST_STEPS = 10_000;

/** Steps that code is given to show that it does not await its call. */
const MORE_STEPS = 8;

/** What the threads of a program share. */
export interface ThreadSurroundings {
  readonly process: HostProcess;
  /** The runtime that is ahead of virtual time. */
  readonly ahead: CudaRuntime;
  readonly shownFile: (file: string) => string;
  /** A kernel touches memory that it may not. */
  faults(stream: number, op: number, call: Call): void;
  /** The error that all calls return since a kernel failed, if one did. */
  failed(): CudaError | undefined;
  /** Time between the records of the events that a call names, ps. */
  elapsed(call: Call): number | undefined;
  /** Where the code called the API that was running when a stack was taken. */
  place(here: Error): string;
  /** Whether the timeline tells of the places of calls. */
  readonly places: boolean;
}

/** A call that the thread awaits. */
interface Outstanding {
  readonly what: () => string;
  settle(now: number): void;
}

interface Queued extends MadeCall {
  /** Told what the runtime made of it. */
  readonly answered: (issued: Issued) => void;
}

/** Code of a host thread that runs while the simulation waits for its next call, and the other way round. */
export class LiveThread implements CallSource, ThreadPort {
  readonly index: number;
  readonly name: string;
  late: CudaError | undefined;
  private readonly live: ThreadSurroundings;
  private readonly body: (host: CudaHost) => unknown;
  /** Calls that were made and whose time has not come. */
  private readonly queue: Queued[] = [];
  private done = 0;
  private outstanding: Outstanding | undefined;
  private failure: { readonly error: unknown } | undefined;
  private running = false;
  private started = false;
  finished = false;
  /** The newest call, for messages. */
  private lastCall: () => string;

  /** @param place where the thread was declared */
  constructor(live: ThreadSurroundings, index: number, name: string, place: string, body: (host: CudaHost) => unknown) {
    this.live = live;
    this.index = index;
    this.name = name;
    this.body = body;
    this.lastCall = () => `its start at ${place}`;
  }

  /** What went wrong with the code, if something did. */
  get fault(): { readonly error: unknown } | undefined {
    return this.failure;
  }

  /** See `CallSource`: calls that were made come first, then the code goes on. */
  next(now: number): IssuedCall | undefined | Promise<unknown> {
    if (this.done < this.queue.length) return this.take();
    if (this.finished) return undefined;
    return this.goOn(now);
  }

  /** See `ThreadPort`. What it returns is the runtime's answer with the calls made so far. */
  enqueue(made: MadeCall): CudaError | undefined {
    const error = this.foreseen(made);
    const answered = (issued: Issued): void => {
      if (issued.error?.code !== error?.code) this.late = issued.error;
      const [first] = issued.commands;
      if (made.faults === true && first !== undefined) this.live.faults(first.command.stream, issued.op, made.call);
    };
    this.queue.push({ ...made, answered });
    return error;
  }

  observe(made: MadeCall): Promise<Answer> {
    this.foreseen(made);
    return new Promise((resolve) => {
      let answer: Answer = { error: undefined, elapsed: undefined };
      const answered = (issued: Issued): void => {
        const elapsed = issued.error === undefined ? this.live.elapsed(made.call) : undefined;
        answer = { error: issued.error, elapsed };
      };
      this.queue.push({ ...made, answered });
      const settle = (): void => {
        resolve({ ...answer, error: answer.error ?? (made.call.kind === 'hostAwait' ? undefined : this.failed()) });
      };
      this.outstanding = { what: this.lastCall, settle };
    });
  }

  now(): Promise<number> {
    return new Promise((resolve) => {
      this.outstanding = { what: this.lastCall, settle: resolve };
    });
  }

  failed(): CudaError | undefined {
    return this.live.failed();
  }

  /** Notes the call, and refuses it where no code of this thread may run. */
  assertRunning(what: string): void {
    const here = stackHere();
    const call = (): string => `${what} at ${this.live.place(here)}`;
    if (!this.running) {
      const why = this.finished ? 'has ended' : 'is not running: it waits for something outside virtual time';
      throw this.misused(`${call()}: host thread "${this.name}" ${why}, or the call is another thread's`);
    }
    if (this.outstanding !== undefined) {
      throw this.misused(`${call()}: ${this.outstanding.what()} was not awaited (host thread "${this.name}")`);
    }
    this.lastCall = call;
  }

  private misused(message: string): HostUseError {
    const error = new HostUseError(message);
    this.failure ??= { error };
    return error;
  }

  private take(): IssuedCall {
    const made = this.queue[this.done++] as Queued;
    if (this.done === this.queue.length) {
      this.queue.length = 0;
      this.done = 0;
    }
    return made;
  }

  /** Performs a call in the runtime that is ahead: by its answer the code goes on. */
  private foreseen({ refused, call, label }: MadeCall): CudaError | undefined {
    return refused ?? this.live.ahead.issue(this.index, call, label).error;
  }

  private async goOn(now: number): Promise<void> {
    this.running = true;
    const { outstanding } = this;
    this.outstanding = undefined;
    if (this.started) outstanding?.settle(now);
    else this.start();
    try {
      let settled = 0;
      for (let steps = 0; steps < MOST_STEPS; steps++) {
        if (this.failure !== undefined) throw this.failure.error;
        if (this.outstanding !== undefined || this.finished) settled++;
        if (settled > MORE_STEPS) return;
        await undefined;
      }
      throw this.misused(
        `host thread "${this.name}" awaits something outside virtual time, after ${this.lastCall()}: only calls of its host may be awaited`,
      );
    } finally {
      this.running = false;
    }
  }

  private start(): void {
    this.started = true;
    const host = new CudaHost({
      process: this.live.process,
      runtime: this.live.ahead,
      port: this,
      shownFile: this.live.places ? this.live.shownFile : undefined,
    });
    const ran = (async () => this.body(host))();
    ran.then(
      () => this.end(),
      (error: unknown) => {
        this.failure ??= { error };
      },
    );
  }

  private end(): void {
    if (this.outstanding !== undefined) this.misused(`${this.outstanding.what()} was not awaited`);
    this.finished = true;
  }
}
