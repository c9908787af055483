import { parentPort } from 'node:worker_threads';
import { expose, transfer } from 'comlink';
import { Packr } from 'msgpackr';
import { endpointOf } from './endpoint.ts';
import { type PlainFault, plainFault } from './faults.ts';
import { InterimSender } from './interim-channel.ts';
import { actorsOfShard } from './load.ts';
import { Shard, type ShardSetup, type ShardStatistics, type SliceOutcome } from './shard.ts';
import { SharedState, STOPPED } from './shared-state.ts';

const packr = new Packr({ structuredClone: true });

/** What the calling thread asks of a worker. */
export interface WorkerControl {
  load(setup: ShardSetup, module: string, data: Uint8Array): Promise<void>;
  run(): { outcome: SliceOutcome; fault?: undefined } | { outcome?: undefined; fault: PlainFault };
  /** `interim` is what was left of that, where somebody hears it. */
  collect(): {
    statistics: ShardStatistics;
    time: number;
    messages: number;
    results: Uint8Array;
    interim: Uint8Array | undefined;
  };
}

let shard: Shard | undefined;
let setup: ShardSetup | undefined;
let sender: InterimSender | undefined;
let results: () => readonly unknown[] = () => [];

const control: WorkerControl = {
  async load(given, module, data) {
    const actors = await actorsOfShard(given, module, packr.unpack(data));
    setup = given;
    shard = new Shard(given, actors);
    if (given.interim !== undefined && parentPort !== null) {
      sender = new InterimSender(actors, given.interim, given.index, parentPort);
      shard.observer = sender;
    }
    results = () => actors.map((actor) => actor?.result?.());
  },

  run() {
    const state = new SharedState((setup as ShardSetup).state);
    try {
      const own = shard as Shard;
      own.start();
      const outcome = own.slice(Number.POSITIVE_INFINITY);
      if (outcome === 'suspended') throw new Error('an actor outside the calling thread suspends its event');
      return own.fault === undefined ? { outcome } : { fault: plainFault(own.fault) };
    } catch (error) {
      state.stop(STOPPED.aborted);
      return { fault: plainFault(error) };
    }
  },

  collect() {
    const { executor } = shard as Shard;
    // Before the results, which take up all that there is.
    const interim = sender?.last();
    const packed = Uint8Array.from(packr.pack(results()));
    const collected = {
      statistics: (shard as Shard).statistics(),
      time: executor.now,
      messages: executor.messages,
      results: packed,
      interim,
    };
    // A thread that waits for its next run keeps nothing of this one.
    shard = undefined;
    setup = undefined;
    sender = undefined;
    results = () => [];
    return transfer(collected, [packed.buffer]);
  },
};

if (parentPort !== null) expose(control, endpointOf(parentPort));
