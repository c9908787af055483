import { Worker } from 'node:worker_threads';
import { wrap } from 'comlink';
import { endpointOf } from './endpoint.ts';
import { moduleUrl } from './module-url.ts';
import type { WorkerControl } from './worker.ts';

/** The control of a worker as the calling thread sees it: every call is answered later. */
type RemoteControl = {
  readonly [K in keyof WorkerControl]: (
    ...args: Parameters<WorkerControl[K]>
  ) => Promise<Awaited<ReturnType<WorkerControl[K]>>>;
};

/** A worker thread and how it is told what to do. */
export interface Thread {
  readonly worker: Worker;
  readonly control: RemoteControl;
}

/** @param memoryMb the most memory of the thread's heap, MiB; Node's own limit when absent */
export function startThread(memoryMb?: number): Thread {
  const limits = memoryMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memoryMb } };
  const worker = new Worker(new URL(moduleUrl('@griddep/engine/worker')), { execArgv: [], ...limits });
  return { worker, control: wrap<WorkerControl>(endpointOf(worker)) as unknown as RemoteControl };
}

/** Threads that are kept from run to run, for those who make many: starting one costs about as much as a short run. */
export class ThreadPool {
  private readonly idle: Thread[] = [];
  private readonly memoryMb: number | undefined;

  /** @param memoryMb the most memory of each thread's heap, MiB; Node's own limit when absent */
  constructor(memoryMb?: number) {
    this.memoryMb = memoryMb;
  }

  /** A thread that is free, or a new one. */
  take(): Thread {
    const thread = this.idle.pop();
    if (thread === undefined) return startThread(this.memoryMb);
    thread.worker.removeAllListeners('error');
    thread.worker.removeAllListeners('exit');
    thread.worker.ref();
    return thread;
  }

  /** Gives a thread back whose run ended well; others are ended. It does not keep the process alive. */
  give(thread: Thread): void {
    thread.worker.removeAllListeners('error');
    thread.worker.removeAllListeners('exit');
    const ended = (): void => {
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
    };
    thread.worker.on('error', ended);
    thread.worker.on('exit', ended);
    thread.worker.unref();
    this.idle.push(thread);
  }

  /** Ends all threads that are not in use. */
  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map(({ worker }) => worker.terminate()));
  }
}
