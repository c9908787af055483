import { type DeviceLimits, type Machine, resolvedValue } from '@griddep/machine';

/** What of a machine decides how a trace becomes a program that gives the trace's times back on it, ps. */
export interface MachineTimes {
  readonly launchKernel: number;
  readonly launchProgrammatic: number;
  readonly graphLaunch: number;
  readonly graphLaunchPerNode: number;
  readonly graphInstantiate: number;
  readonly graphInstantiatePerNode: number;
  readonly memcpyUp: number;
  readonly memcpyDown: number;
  readonly memcpyWithin: number;
  readonly memcpyPeer: number;
  readonly memset: number;
  readonly eventRecord: number;
  readonly streamWaitEvent: number;
  readonly query: number;
  readonly setDevice: number;
  readonly commandArrival: number;
  /** End of an operation to the return of a call that waited for it. */
  readonly afterWait: number;
  /** A primary's trigger to its dependent's first block, in a stream and in a graph. */
  readonly earlyLaunch: number;
  readonly earlyLaunchGraph: number;
  /** A primary's last block to the return of its dependent's wait, in a stream and in a graph. */
  readonly release: number;
  readonly releaseGraph: number;
  /** A wait that need not wait. */
  readonly waitIssue: number;
  /** Last block of a graph's node to the first of the next. */
  readonly graphGap: number;
  readonly pageableAsync: number;
  readonly limits: readonly DeviceLimits[];
}

export function machineTimes(machine: Machine): MachineTimes {
  const host = machine.host.timing;
  const device = (machine.devices[0] as Machine['devices'][number]).timing;
  return {
    launchKernel: resolvedValue(host.launchKernel),
    launchProgrammatic: resolvedValue(host.launchKernelProgrammatic),
    graphLaunch: resolvedValue(host.graphLaunch),
    graphLaunchPerNode: resolvedValue(host.graphLaunchPerNode),
    graphInstantiate: resolvedValue(host.graphInstantiate),
    graphInstantiatePerNode: resolvedValue(host.graphInstantiatePerNode),
    memcpyUp: resolvedValue(host.memcpyUp),
    memcpyDown: resolvedValue(host.memcpyDown),
    memcpyWithin: resolvedValue(host.memcpyWithin),
    memcpyPeer: resolvedValue(host.memcpyPeerWrite),
    memset: resolvedValue(host.memset),
    eventRecord: resolvedValue(host.eventRecord),
    streamWaitEvent: resolvedValue(host.streamWaitEvent),
    query: resolvedValue(host.query),
    setDevice: resolvedValue(host.setDevice),
    commandArrival: resolvedValue(device.commandArrival),
    afterWait: resolvedValue(device.progressVisible) + resolvedValue(host.synchronizeReturn),
    earlyLaunch: resolvedValue(device.programmaticLaunch),
    earlyLaunchGraph: resolvedValue(device.programmaticLaunchGraph),
    release: resolvedValue(device.completionFlush) + resolvedValue(device.waitRelease),
    releaseGraph: resolvedValue(device.completionFlushGraph) + resolvedValue(device.waitRelease),
    waitIssue: resolvedValue(device.waitIssue),
    graphGap: resolvedValue(device.completionFlushGraph) + resolvedValue(device.kernelLaunchGraph),
    pageableAsync: host.pageableAsync.value,
    limits: machine.devices.map(({ limits }) => limits),
  };
}
