import type { Call, Kernel } from '@griddep/program';
import type { KernelWork } from './commands.ts';
import { type CudaError, cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import type { PeerAccess } from './peer-access.ts';
import type { ProcessState } from './process-state.ts';
import { touchedDevices } from './touched-devices.ts';

type Arguments = NonNullable<KernelWork['args']>;

/** A kernel that touches what it may not: its stream and operation, or those of its graph's launch. */
interface Fault {
  readonly stream: number;
  readonly op: number;
  readonly error: CudaError;
}

/**
 * Kernels that touch memory of another device without access to it: error 700 (rule 6.10). The launch succeeds; the
 * error comes from the first call that can know of it, one that waits for the kernel or any after its end, and from
 * every further one, for the process has lost its context. The kernel and what had been enqueued behind it take their
 * time all the same.
 */
export class Faults {
  private readonly state: ProcessState;
  private readonly peers: PeerAccess;
  private fault: Fault | undefined;
  /** Kernels in the order in which commands number them. */
  private readonly kernels: Kernel[];
  /** By kernel, what a launch touches with these arguments, or `NO_ARGUMENTS`: calls that repeat have the same. */
  private readonly touched = new Map<number, WeakMap<Arguments, ReadonlySet<number>>>();

  constructor(state: ProcessState, peers: PeerAccess) {
    this.state = state;
    this.peers = peers;
    this.kernels = [...state.program.kernels.values()];
  }

  /** A kernel that can be launched from now on. */
  declare(kernel: Kernel): void {
    this.kernels.push(kernel);
  }

  /** A kernel fails for a reason that only its caller knows. */
  add(stream: number, op: number, error: CudaError): void {
    this.fault ??= { stream, op, error };
  }

  /** The error that every call returns, once the host can see that a kernel has failed. */
  get visible(): CudaError | undefined {
    const { fault, state } = this;
    return fault !== undefined && state.isComplete(fault.stream, fault.op) ? fault.error : undefined;
  }

  /** The error that a call returns because the host can see that a kernel has failed. */
  seen(call: Call): CudaError | undefined {
    return this.fault === undefined || isOfHost(call) ? undefined : this.visible;
  }

  /** Looks for kernels that will fail in what a call enqueues; a call that waits for one returns its error. */
  noted(issued: Issued): Issued {
    for (const { device, command } of issued.commands) {
      const { op, stream } = command;
      if (command.type === 'kernel') this.look(command, device, stream, op);
      if (command.type !== 'graph') continue;
      for (const { work, device: of } of command.graph.nodes) {
        if (work.type === 'kernel') this.look(work, of, stream, op);
      }
    }
    const { block, error } = issued;
    const { fault } = this;
    if (fault === undefined || error !== undefined || block?.on !== 'streams') return issued;
    const waits = block.until.some(([stream, op]) => stream === fault.stream && op >= fault.op);
    return waits ? { ...issued, error: fault.error } : issued;
  }

  private look({ kernel, args }: KernelWork, device: number, stream: number, op: number): void {
    if (this.fault !== undefined || this.state.devices.length === 1) return;
    for (const other of this.devicesTouched(kernel, args)) {
      if (this.peers.mayTouch(device, other)) continue;
      const name = this.kernels[kernel]?.name;
      const message = `kernel "${name}" on device ${device} touches memory of device ${other}, to which no access is enabled (rule 6.10)`;
      this.fault = { stream, op, error: cudaError('cudaErrorIllegalAddress', message) };
      return;
    }
  }

  private devicesTouched(kernel: number, args: Arguments = NO_ARGUMENTS): ReadonlySet<number> {
    const of = this.kernels[kernel];
    if (of === undefined) return NONE;
    const byArguments = this.touched.get(kernel) ?? new WeakMap<Arguments, ReadonlySet<number>>();
    const known = byArguments.get(args);
    if (known !== undefined) return known;
    const devices = touchedDevices(this.state.program, of, args);
    this.touched.set(kernel, byArguments.set(args, devices));
    return devices;
  }
}

const NONE: ReadonlySet<number> = new Set();
const NO_ARGUMENTS: Arguments = {};

/** What a host thread does without CUDA. */
function isOfHost({ kind }: Call): boolean {
  return kind.startsWith('host') || kind === 'rangePush' || kind === 'rangePop';
}
