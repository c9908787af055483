import type { HostProfile } from '../machine.ts';
import { assumed, hostTiming, measured } from './constants.ts';
import { HOST_FITTED } from './h200-fitted.ts';

const API = 'duration of the call';

/** The host of the measured H200s, a virtual machine; CUDA 13.0 with its defaults. */
export const MEASURED_HOST: HostProfile = {
  cudaVersion: 13_000,
  maxConnections: 8,
  perThreadDefaultStream: false,
  // Assumed: no text names the depth, and no measured case filled a queue.
  queueDepth: 1024,
  implicitSynchronization: 'observed',
  timing: hostTiming({
    graphLaunch: measured(
      1900,
      `${API}, case families \`host-chain-graph-*\` and \`decode-*\`; branching graphs up to 7.7 us, case family \`parallel-chains-graph-*\``,
      1500,
      3000,
    ),
    graphLaunchPerNode: measured(7, '60 and 96 nodes of one branch against 5, as `graphLaunch`', 0, 150),
    graphInstantiate: assumed(50_000, 'not measured; order of magnitude of published figures', 10_000, 300_000),
    graphInstantiatePerNode: assumed(2000, 'not measured; order of magnitude of published figures', 500, 6000),
    graphUpload: assumed(10_000, 'not measured', 2000, 100_000),
    eventRecord: measured(220, `${API}, case family \`between-record-*\``, 200, 500),
    eventRecordTiming: measured(1100, `${API}, case families \`elapsed-*\` and \`between-recordtiming-*\``, 870, 1200),
    streamWaitEventOtherDevice: measured(2200, `${API}, case family \`host-events-across-*\``, 1850, 2500),
    memcpyPeerWrite: measured(3900, `${API}, case family \`host-peer-copies-*\``, 2700, 5400),
    memcpyPeerRead: measured(7500, `${API}, case family \`kernel-p2pread-kernel-*\``, 5800, 11_000),
    memcpyPeerStaged: measured(9600, `${API}, case families \`p2p*-peer0-*\` up to 1 MiB`, 8800, 11_000),
    memcpyPeerStagedChunk: measured(4900, `${API}, case families \`p2p*-peer0-*\` above 1 MiB`, 4500, 5600),
    peerStagingBytes: measured(
      2 ** 20,
      'the call takes the same up to 1 MiB and 4900 ns more for each further one, case families `p2p*-peer0-*`',
      2 ** 19,
      2 ** 21,
    ),
    peerStagingBuffers: measured(2, 'time of 4 MiB against 1 MiB and 16 MiB, case families `p2p*-peer0-*`', 2, 3),
    memset: measured(1100, `${API}, case family \`memset-*\``, 1000, 3800),
    query: measured(300, `${API}, case \`between-query\``, 270, 330),
    synchronizeReturn: measured(
      780,
      "kernel's end to return of a synchronise 2680 ns, case family `host-launch-sync-*`; only the sum is measured, the split is chosen",
      300,
      1300,
    ),
    elapsedTime: measured(150, `${API}, case family \`elapsed-*\``, 105, 215),
    launchHostFunc: measured(3950, `${API}, case \`between-hostfunc\``, 3000, 5000),
    malloc: measured(75_000, `${API}, case \`between-malloc-free\``, 60_000, 90_000),
    free: measured(84_000, `${API}, case \`between-malloc-free\``, 70_000, 100_000),
    mallocHost: assumed(100_000, 'not measured; grows with the size, see `mallocHostPerByte`', 20_000, 500_000),
    mallocHostPerByte: assumed(4e9, 'not measured; pinning pages', 1e9, 12e9),
    mallocAsync: assumed(900, 'taken from the stream-ordered free; only the first allocation was measured', 400, 2000),
    mallocAsyncFirst: measured(53_000, `${API}, case \`between-mallocasync-small\``, 45_000, 60_000),
    poolGrowth: measured(
      1.27e12,
      '898 us for the first 1 GiB less the first use, case `between-mallocasync-grow`',
      1e12,
      1.4e12,
    ),
    freeAsync: measured(925, `${API}, case family \`between-mallocasync-*\``, 800, 1000),
    setDevice: measured(
      20,
      'the time between two calls is the same with and without a change of the device in between, random programs over two and four devices',
      0,
      100,
    ),
    peerAccess: assumed(200_000, 'not measured; maps the memory of the other device', 20_000, 2_000_000),
    pageableUp: measured(17e9, 'case family `copy-h2dpage-*`; 8.4 GB/s with memory not lately touched', 8.4e9, 18e9),
    pageableDown: measured(17.5e9, 'case family `copy-d2hpage-*`', 8.4e9, 18.2e9),
    pageableAsync: measured(
      65_536,
      'the call returns before the copy ends, case `copy-h2dpage-65536`',
      65_536,
      131_072,
    ),
    severalDevices: measured(
      1200,
      'launch calls of 4.3-4.5 us with two and 4.6-5.5 us with four devices, case families `host-alternate-devices-*` and `host-blocks-of-devices-*`',
      700,
      2200,
    ),
    ...HOST_FITTED,
  }),
};
