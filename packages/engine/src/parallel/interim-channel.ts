import type { MessagePort, Worker } from 'node:worker_threads';
import { Packr } from 'msgpackr';
import type { Actor, Time } from '../actor.ts';
import { InterimGatherer, type InterimResult } from '../interim.ts';

const packr = new Packr({ structuredClone: true });

/** Beside what comlink sends on the same port, which leaves messages without its ids alone. */
interface InterimMessage {
  readonly interim: Uint8Array;
}

/** What both ends have in common. */
export interface InterimSetup {
  /** By shard, whether a batch of it is under way that the calling thread has not taken: there is one at most. */
  readonly underWay: SharedArrayBuffer;
  /** Least wall time between two batches, ms. */
  readonly everyMs: number | undefined;
}

export function interimSetup(shards: number, everyMs: number | undefined): InterimSetup {
  return { underWay: new SharedArrayBuffer(shards * Int32Array.BYTES_PER_ELEMENT), everyMs };
}

/** The end in a worker: sends what its actors have, one batch at a time (`receiveInterim` is the other end). */
export class InterimSender {
  private readonly gatherer: InterimGatherer;
  private readonly underWay: Int32Array;
  private readonly shard: number;
  private readonly port: MessagePort;

  constructor(actors: readonly (Actor | undefined)[], setup: InterimSetup, shard: number, port: MessagePort) {
    this.gatherer = new InterimGatherer(actors, setup.everyMs);
    this.underWay = new Int32Array(setup.underWay);
    this.shard = shard;
    this.port = port;
  }

  /** Sends a batch if it is time for one, and the last has been taken; all events before a time have been handled. */
  look(before: Time): void {
    if (!this.gatherer.isDue || Atomics.load(this.underWay, this.shard) !== 0) return;
    const results = this.gatherer.gather(before);
    if (results.length === 0) return;
    Atomics.store(this.underWay, this.shard, 1);
    const message: InterimMessage = { interim: packInterim(results) };
    this.port.postMessage(message, [message.interim.buffer as ArrayBuffer]);
  }

  /** What is left when the run is over. */
  last(): Uint8Array {
    return packInterim(this.gatherer.gather(Number.POSITIVE_INFINITY));
  }
}

/** The end in the calling thread: hears the batches of a shard until the function that it returns is called. */
export function receiveInterim(
  worker: Worker,
  setup: InterimSetup,
  shard: number,
  hear: (results: readonly InterimResult[]) => void,
): () => void {
  const underWay = new Int32Array(setup.underWay);
  const take = (data: Partial<InterimMessage> | undefined): void => {
    if (data?.interim === undefined) return;
    hear(unpackInterim(data.interim));
    Atomics.store(underWay, shard, 0);
  };
  worker.on('message', take);
  return () => worker.off('message', take);
}

export function unpackInterim(packed: Uint8Array): readonly InterimResult[] {
  return packr.unpack(packed) as InterimResult[];
}

function packInterim(results: readonly InterimResult[]): Uint8Array {
  return Uint8Array.from(packr.pack(results));
}
