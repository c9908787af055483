import {
  cudaEventBlockingSync,
  cudaEventDefault,
  cudaEventDisableTiming,
  cudaEventInterprocess,
  cudaEventRecordDefault,
  cudaEventRecordExternal,
} from './constants.ts';
import type { CudaEvent, Out, StreamRef } from './handles.ts';
import { StreamCalls } from './stream-calls.ts';

const FLAGS = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
const PS_PER_MS = 1e9;

/** Events: marks in a stream's order. */
export class EventCalls extends StreamCalls {
  /** An event of the current device, with timing. */
  cudaEventCreate(event: CudaEvent): number {
    return this.cudaEventCreateWithFlags(event, cudaEventDefault);
  }

  /** `flags`: a sum of cudaEventBlockingSync, cudaEventDisableTiming, cudaEventInterprocess (rule 5.8). */
  cudaEventCreateWithFlags(event: CudaEvent, flags: number): number {
    const resolver = this.resolve('cudaEventCreate');
    resolver.handle(event, 'event');
    resolver.require(Number.isInteger(flags) && (flags & ~FLAGS) === 0, `${flags} are no flags of events`);
    const timing = (flags & cudaEventDisableTiming) === 0;
    const interprocess = (flags & cudaEventInterprocess) !== 0;
    resolver.require(!(interprocess && timing), 'an interprocess event has timing disabled (rule 5.8)');
    return this.local(resolver, () => {
      this.process.createEvent(event, { device: this.currentDevice, timing, interprocess });
    });
  }

  /** The handle is none afterwards; what waits for the event goes on waiting. */
  cudaEventDestroy(event: CudaEvent): number {
    const resolver = this.resolve('cudaEventDestroy');
    resolver.event(event);
    return this.local(resolver, () => {
      this.process.destroyEvent(event);
    });
  }

  /** The event stands for the stream's work so far (rule 5.4). */
  cudaEventRecord(event: CudaEvent, stream: StreamRef = 0): number {
    return this.cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
  }

  /** `flags`: cudaEventRecordDefault, or cudaEventRecordExternal: a node of its own, in captures only (rule 5.23). */
  cudaEventRecordWithFlags(event: CudaEvent, stream: StreamRef, flags: number): number {
    const resolver = this.resolve('cudaEventRecord');
    const call = { kind: 'eventRecord', event: resolver.event(event), stream: resolver.stream(stream) } as const;
    const known = flags === cudaEventRecordDefault || flags === cudaEventRecordExternal;
    resolver.require(known, `${flags} is no flag of records`);
    return this.enqueue(resolver, flags === cudaEventRecordExternal ? { ...call, external: true } : call);
  }

  /** Returns when what the newest record stands for is complete. */
  cudaEventSynchronize(event: CudaEvent): Promise<number> {
    const resolver = this.resolve('cudaEventSynchronize');
    return this.observe(resolver, { kind: 'eventSynchronize', event: resolver.event(event) });
  }

  /** cudaSuccess, or cudaErrorNotReady while what the newest record stands for is not complete. */
  cudaEventQuery(event: CudaEvent): Promise<number> {
    const resolver = this.resolve('cudaEventQuery');
    return this.observe(resolver, { kind: 'eventQuery', event: resolver.event(event) });
  }

  /** `milliseconds` gets the time between the records of two events, if both are complete (rule 5.7). */
  async cudaEventElapsedTime(milliseconds: Out<number>, start: CudaEvent, end: CudaEvent): Promise<number> {
    const resolver = this.resolve('cudaEventElapsedTime');
    const call = { start: resolver.event(start), end: resolver.event(end) };
    const { error, elapsed } = await this.observed(resolver, { kind: 'eventElapsedTime', ...call });
    if (error === undefined && elapsed !== undefined) milliseconds.value = elapsed / PS_PER_MS;
    return error?.code ?? 0;
  }
}
