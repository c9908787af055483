import type { CallOf } from '@griddep/program';
import { type CudaError, cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import type { PeerRules } from './launch-rules.ts';
import type { Invocation, ProcessState } from './process-state.ts';

const NO_PEERS: PeerRules = { canAccess: () => false, most: 0 };

/** Which devices may touch the memory of which others: per direction, for the whole process (rule 6.10). */
export class PeerAccess {
  private readonly state: ProcessState;
  private readonly enabled = new Set<string>();

  constructor(state: ProcessState) {
    this.state = state;
  }

  /**
   * Whether copies between two devices need no staging: one has access to the memory of the other (rule 6.9), or they
   * are of different nodes, where network adapters read and write the devices' memory.
   */
  direct(a: number, b: number): boolean {
    return this.enabled.has(`${a} ${b}`) || this.enabled.has(`${b} ${a}`) || this.nodeOf(a) !== this.nodeOf(b);
  }

  /** Whether kernels of a device may touch the memory of another, which is per direction; its own they always may. */
  mayTouch(device: number, memoryOf: number): boolean {
    return device === memoryOf || this.enabled.has(`${device} ${memoryOf}`);
  }

  /** Devices that have access to the memory of one. */
  accessing(device: number): readonly number[] {
    return this.state.devices.flatMap((_, other) => (this.enabled.has(`${other} ${device}`) ? [other] : []));
  }

  /** cudaDeviceEnablePeerAccess, cudaDeviceDisablePeerAccess. */
  change(invocation: Invocation<CallOf<'deviceEnablePeerAccess' | 'deviceDisablePeerAccess'>>): Issued {
    const { state } = this;
    const { thread, call } = invocation;
    const { device } = state.thread(thread);
    const error = this.problem(device, call);
    if (error !== undefined) return state.fail(invocation, error);
    const pair = `${device} ${call.peer}`;
    if (call.kind === 'deviceEnablePeerAccess') this.enabled.add(pair);
    else this.enabled.delete(pair);
    return state.done(invocation);
  }

  private problem(
    device: number,
    { kind, peer }: CallOf<'deviceEnablePeerAccess' | 'deviceDisablePeerAccess'>,
  ): CudaError | undefined {
    const count = this.state.devices.length;
    if (peer >= count)
      return cudaError('cudaErrorInvalidDevice', `device ${peer} is not one of the ${count}, numbered from 0`);
    if (peer === device) return cudaError('cudaErrorInvalidDevice', `device ${peer} is the current one, no peer`);
    if (this.nodeOf(device) !== this.nodeOf(peer)) {
      const message = `devices ${device} and ${peer} are of different nodes (rule 6.10)`;
      return cudaError('cudaErrorPeerAccessUnsupported', message);
    }
    const { canAccess, most } = this.state.devices[device]?.peers ?? NO_PEERS;
    if (!canAccess(peer)) {
      const message = `device ${device} cannot reach the memory of device ${peer}: neither NVLink nor the PCIe root allows it (rule 6.10)`;
      return cudaError('cudaErrorPeerAccessUnsupported', message);
    }
    const isEnabled = this.enabled.has(`${device} ${peer}`);
    const from = `access from device ${device} to device ${peer}`;
    if (kind === 'deviceEnablePeerAccess' && isEnabled) {
      return cudaError('cudaErrorPeerAccessAlreadyEnabled', `${from} is enabled already (rule 6.10)`);
    }
    if (kind === 'deviceEnablePeerAccess' && this.peersOf(device) >= most) {
      return cudaError('cudaErrorTooManyPeers', `device ${device} has ${most} peers, which is the most (rule 6.10)`);
    }
    if (kind === 'deviceDisablePeerAccess' && !isEnabled) {
      return cudaError('cudaErrorPeerAccessNotEnabled', `${from} is not enabled (rule 6.10)`);
    }
    return undefined;
  }

  private peersOf(device: number): number {
    return this.state.devices.filter((_, other) => this.enabled.has(`${device} ${other}`)).length;
  }

  private nodeOf(device: number): number | undefined {
    return this.state.devices[device]?.node;
  }
}
