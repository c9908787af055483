import type { CallOf } from '@griddep/program';
import { type CudaError, cudaError } from './errors.ts';
import type { Issued } from './issued.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** Which devices may touch the memory of which others: per direction, for the whole process (rule 6.10). */
export class PeerAccess {
  private readonly state: ProcessState;
  private readonly enabled = new Set<string>();

  constructor(state: ProcessState) {
    this.state = state;
  }

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
    const isEnabled = this.enabled.has(`${device} ${peer}`);
    const from = `access from device ${device} to device ${peer}`;
    if (kind === 'deviceEnablePeerAccess' && isEnabled) {
      return cudaError('cudaErrorPeerAccessAlreadyEnabled', `${from} is enabled already (rule 6.10)`);
    }
    if (kind === 'deviceDisablePeerAccess' && !isEnabled) {
      return cudaError('cudaErrorPeerAccessNotEnabled', `${from} is not enabled (rule 6.10)`);
    }
    return undefined;
  }
}
