import { shortName } from '../names.ts';
import { streamKey } from '../overlaps.ts';
import type { Trace, TraceCall, TraceOperation } from '../trace.ts';
import type { CallRole } from './call-kinds.ts';
import type { HostWriter } from './host-writer.ts';
import type { EarlyLaunch } from './kernels.ts';
import type { Place, SharedParts } from './shared-parts.ts';

/** Writes the calls that make the operations of one trace happen. */
export class OperationWriter {
  /** End of the last operation issued to each stream so far, in the program's time. */
  readonly issuedUntil = new Map<string, number>();
  readonly #trace: Trace;
  readonly #number: number;
  readonly #offset: number;
  readonly #shared: SharedParts;
  readonly #early: ReadonlyMap<TraceOperation, EarlyLaunch>;

  constructor(
    trace: Trace,
    number: number,
    offset: number,
    shared: SharedParts,
    early: ReadonlyMap<TraceOperation, EarlyLaunch>,
  ) {
    this.#trace = trace;
    this.#number = number;
    this.#offset = offset;
    this.#shared = shared;
    this.#early = early;
  }

  issueFrom(writer: HostWriter, call: TraceCall, operation: TraceOperation, role: CallRole): void {
    const { times } = this.#shared;
    const cost = this.#cost(operation);
    const isStaged = operation.kind === 'copy' && operation.hostMemory === 'pageable' && this.#isAcrossHost(operation);
    const isAsync = role !== 'syncCopy';
    const isSmallUpload = operation.copy === 'hostToDevice' && operation.bytes <= times.pageableAsync;
    const blocks =
      operation.kind === 'copy' && this.#isAcrossHost(operation) && (isStaged ? !(isAsync && isSmallUpload) : !isAsync);
    if (!blocks || writer.isUnprofiled) {
      writer.arrive(call, cost, this.#offset);
      this.issue(writer, operation, { isAsync: !blocks || isAsync });
      return;
    }
    writer.until(operation.start + this.#offset - cost - times.commandArrival);
    this.issue(writer, operation, { isAsync });
    const end = call.end + this.#offset;
    writer.setTime(operation.end + this.#offset + times.afterWait);
    writer.until(end);
  }

  /** Writes the call that makes an operation happen. */
  issue(writer: HostWriter, operation: TraceOperation, { isAsync }: { readonly isAsync: boolean }): void {
    const { findings, labels } = this.#shared;
    const { calls } = writer;
    const stream = this.stream(operation);
    this.onDevice(writer, this.device(operation));
    const label = labels.unique(shortName(operation.name), '#');
    const bytes = Math.max(1, operation.bytes);
    switch (operation.kind) {
      case 'kernel': {
        const early = this.#early.get(operation);
        const kernel = this.kernel(operation, operation.end - operation.start, early);
        const isEarly = early?.previousEnd !== undefined;
        calls.launchKernel(kernel, stream, isEarly ? { programmaticStreamSerialization: true } : {}, { label });
        break;
      }
      case 'graph':
        findings.add('assumed', 'graph launches without their nodes: each is one kernel of one block', operation.name);
        calls.launchKernel(this.kernel(operation, operation.end - operation.start, undefined), stream, {}, { label });
        break;
      case 'memset':
        calls.memsetAsync(bytes, stream, { label });
        break;
      case 'copy': {
        if (
          operation.copy === 'peer' &&
          operation.sourceDevice !== undefined &&
          operation.destinationDevice !== undefined
        ) {
          const { devices } = this.#shared;
          const [from, to] = [operation.sourceDevice, operation.destinationDevice];
          calls.memcpyPeerAsync(devices.index(this.#number, to), devices.index(this.#number, from), bytes, stream, {
            label,
          });
          break;
        }
        const copy = this.copyKind(operation);
        const hostMemory = operation.hostMemory ?? 'pinned';
        if (isAsync) calls.memcpyAsync(copy, bytes, stream, { label, hostMemory });
        else calls.memcpy(copy, bytes, { label, hostMemory, stream });
        break;
      }
    }
    writer.spend(this.#cost(operation));
    this.issued(operation);
  }

  kernel(operation: TraceOperation, duration: number, early: EarlyLaunch | undefined): string {
    const collective = this.#shared.collectives.get(operation);
    return this.#shared.kernels.declare({ operation, duration, device: this.device(operation), early, collective });
  }

  copyKind(operation: TraceOperation): 'hostToDevice' | 'deviceToHost' | 'deviceToDevice' | 'hostToHost' {
    const { copy } = operation;
    if (copy !== undefined && copy !== 'peer') return copy;
    const what = copy === 'peer' ? 'copies between devices that are not told' : 'copies whose direction is not told';
    this.#shared.findings.add('assumed', `${what}: taken as copies within the device`, operation.name);
    return 'deviceToDevice';
  }

  #isAcrossHost({ copy }: TraceOperation): boolean {
    return copy === 'hostToDevice' || copy === 'deviceToHost';
  }

  #cost(operation: TraceOperation): number {
    const { times } = this.#shared;
    if (operation.kind === 'memset') return times.memset;
    if (operation.kind === 'copy') {
      if (operation.copy === 'hostToDevice') return times.memcpyUp;
      if (operation.copy === 'deviceToHost') return times.memcpyDown;
      return operation.copy === 'peer' ? times.memcpyPeer : times.memcpyWithin;
    }
    return this.#early.get(operation)?.previousEnd === undefined ? times.launchKernel : times.launchProgrammatic;
  }

  onDevice(writer: HostWriter, device: number): void {
    if (writer.device === device) return;
    writer.calls.setDevice(device);
    writer.spend(this.#shared.times.setDevice);
    writer.device = device;
  }

  issued(operation: TraceOperation): void {
    const key = streamKey(operation);
    const end = operation.end + this.#offset;
    this.issuedUntil.set(key, Math.max(end, this.issuedUntil.get(key) ?? end));
  }

  device(operation: Pick<TraceOperation, 'device'>): number {
    return this.#shared.devices.index(this.#number, operation.device);
  }

  stream(place: Place): string {
    return this.#shared.streams.of(this.#trace, this.#number, place);
  }
}
