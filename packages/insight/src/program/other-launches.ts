import type { CudaRuntime } from '@griddep/cuda';
import type { Program } from '@griddep/program';
import type { FlagSignals } from './host-flags.ts';
import type { KernelCodes } from './kernel-code.ts';

/** A place among a thread's calls, and how many calls of each thread are known to have been made there. */
interface Known {
  readonly from: number;
  readonly heard: readonly number[];
}

/**
 * Early launches without a wait that another host thread may put directly before one in the same stream: what such a
 * launch is early on, and its wait covers, is then open (rules 1.15, 2.4).
 */
export class OtherLaunches {
  /** By host thread and stream, calls of such launches in order. */
  private readonly launches: readonly ReadonlyMap<number, readonly number[]>[];
  private readonly known: readonly (readonly Known[])[];

  constructor(program: Program, runtime: CudaRuntime, codes: KernelCodes, flags: FlagSignals) {
    const { threads } = program;
    const isShared = threads.length > 1;
    this.launches = threads.map((_, thread) => (isShared ? launchesOf(program, thread, runtime, codes) : new Map()));
    this.known = isShared && this.launches.some(({ size }) => size > 0) ? knowledgeOf(program, flags) : [];
  }

  /** Whether there is one for a launch. */
  mayComeBetween(thread: number, call: number, stream: number): boolean {
    return this.launches.some((byStream, other) => {
      const launches = other === thread ? undefined : byStream.get(stream);
      if (launches === undefined) return false;
      const heard = this.heard(thread, call)[other] ?? 0;
      // The first that is not known to be before; those behind it know no less.
      const first = launches[firstWhere(launches.length, (i) => (launches[i] as number) >= heard)];
      return first !== undefined && (this.heard(other, first)[thread] ?? 0) <= call;
    });
  }

  private heard(thread: number, call: number): readonly number[] {
    const known = this.known[thread] ?? [];
    return known[firstWhere(known.length, (i) => (known[i] as Known).from > call) - 1]?.heard ?? [];
  }
}

function launchesOf(
  program: Program,
  thread: number,
  runtime: CudaRuntime,
  codes: KernelCodes,
): ReadonlyMap<number, readonly number[]> {
  const { calls } = program.threads[thread] as Program['threads'][number];
  const found = new Map<number, number[]>();
  for (let i = 0; i < calls.length; i++) {
    const call = calls.at(i);
    if (call.kind !== 'launchKernel' || call.attributes.programmaticStreamSerialization !== true) continue;
    const kernel = program.kernels.get(call.kernel);
    if (kernel === undefined || codes.of(kernel, call.args).waits) continue;
    const { index } = runtime.stream(thread, call.stream);
    const known = found.get(index);
    if (known === undefined) found.set(index, [i]);
    else known.push(i);
  }
  return found;
}

/** What each thread hears of the others as it goes on, by the signals that it must have seen. */
function knowledgeOf({ threads }: Program, flags: FlagSignals): Known[][] {
  const known: Known[][] = threads.map(() => [{ from: 0, heard: [] }]);
  const next = threads.map(() => 0);
  for (let moved = true; moved; ) {
    moved = false;
    for (const [thread, { calls }] of threads.entries()) {
      for (; (next[thread] as number) < calls.length; next[thread] = (next[thread] as number) + 1) {
        const at = next[thread] as number;
        const call = calls.at(at);
        if (call.kind !== 'hostAwait') continue;
        const signal = flags.certain(call.flag, call.value);
        if (signal === undefined) continue;
        if ((next[signal.thread] as number) <= signal.call) break;
        const theirs = known[signal.thread]?.findLast(({ from }) => from <= signal.call)?.heard ?? [];
        const ours = known[thread]?.at(-1)?.heard ?? [];
        const heard = threads.map((_, i) => {
          return Math.max(ours[i] ?? 0, theirs[i] ?? 0, i === signal.thread ? signal.call + 1 : 0);
        });
        known[thread]?.push({ from: at + 1, heard });
        moved = true;
      }
    }
  }
  return known;
}

/** The first index for which something holds that holds for all behind it; `length` if for none. */
function firstWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
