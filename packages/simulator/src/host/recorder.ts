import { type CudaError, type Issued, type NodeWork, rendezvousOf } from '@griddep/cuda';
import { type Call, type Kernel, volume } from '@griddep/program';
import type { OperationKind } from '@griddep/timeline';
import type { IssuedCall } from './call-source.ts';
import { describeCall, type HostRecord } from './host-record.ts';

/** Who made a call, and where it went. */
export interface Caller {
  readonly thread: string;
  /** Name of the call's stream, if it has one. */
  readonly stream: string | undefined;
}

/** Writes down what the host's threads called. */
export class Recorder {
  readonly records: HostRecord[] = [];
  readonly errors: { readonly op: number; readonly error: CudaError }[] = [];
  private readonly kernels: ReadonlyMap<string, Kernel>;
  private readonly kernelsByIndex: Kernel[];

  constructor(kernels: ReadonlyMap<string, Kernel>) {
    this.kernels = kernels;
    this.kernelsByIndex = [...kernels.values()];
  }

  /** Kernels that are created while the host runs; their indices are the next. */
  declare(kernels: readonly Kernel[]): void {
    this.kernelsByIndex.push(...kernels);
  }

  /** A call from `begin` to `end`, ps; undefined if it leaves no trace in the timeline. */
  record(next: IssuedCall, issued: Issued, caller: Caller, begin: number, end: number): HostRecord | undefined {
    const { call } = next;
    if (issued.error !== undefined && !isAnswer(call, issued.error))
      this.errors.push({ op: issued.op, error: issued.error });
    if (issued.laterErrors !== undefined) this.errors.push(...issued.laterErrors);
    const described = issued.captured ? undefined : describeCall(call);
    if (described === undefined && issued.error === undefined) return undefined;
    const { kind, name } =
      issued.error === undefined && described !== undefined
        ? described
        : { kind: 'hostCall' as const, name: call.kind };
    const kernel = call.kind === 'launchKernel' ? this.kernels.get(call.kernel) : undefined;
    const onHost = kind === 'hostCall';
    const record: HostRecord = {
      op: issued.op,
      id: '',
      label: next.label,
      isPart: false,
      kind,
      name: onHost ? name : (kernel?.name ?? name),
      device: onHost ? -1 : (issued.commands[0]?.device ?? -1),
      stream: onHost ? caller.thread : (caller.stream ?? caller.thread),
      thread: caller.thread,
      path: next.path,
      origin: next.origin,
      callBegin: begin,
      callEnd: end,
      bytes: 'bytes' in call ? call.bytes : 0,
      blocks: kernel === undefined ? 0 : volume(kernel.grid),
      waitedFor: undefined,
    };
    this.records.push(record);
    if (issued.graph !== undefined && call.kind === 'graphLaunch') this.recordNodes(record, issued);
    if (issued.staged !== undefined) this.recordHalves(record, issued.staged);
    return record;
  }

  /** Nodes of a launched graph are operations of their own, named after the launch. */
  private recordNodes(launch: HostRecord, issued: Issued): void {
    issued.graph?.nodes.forEach((node, i) => {
      const { work } = node;
      const kernel = work.type === 'kernel' ? this.kernelsByIndex[work.kernel] : undefined;
      this.records.push({
        ...launch,
        op: issued.op + 1 + i,
        label: node.id,
        isPart: true,
        kind: KIND_OF_NODE[work.type],
        name: kernel?.name ?? nameOf(work),
        device: node.device,
        bytes: 'bytes' in work ? work.bytes : (rendezvousOf(work)?.bytes ?? 0),
        blocks: kernel === undefined ? 0 : volume(kernel.grid),
      });
    });
  }

  /** The download and the upload of a copy between devices that passes through the host's memory (rule 6.9). */
  private recordHalves(copy: HostRecord, { source, destination }: NonNullable<Issued['staged']>): void {
    const half = (n: number, name: 'deviceToHost' | 'hostToDevice', device: number): void => {
      this.records.push({ ...copy, op: copy.op + n, label: name, isPart: true, name, device });
    };
    half(1, 'deviceToHost', source);
    half(2, 'hostToDevice', destination);
  }
}

/** An empty node takes no time, as a record does. */
const KIND_OF_NODE: Readonly<Record<NodeWork['type'], OperationKind>> = {
  kernel: 'kernel',
  collective: 'collective',
  copy: 'copy',
  memset: 'memset',
  hostFunction: 'hostFunction',
  record: 'eventRecord',
  wait: 'eventWait',
  waitValue: 'eventWait',
  writeValue: 'eventRecord',
  empty: 'eventRecord',
};

function nameOf(work: NodeWork): string {
  if (work.type === 'record' || work.type === 'wait') return work.event;
  if (work.type === 'waitValue' || work.type === 'writeValue') return work.flag;
  if (work.type === 'collective') return work.rendezvous.collective;
  return work.type === 'copy' ? work.copy : work.type;
}

/** That work is going on is what a query asks for, and no error of the program. */
function isAnswer({ kind }: Call, { name }: CudaError): boolean {
  return name === 'cudaErrorNotReady' && (kind === 'streamQuery' || kind === 'eventQuery');
}
