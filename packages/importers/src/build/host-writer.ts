import type { HostThreadBuilder } from '@griddep/program';
import { nameFrom } from '../names.ts';
import type { RangeColumns, TraceCall } from '../trace.ts';

/** The longest that one `hostCompute` may last, ps. */
const LONGEST = 3.6e15;

/**
 * Writes the calls of one host thread with the time between them. It keeps the time that the thread will have reached
 * when simulated, so that a call that costs more on the machine than it took in the trace shortens what follows.
 */
export class HostWriter {
  readonly calls: HostThreadBuilder;
  device: number;
  #time: number;
  /** Of a trace without its profiler: what the host does before each call, ps. */
  readonly #pauses: ReadonlyMap<TraceCall, number> | undefined;
  /** Without the profiler: what the thread has computed since its last call of the program, ps. */
  #pending = 0;
  readonly #ranges: RangeColumns;
  /** Indices of the thread's ranges, in order of start. */
  readonly #own: readonly number[];
  #next = 0;
  readonly #open: number[] = [];

  /**
   * @param time at which the thread begins, ps
   * @param pauses what the thread does before each of its calls, ps, where the profiler is to be taken out; undefined
   * for the thread as the profiler saw it
   */
  constructor(
    calls: HostThreadBuilder,
    device: number,
    time: number,
    ranges: RangeColumns,
    own: readonly number[],
    pauses?: ReadonlyMap<TraceCall, number>,
  ) {
    this.#pauses = pauses;
    this.calls = calls;
    this.device = device;
    this.#time = time;
    this.#ranges = ranges;
    this.#own = own;
  }

  /** The time that the thread has reached, ps. */
  get time(): number {
    return this.#time;
  }

  /** Computes until a time, unless it has passed. */
  until(time: number): void {
    for (let rest = Math.round(time - this.#time); rest > 0; rest -= LONGEST) {
      this.calls.hostCompute(Math.min(rest, LONGEST));
    }
    this.#time = Math.max(this.#time, time);
  }

  /**
   * Comes to a call of the trace, which costs `cost` on the machine. With the profiler, what the call took beyond that
   * is time of the host; without, only the time between calls is.
   *
   * @param offset of the trace, ps
   */
  arrive(call: TraceCall, cost: number, offset: number): void {
    if (this.#pauses === undefined) {
      this.until(call.end + offset - cost);
      return;
    }
    this.skip(call, 0);
    for (let rest = Math.round(this.#pending); rest > 0; rest -= LONGEST) {
      this.calls.hostCompute(Math.min(rest, LONGEST));
    }
    this.#time += this.#pending;
    this.#pending = 0;
  }

  /** Without the profiler: passes a call that is not in the program, and that takes `cost` of the host's time, ps. */
  skip(call: TraceCall, cost: number): void {
    if (this.#pauses !== undefined) this.#pending += (this.#pauses.get(call) ?? 0) + cost;
  }

  get isUnprofiled(): boolean {
    return this.#pauses !== undefined;
  }

  /** A call has taken its time. */
  spend(cost: number): void {
    this.#time += cost;
  }

  /** A call has waited for the device: the thread is where it was in the trace. */
  setTime(time: number): void {
    this.#time = time;
  }

  /** Opens and closes the groups that the thread is in at a time of the trace. */
  enterRanges(time: number): void {
    const { start, end, name, names } = this.#ranges;
    this.#close(time);
    for (; this.#next < this.#own.length; this.#next++) {
      const range = this.#own[this.#next] as number;
      if ((start[range] as number) > time) break;
      if ((end[range] as number) <= time) continue;
      // Groups nest; a range that outlasts the one around it is closed with that.
      this.#open.push(range);
      this.calls.rangePush(nameFrom(names[name[range] as number] as string));
    }
  }

  /** Closes all groups. */
  finish(): void {
    this.#close(Number.POSITIVE_INFINITY);
  }

  #close(time: number): void {
    const { end } = this.#ranges;
    const first = this.#open.findIndex((range) => (end[range] as number) <= time);
    if (first < 0) return;
    for (let count = this.#open.length - first; count > 0; count--) {
      this.#open.pop();
      this.calls.rangePop();
    }
  }
}
