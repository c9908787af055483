import { optionKeys } from './call-arguments.ts';
import { CallTable } from './call-table.ts';
import type { Call, CopyKind } from './calls.ts';
import { ProgramError } from './errors.ts';
import type {
  AttributesInput,
  CallInput,
  CallInputs,
  CallName,
  CollectiveInput,
  CopyOptions,
  RangeInput,
} from './inputs.ts';
import { makeCall, makeCallOf } from './make-call.ts';
import { checkedName, type Ref } from './names.ts';
import { onlyKeys } from './option-keys.ts';
import type { HostThread } from './program.ts';
import type { BytesInput, DurationInput } from './quantity.ts';
import type { Scope } from './scope.ts';

/** `label` is the call's stable unique id; `at` its place in a file. */
export interface CallOptions {
  readonly label?: string | undefined;
  readonly at?: { readonly line: number; readonly column: number } | undefined;
}
type Copied = Exclude<CopyKind, 'peer'>;

/** Records the calls of one host thread; methods bear CUDA's names. All throw ProgramError on a bad argument. */
export class HostThreadBuilder {
  readonly name: string;
  private readonly scope: Scope;
  private readonly labels: Set<string>;
  private readonly startDevice: number;
  private readonly callGap: number;
  private readonly table: CallTable;
  private readonly open: string[] = [];
  private path = '';
  private device: number;

  constructor(name: string, scope: Scope, labels: Set<string>, device: number, callGap: number, file: string) {
    this.name = name;
    this.scope = scope;
    this.labels = labels;
    this.startDevice = device;
    this.device = device;
    this.callGap = callGap;
    this.table = new CallTable(file, scope.codec);
  }

  /** Number of calls so far. */
  get length(): number {
    return this.table.length;
  }

  /** Appends a call by its name. Returns its index. */
  add<K extends CallName>(name: K, input: CallInputs[K], options?: CallOptions): number {
    const call = makeCall(name, input, this.scope, this.device);
    onlyKeys(options, optionKeys(name), `options of ${name}`);
    return this.push(call, options);
  }

  /** Appends a call in its one-key form. Returns its index. */
  call(input: CallInput, options?: CallOptions): number {
    onlyKeys(options, ['label', 'at'], 'options of call');
    return this.push(makeCallOf(input, this.scope, this.device), options);
  }

  /** Appends a call of the model as it is, its names already checked. Returns its index. */
  push(call: Call, options: CallOptions = {}): number {
    const { label, at } = options;
    if (label !== undefined) {
      checkedName(label, 'label', ['label']);
      if (this.labels.has(label)) {
        throw new ProgramError(`label ${JSON.stringify(label)} is used twice; labels identify one call`, {
          offending: label,
          path: ['label'],
        });
      }
      this.labels.add(label);
    }
    if (call.kind === 'rangePop') this.closeRange();
    const index = this.table.push(call, at, label, this.path);
    if (call.kind === 'rangePush') this.openRange(call.name);
    if (call.kind === 'setDevice') this.device = call.device;
    return index;
  }

  launchKernel(
    kernel: Ref,
    stream: Ref,
    attributes?: AttributesInput,
    options?: CallOptions & { args?: Record<string, Ref> },
  ): number {
    return this.add('launchKernel', { kernel, stream, attributes, args: options?.args }, options);
  }
  memcpyAsync(copy: Copied, bytes: BytesInput, stream: Ref, options: CallOptions & CopyOptions = {}): number {
    return this.add('memcpyAsync', { ...options, copy, bytes, stream }, options);
  }
  memcpy(copy: Copied, bytes: BytesInput, options: CallOptions & CopyOptions & { stream?: Ref } = {}): number {
    return this.add('memcpy', { ...options, copy, bytes }, options);
  }
  memcpyPeerAsync(
    destinationDevice: number,
    sourceDevice: number,
    bytes: BytesInput,
    stream: Ref,
    options: CallOptions & CopyOptions = {},
  ): number {
    return this.add('memcpyPeerAsync', { ...options, destinationDevice, sourceDevice, bytes, stream }, options);
  }
  memcpyPeer(
    destinationDevice: number,
    sourceDevice: number,
    bytes: BytesInput,
    options: CallOptions & CopyOptions & { stream?: Ref } = {},
  ): number {
    return this.add('memcpyPeer', { ...options, destinationDevice, sourceDevice, bytes }, options);
  }
  memsetAsync(bytes: BytesInput, stream: Ref, options: CallOptions & { destination?: RangeInput } = {}): number {
    return this.add('memsetAsync', { bytes, stream, destination: options.destination }, options);
  }
  memset(bytes: BytesInput, options: CallOptions & { destination?: RangeInput; stream?: Ref } = {}): number {
    return this.add('memset', { bytes, destination: options.destination, stream: options.stream }, options);
  }
  eventRecord(event: Ref, stream: Ref, options?: CallOptions & { external?: boolean }): number {
    return this.add('eventRecord', { event, stream, external: options?.external }, options);
  }
  streamWaitEvent(stream: Ref, event: Ref, options?: CallOptions & { external?: boolean }): number {
    return this.add('streamWaitEvent', { stream, event, external: options?.external }, options);
  }
  streamSynchronize(stream: Ref, options?: CallOptions): number {
    return this.add('streamSynchronize', { stream }, options);
  }
  streamQuery(stream: Ref, options?: CallOptions): number {
    return this.add('streamQuery', { stream }, options);
  }
  eventSynchronize(event: Ref, options?: CallOptions): number {
    return this.add('eventSynchronize', { event }, options);
  }
  eventQuery(event: Ref, options?: CallOptions): number {
    return this.add('eventQuery', { event }, options);
  }
  eventElapsedTime(start: Ref, end: Ref, options?: CallOptions): number {
    return this.add('eventElapsedTime', { start, end }, options);
  }
  deviceSynchronize(options?: CallOptions): number {
    return this.add('deviceSynchronize', {}, options);
  }
  launchHostFunc(stream: Ref, duration: DurationInput, options?: CallOptions): number {
    return this.add('launchHostFunc', { stream, duration }, options);
  }
  malloc(buffer: Ref, options?: CallOptions): number {
    return this.add('malloc', { buffer }, options);
  }
  free(buffer: Ref, options?: CallOptions): number {
    return this.add('free', { buffer }, options);
  }
  mallocAsync(buffer: Ref, stream: Ref, options?: CallOptions): number {
    return this.add('mallocAsync', { buffer, stream }, options);
  }
  freeAsync(buffer: Ref, stream: Ref, options?: CallOptions): number {
    return this.add('freeAsync', { buffer, stream }, options);
  }
  mallocHost(buffer: Ref, options?: CallOptions): number {
    return this.add('mallocHost', { buffer }, options);
  }
  freeHost(buffer: Ref, options?: CallOptions): number {
    return this.add('freeHost', { buffer }, options);
  }
  setDevice(device: number, options?: CallOptions): number {
    return this.add('setDevice', { device }, options);
  }
  deviceEnablePeerAccess(peer: number, options?: CallOptions): number {
    return this.add('deviceEnablePeerAccess', { peer }, options);
  }
  deviceDisablePeerAccess(peer: number, options?: CallOptions): number {
    return this.add('deviceDisablePeerAccess', { peer }, options);
  }
  streamBeginCapture(stream: Ref, mode?: 'global' | 'threadLocal' | 'relaxed', options?: CallOptions): number {
    return this.add('streamBeginCapture', { stream, mode }, options);
  }
  /** Ends the capture; the captured graph bears the name `graph` from then on. */
  streamEndCapture(stream: Ref, graph: Ref, options?: CallOptions): number {
    return this.add('streamEndCapture', { stream, graph }, options);
  }
  graphInstantiate(graph: Ref, executable: string, options?: CallOptions): number {
    return this.add('graphInstantiate', { graph, executable }, options);
  }
  graphUpload(executable: string, stream: Ref, options?: CallOptions): number {
    return this.add('graphUpload', { executable, stream }, options);
  }
  graphLaunch(executable: string, stream: Ref, options?: CallOptions): number {
    return this.add('graphLaunch', { executable, stream }, options);
  }
  graphExecUpdate(executable: string, graph: Ref, options?: CallOptions): number {
    return this.add('graphExecUpdate', { executable, graph }, options);
  }
  collective(
    operation: CollectiveInput['operation'],
    group: string,
    bytes: BytesInput,
    stream: Ref,
    options?: CallOptions,
  ): number {
    return this.add('collective', { operation, group, bytes, stream }, options);
  }
  hostCompute(duration: DurationInput, options?: CallOptions): number {
    return this.add('hostCompute', { duration }, options);
  }
  hostRead(range: RangeInput, options?: CallOptions): number {
    return this.add('hostRead', { range }, options);
  }
  hostWrite(range: RangeInput, options?: CallOptions): number {
    return this.add('hostWrite', { range }, options);
  }
  hostSignal(flag: string, value?: number, options?: CallOptions): number {
    return this.add('hostSignal', { flag, value }, options);
  }
  hostAwait(flag: string, value?: number, options?: CallOptions): number {
    return this.add('hostAwait', { flag, value }, options);
  }
  hostSetenv(name: string, value: string | number, options?: CallOptions): number {
    return this.add('hostSetenv', { name, value }, options);
  }
  rangePush(name: string, options?: CallOptions): number {
    return this.add('rangePush', { name }, options);
  }
  rangePop(options?: CallOptions): number {
    return this.add('rangePop', {}, options);
  }

  /** Puts the calls that `body` makes into an NVTX range. */
  range(name: string, body: () => void): void {
    this.rangePush(name);
    body();
    this.rangePop();
  }

  build(): HostThread {
    if (this.open.length > 0) {
      throw new ProgramError(`range ${JSON.stringify(this.open.at(-1))} of host thread "${this.name}" is never popped`);
    }
    return { name: this.name, device: this.startDevice, callGap: this.callGap, calls: this.table };
  }

  private openRange(name: string): void {
    this.open.push(name);
    this.path = this.open.join('/');
  }

  private closeRange(): void {
    if (this.open.pop() === undefined) throw new ProgramError('rangePop without a range that is open');
    this.path = this.open.join('/');
  }
}
