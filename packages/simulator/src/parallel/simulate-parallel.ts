import { type Actor, TimeOverflow } from '@griddep/engine';
import {
  moduleUrl,
  NoLookahead,
  RunAborted,
  runSharded,
  type ShardedModel,
  type ShardedOptions,
  type ShardedResult,
  ShardLost,
  type ShardStatistics,
} from '@griddep/engine/parallel';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import type { HostActor } from '../host/host-actor.ts';
import type { HostRecord, HostResult } from '../host/host-record.ts';
import { joinHosts } from '../host/join-hosts.ts';
import type { IntervalFeed, IntervalListener } from '../intervals/interval-feed.ts';
import { leastDelay } from '../lookahead.ts';
import type { SimulateOptions } from '../options.ts';
import { type Prepared, prepare } from '../prepare.ts';
import { processesOf } from '../processes.ts';
import { feedOf, simulateCounted } from '../simulate.ts';
import { eventLimit, timeLimit } from '../time-limit.ts';
import { type RemoteResult, type RemoteSetup, telling } from './actors.ts';
import { lostOperation } from './lost-operation.ts';
import { MESSAGE_SHAPES } from './message-shapes.ts';
import { packProgram } from './packed-program.ts';
import { dealActors, dealDevices, shardCount, type Workers } from './sharding.ts';
import { simulateInPauses } from './simulate-in-pauses.ts';

export interface ParallelOptions extends Omit<SimulateOptions, 'onProgress' | 'onIntervals'> {
  /** `auto` if absent. */
  readonly workers?: Workers;
  /** Virtual time reached (ps), events done, and for each shard its devices and the time each shard is at. */
  readonly onProgress?: (time: number, events: number, shards: readonly ShardProgress[]) => void;
  /**
   * As for `simulate`, and the next batch waits for the promise that it returns; what comes meanwhile is in that. The calling
   * thread's event loop goes on, also where that thread simulates alone.
   */
  readonly onIntervals?: IntervalListener;
  /** Stops the simulation, which then fails with RunAborted. */
  readonly signal?: NonNullable<ShardedOptions['signal']>;
  /** Where threads come from and go back to, for those who simulate often; without it they end with the run. */
  readonly pool?: NonNullable<ShardedOptions['pool']>;
  /** For tests: disturbs the threads' pace, see the engine. */
  readonly jitter?: number;
}

/** Where a shard is. */
export interface ShardProgress {
  readonly devices: readonly number[];
  readonly time: number;
  readonly events: number;
}

/** A timeline, and how the shards did that made it. */
export interface ParallelRun {
  readonly timeline: Timeline;
  /** Events handled, and messages between actors. */
  readonly events: number;
  readonly messages: number;
  /** One for each thread; none where the calling thread did it alone without shards. */
  readonly shards: readonly (ShardStatistics & { readonly devices: readonly number[] })[];
}

/**
 * Simulates what a machine does with a program, its devices spread over worker threads. The timeline is that of
 * `simulate`, bit for bit, whatever the threads.
 *
 * @throws what `simulate` does; TooManyThreads for more than the machine can start; SimulationLost when a thread ends
 * before its time; RunAborted after `signal`.
 */
export async function simulateParallel(
  program: Program,
  machine: Machine,
  options: ParallelOptions = {},
): Promise<ParallelRun> {
  const { workers = 'auto', onProgress: _, onIntervals: __, signal: ___, ...rest } = options;
  const devices = machine.devices.length;
  const count = shardCount(workers, program, devices, () => processesOf(program, devices));
  if (count === 1) return inOneThread(program, machine, options);
  const prepared = prepare(program, machine, rest, (processes) => dealDevices(processes, devices, count));
  return (await overThreads(program, prepared, count, options)) ?? inOneThread(program, machine, options);
}

/** Runs a prepared simulation in so many threads; undefined if the machine has no lookahead and nothing has run. */
export async function overThreads(
  program: Program,
  prepared: Prepared,
  count: number,
  options: ParallelOptions,
): Promise<ParallelRun | undefined> {
  const { setup, actors } = prepared;
  const shards = dealActors(actors, setup.processes, setup.places, count);
  const devicesOf = shards.map((ids) => ids.map((id) => actors.deviceOf(id)).filter((d) => d >= 0));
  const feed = feedOf(prepared, options.onIntervals, true);
  let run: ShardedResult;
  try {
    run = await sharded(program, prepared, shards, devicesOf, options, feed);
  } catch (error) {
    // A machine whose devices answer each other at once has to be one shard.
    if (error instanceof NoLookahead) return undefined;
    throw error;
  }
  if (run.outcome === 'limit') throw eventLimit(run);
  await feed?.end();
  return {
    timeline: prepared.timeline(
      recordedBy(
        setup.processes.map((_, i) => actors.hostOf(i)),
        prepared,
        run,
      ),
      recordedBy(
        setup.machine.devices.map((_, i) => actors.actorOf(i)),
        prepared,
        run,
      ),
    ),
    events: run.events,
    messages: run.messages,
    shards: run.shards.map((statistics, i) => ({ ...statistics, devices: devicesOf[i] as number[] })),
  };
}

async function inOneThread(program: Program, machine: Machine, options: ParallelOptions): Promise<ParallelRun> {
  const { onProgress, onIntervals, signal, workers: _, ...rest } = options;
  if (signal?.aborted === true) throw new RunAborted('stopped');
  const devices = machine.devices.map((_device, i) => i);
  const progress =
    onProgress === undefined
      ? {}
      : { onProgress: (time: number, events: number) => onProgress(time, events, [{ devices, time, events }]) };
  const given = { ...rest, ...progress };
  const { timeline, run } =
    onIntervals === undefined
      ? simulateCounted(program, machine, given)
      : await simulateInPauses(prepare(program, machine, rest), given, onIntervals, signal);
  return { timeline, events: run.events, messages: run.messages, shards: [] };
}

async function sharded(
  program: Program,
  { hosts, setup, actors, basis }: Prepared,
  shards: readonly (readonly number[])[],
  devicesOf: readonly (readonly number[])[],
  { maxEvents, onProgress, intervalsEveryMs, signal, jitter, pool }: ParallelOptions,
  feed: IntervalFeed | undefined,
): Promise<ShardedResult> {
  const local = new Map<number, HostActor>();
  const remote = new Set<number>();
  const own = new Set(shards[0]);
  for (const [i, process] of setup.processes.entries()) {
    const actor = actors.hostOf(i);
    if (own.has(actor)) local.set(actor, hosts.make(i, actors));
    else for (const thread of process.threads) remote.add(thread);
  }
  const data: RemoteSetup = { setup, program: remote.size === 0 ? undefined : packProgram(program, remote) };
  const recorded = (): HostResult[] => [...local.values()].map((host) => host.result());
  const model: ShardedModel = {
    module: moduleUrl('@griddep/simulator/actors'),
    data,
    names: actors.names,
    shapes: MESSAGE_SHAPES,
    lookahead: (from, to) => leastDelay(actors, from, to),
    patient: actors.places,
    local: new Map([...local].map(([id, host]) => [id, telling(host as Actor, basis)])),
  };
  try {
    return await runSharded(model, {
      shards,
      ...(maxEvents === undefined ? {} : { maxEvents }),
      ...(signal === undefined ? {} : { signal }),
      ...(jitter === undefined ? {} : { jitter }),
      ...(pool === undefined ? {} : { pool }),
      ...(feed === undefined ? {} : { onInterim: (results) => feed.add(results) }),
      ...(intervalsEveryMs === undefined ? {} : { interimEveryMs: intervalsEveryMs }),
      ...(onProgress === undefined
        ? {}
        : {
            onProgress: (time, events, progress) =>
              onProgress(
                time,
                events,
                progress.map((each, i) => ({ ...each, devices: devicesOf[i] as number[] })),
              ),
          }),
    });
  } catch (error) {
    if (error instanceof TimeOverflow) throw timeLimit(error, recorded());
    if (error instanceof ShardLost) {
      const operation =
        joinHosts(recorded()).records.find(({ op }) => op === error.subject) ??
        lostOperation(error.subject, program, setup.machine, setup.processes);
      throw lostDevice(error, operation);
    }
    throw error;
  }
}

/** A thread ended before its time; the message names device and operation. */
export class SimulationLost extends Error {
  override readonly name = 'SimulationLost';
}

/** Names the operation that a lost thread was at: what has no id yet by what it is called in its host thread. */
function lostDevice(error: ShardLost, record: HostRecord | undefined): Error {
  const known = record === undefined || record.id !== '' ? record?.id : (record.label ?? record.name);
  const whose = record?.id === '' ? ` of host thread "${record.thread}"` : '';
  const at = known === undefined ? '' : `, operation "${known}"${whose}`;
  return new SimulationLost(`${error.message}${at}`, { cause: error });
}

/** What the actors of some ids recorded; notes the constants that other threads used. */
function recordedBy<R>(ids: readonly number[], { basis }: Prepared, { results }: ShardedResult): R[] {
  return ids.map((id) => {
    const result = results[id] as RemoteResult<R>;
    basis.add(result.basis);
    return result.recorded;
  });
}
