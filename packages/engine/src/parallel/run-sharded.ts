import type { Worker } from 'node:worker_threads';
import { Packr } from 'msgpackr';
import type { Actor, ActorId, Time } from '../actor.ts';
import { MAX_ACTORS } from '../event-queue.ts';
import { ActorFault } from '../executor.ts';
import { InterimGatherer, type InterimResult } from '../interim.ts';
import type { RunOptions, RunResult } from '../sequential.ts';
import { faultOf, firstFault, NoLookahead, RunAborted, ShardLost, TooManyThreads } from './faults.ts';
import { inboxMemory } from './inbox.ts';
import { interimSetup, receiveInterim, unpackInterim } from './interim-channel.ts';
import { actorsOfShard } from './load.ts';
import type { ShardedModel } from './model.ts';
import { Shard, type ShardSetup, type ShardStatistics } from './shard.ts';
import { SharedState, STOPPED } from './shared-state.ts';
import { startThread, type Thread, type ThreadPool } from './thread-pool.ts';
import { cores, mostThreads } from './threads.ts';

/** The first shard lets the calling thread's event loop run so often, ms. */
const SLICE_MS = 20;
/** Memory of all inboxes, and of one, in words of 8 bytes. */
const INBOX_WORDS = { all: 2 ** 23, least: 2 ** 10, most: 2 ** 17 };

export interface ShardedOptions {
  /** Actors of each shard; the first runs in the calling thread, every other in a thread of its own. */
  readonly shards: readonly (readonly ActorId[])[];
  /** Stops after about this many events and reports `limit`. */
  readonly maxEvents?: number;
  /** Called now and then; a time before which all shards are done, and what each is at. */
  readonly onProgress?: (time: Time, events: number, shards: readonly Progress[]) => void;
  /** As in `runSequential`, by shard; what it throws ends the run. */
  readonly onInterim?: NonNullable<RunOptions['onInterim']>;
  readonly interimEveryMs?: number;
  /** Stops the run, which then fails with RunAborted. */
  readonly signal?: AbortSignal;
  /** For tests: threads pause, and keep messages back, at moments that this seed draws. */
  readonly jitter?: number;
  /** The most memory of a thread's heap, MiB; Node's own limit when absent. Threads of a pool have the pool's. */
  readonly threadMemoryMb?: number;
  /** Where threads come from and go back to; without it they end with the run. */
  readonly pool?: ThreadPool;
  /** For tests: called with each thread as it starts. */
  readonly onThread?: (worker: Worker, shard: number) => void;
}

/** Where a shard is. */
export interface Progress {
  readonly actor: ActorId;
  readonly time: Time;
  readonly events: number;
}

export interface ShardedResult extends RunResult {
  readonly shards: readonly ShardStatistics[];
  /** What each actor's `result` returned, by actor. */
  readonly results: readonly unknown[];
}

/**
 * Runs a model in shards, each with its own thread, which synchronise conservatively: the outcome is that of
 * `runSequential`, whatever the shards.
 *
 * @throws NoLookahead for shards that nothing keeps apart; TooManyThreads for more threads than the machine can start; ShardLost when a thread ends before its time;
 * RunAborted after `signal`; PromiseBreach when a message comes before its sender's promise; errors of actors as
 * `runSequential` does.
 */
export async function runSharded(model: ShardedModel, options: ShardedOptions): Promise<ShardedResult> {
  const run = new ShardedRun(model, options);
  try {
    return await run.run();
  } finally {
    await run.close();
  }
}

interface ShardThread extends Thread {
  readonly shard: number;
}

const packr = new Packr({ structuredClone: true });

class ShardedRun {
  private readonly model: ShardedModel;
  private readonly options: ShardedOptions;
  private readonly shared: Omit<ShardSetup, 'index'>;
  private readonly state: SharedState;
  private readonly threads: ShardThread[] = [];
  private readonly lost: Promise<never>;
  private lose: (error: Error) => void = () => {};
  /** Ends the listening to each thread. */
  private readonly deafen: (() => void)[] = [];
  private finished = false;
  private succeeded = false;

  constructor(model: ShardedModel, options: ShardedOptions) {
    this.model = model;
    this.options = options;
    const { shards } = options;
    if (model.names.length > MAX_ACTORS) throw new RangeError(`${model.names.length} actors; at most ${MAX_ACTORS}`);
    if (shards.length - 1 > mostThreads()) {
      throw new TooManyThreads(`${shards.length - 1} threads; this machine can start ${mostThreads()}`);
    }
    const state = SharedState.memory(shards.length);
    const words = 2 ** Math.floor(Math.log2(INBOX_WORDS.all / shards.length));
    const capacity = Math.min(INBOX_WORDS.most, Math.max(INBOX_WORDS.least, words));
    this.state = new SharedState(state);
    this.shared = {
      shardOf: shardOfActors(shards, model.names.length),
      ...leastDelays(model, shards),
      names: model.names,
      shapes: model.shapes,
      state,
      inboxes: shards.map(() => inboxMemory(capacity)),
      spin: shards.length <= cores(),
      jitter: options.jitter,
      interim: options.onInterim === undefined ? undefined : interimSetup(shards.length, options.interimEveryMs),
    };
    this.lost = new Promise((_, reject) => {
      this.lose = reject;
    });
    this.lost.catch(() => {});
  }

  async run(): Promise<ShardedResult> {
    const { model, options, shared } = this;
    if (options.signal?.aborted === true) throw new RunAborted('stopped');
    const onAbort = (): void => this.abort(new RunAborted('stopped'));
    options.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const data = packr.pack(model.data);
      for (let shard = 1; shard < options.shards.length; shard++) this.startThread(shard);
      const loaded = this.threads.map(({ shard, control }) =>
        control.load({ ...shared, index: shard }, model.module, data),
      );
      const setup = { ...shared, index: 0 };
      const own = actorsOfShard(setup, model.module, model.data, model.local);
      const [actors] = await this.unlessLost(Promise.all([own, ...loaded]));
      const { interim } = this.shared;
      const gatherer = interim === undefined ? undefined : new InterimGatherer(actors, interim.everyMs);
      const result = await this.simulate(new Shard(setup, actors), actors, gatherer);
      this.succeeded = true;
      return result;
    } finally {
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.finished = true;
    for (const end of this.deafen) end();
    if (this.state.stopped === STOPPED.running) this.state.stop(STOPPED.aborted);
    const { pool } = this.options;
    await Promise.all(
      this.threads.map((thread) =>
        pool !== undefined && this.succeeded ? pool.give(thread) : thread.worker.terminate(),
      ),
    );
  }

  private async simulate(
    own: Shard,
    actors: readonly (Actor | undefined)[],
    gatherer: InterimGatherer | undefined,
  ): Promise<ShardedResult> {
    const running = this.threads.map(async ({ control }) => {
      const { fault } = await control.run();
      const error = fault === undefined ? undefined : faultOf(fault);
      if (error === undefined || error instanceof ActorFault) return error;
      this.state.stop(STOPPED.aborted);
      throw error;
    });
    const faults = await this.unlessLost(Promise.all([this.runOwn(own, gatherer), ...running]));
    const first = firstFault(faults.filter((fault) => fault !== undefined));
    if (first !== undefined) throw first;
    const others = await this.unlessLost(Promise.all(this.threads.map(({ control }) => control.collect())));
    const outcome = this.state.stopped === STOPPED.limit ? 'limit' : 'drained';
    if (gatherer !== undefined && outcome === 'drained') {
      const last = others.map(({ interim }) => (interim === undefined ? [] : unpackInterim(interim)));
      this.hear([gatherer.gather(Number.POSITIVE_INFINITY), ...last].flat());
    }
    const results = actors.map((actor) => actor?.result?.());
    let time = own.executor.now;
    let messages = own.executor.messages;
    for (const other of others) {
      time = Math.max(time, other.time);
      messages += other.messages;
      const theirs = packr.unpack(other.results) as unknown[];
      theirs.forEach((result, id) => {
        if (result !== undefined && result !== null) results[id] = result;
      });
    }
    const shards = [own.statistics(), ...others.map(({ statistics }) => statistics)];
    const events = shards.reduce((sum, each) => sum + each.events, 0);
    return { outcome, time, events, messages, shards, results };
  }

  private async runOwn(own: Shard, gatherer: InterimGatherer | undefined): Promise<ActorFault | undefined> {
    try {
      own.start();
      for (;;) {
        const outcome = own.slice(SLICE_MS);
        this.report();
        if (gatherer?.isDue === true) this.hear(gatherer.gather(own.executor.now));
        if (outcome === 'suspended') {
          await own.executor.suspended;
          continue;
        }
        if (outcome !== 'slice') return own.fault;
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      this.state.stop(STOPPED.aborted);
      throw error;
    }
  }

  private report(): void {
    const { options, state } = this;
    if (options.maxEvents === undefined && options.onProgress === undefined) return;
    const progress = options.shards.map((_, shard) => state.traceOf(shard));
    const events = progress.reduce((sum, each) => sum + each.events, 0);
    if (events > (options.maxEvents ?? Number.POSITIVE_INFINITY)) state.stop(STOPPED.limit);
    const least = Math.min(...options.shards.map((_, shard) => state.clock(shard)));
    const time = Number.isFinite(least) ? least : Math.max(...progress.map((each) => each.time));
    options.onProgress?.(time, events, progress);
  }

  private hear(results: readonly InterimResult[]): void {
    if (results.length > 0) this.options.onInterim?.(results);
  }

  private startThread(shard: number): void {
    const { threadMemoryMb, pool } = this.options;
    const thread = pool === undefined ? startThread(threadMemoryMb) : pool.take();
    const { worker } = thread;
    this.threads.push({ ...thread, shard });
    worker.on('error', (error) => this.threadEnded(shard, error.message));
    worker.on('exit', (code) => this.threadEnded(shard, `it exited with code ${code}`));
    const { interim } = this.shared;
    if (interim !== undefined) {
      this.deafen.push(
        receiveInterim(worker, interim, shard, (results) => {
          try {
            this.hear(results);
          } catch (error) {
            this.abort(error as Error);
          }
        }),
      );
    }
    this.options.onThread?.(worker, shard);
  }

  private threadEnded(shard: number, why: string): void {
    if (this.finished) return;
    const at = this.state.traceOf(shard);
    const actor = this.model.names[at.actor] ?? '';
    const where = at.events === 0 && at.time === 0 ? 'before its first event' : `at ${at.time} ps, handling ${actor}`;
    this.abort(new ShardLost(`the thread of shard ${shard} ended ${where}: ${why}`, shard, at));
  }

  private abort(error: Error): void {
    this.state.stop(STOPPED.aborted);
    this.lose(error);
  }

  private unlessLost<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.lost]);
  }
}

function shardOfActors(shards: readonly (readonly ActorId[])[], actors: number): Uint16Array {
  const shardOf = new Uint16Array(actors).fill(0xffff);
  for (const [shard, ids] of shards.entries()) for (const id of ids) shardOf[id] = shard;
  const missing = shardOf.indexOf(0xffff);
  if (missing >= 0) throw new RangeError(`actor ${missing} is in no shard`);
  return shardOf;
}

/** Least delays from shard to shard, over all their actors and over those that are not patient; and to each that is. */
function leastDelays(
  { lookahead, names, patient = [] }: ShardedModel,
  shards: readonly (readonly ActorId[])[],
): Pick<ShardSetup, 'lookahead' | 'strict' | 'patient'> {
  const count = shards.length;
  const least = new Float64Array(count * count).fill(Number.POSITIVE_INFINITY);
  const strict = least.slice();
  const own = new Map(patient.map((actor) => [actor, new Float64Array(count).fill(Number.POSITIVE_INFINITY)]));
  for (let from = 0; from < count; from++) {
    for (let to = 0; to < count; to++) {
      if (from === to) continue;
      const at = from * count + to;
      for (const receiver of shards[to] as readonly ActorId[]) {
        const delay = leastTo(receiver, shards[from] as readonly ActorId[], lookahead, names);
        least[at] = Math.min(least[at] as number, delay);
        const ofIt = own.get(receiver);
        if (ofIt === undefined) strict[at] = Math.min(strict[at] as number, delay);
        else ofIt[from] = delay;
      }
    }
  }
  return { lookahead: least, strict, patient: [...own].map(([actor, leastOf]) => ({ actor, least: leastOf })) };
}

/** @throws NoLookahead for a delay that is not above 0 */
function leastTo(
  receiver: ActorId,
  senders: readonly ActorId[],
  lookahead: ShardedModel['lookahead'],
  names: readonly string[],
): Time {
  let least = Number.POSITIVE_INFINITY;
  for (const sender of senders) {
    const delay = lookahead(sender, receiver);
    if (!(delay > 0)) {
      throw new NoLookahead(`${names[sender]} and ${names[receiver]} must be in one shard: least delay ${delay} ps`);
    }
    least = Math.min(least, delay);
  }
  return least;
}
