import { type Machine, resolveTiming } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { TableSource } from '../host/call-source.ts';
import type { HostRecord } from '../host/host-record.ts';
import { numbersOf, ProcessHosts } from '../host/process-hosts.ts';
import { Recorder } from '../host/recorder.ts';
import type { Process } from '../processes.ts';

/**
 * The operation of a number, where the host that recorded it is lost: the calls of its process are made once more, without
 * any time passing. Numbers follow the calls in order, so this finds those of processes with one thread; undefined for
 * those of others.
 */
export function lostOperation(
  op: number,
  program: Program,
  machine: Machine,
  processes: readonly Process[],
): HostRecord | undefined {
  const index = processes.findIndex((_, i) => {
    const { next, end } = numbersOf(i, processes.length);
    return op >= next && op < end;
  });
  const threads = processes[index]?.threads ?? [];
  const [thread, ...others] = threads;
  if (thread === undefined || others.length > 0) return undefined;
  const { runtime } = new ProcessHosts(program, machine, processes, resolveTiming(machine.host.timing, 'host'));
  const { name, calls } = program.threads[thread] as Program['threads'][number];
  const recorder = new Recorder(program.kernels);
  const numbers = numbersOf(index, processes.length);
  const source = new TableSource(calls);
  for (let next = source.next(); next !== undefined && numbers.next <= op; next = source.next()) {
    const { call, label } = next;
    const stream = 'stream' in call ? runtime.stream(thread, call.stream)?.name : undefined;
    recorder.record(next, runtime.issue(thread, call, label, numbers), { thread: name, stream }, 0, 0);
  }
  return recorder.records.find((record) => record.op === op);
}
