import type { Machine } from '@griddep/machine';
import { type HostCode, startCode } from '../interactive/host-code.ts';
import { runCode } from '../interactive/simulate-host-code.ts';
import type { SimulateOptions } from '../options.ts';
import { prepare } from '../prepare.ts';
import { dealDevices, shardCount } from './sharding.ts';
import { overThreads, type ParallelOptions, type ParallelRun } from './simulate-parallel.ts';

export interface HostCodeParallelOptions extends Omit<ParallelOptions, 'onProgress' | 'onIntervals'> {
  readonly onIntervals?: NonNullable<SimulateOptions['onIntervals']>;
  /** Name of the program; `host code` if absent. */
  readonly name?: string;
}

/**
 * `simulateHostCode` with the devices spread over worker threads; the code stays in the calling one. The timeline is the
 * same, bit for bit. Without `workers` there is one thread.
 *
 * @throws what `simulateHostCode` and `simulateParallel` do
 */
export async function simulateHostCodeParallel(
  code: HostCode,
  machine: Machine,
  options: HostCodeParallelOptions = {},
): Promise<ParallelRun> {
  const { workers = 1, name = 'host code' } = options;
  const started = startCode(code, machine, name);
  const { live, finish } = started;
  const program = live.begin();
  const devices = machine.devices.length;
  const count = shardCount(workers, program, devices, () => []);
  if (count > 1) {
    const deal = (processes: Parameters<typeof dealDevices>[0]) => dealDevices(processes, devices, count);
    const prepared = prepare(program, machine, options, deal, live);
    live.attach(prepared.hosts.runtime);
    const run = await overThreads(program, prepared, count, options);
    if (run !== undefined) {
      await finish();
      return run;
    }
  }
  const { timeline, run } = await runCode(started, machine, options);
  return { timeline, events: run.events, messages: run.messages, shards: [] };
}
