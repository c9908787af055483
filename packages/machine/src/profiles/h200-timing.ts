import type { DeviceTiming } from '../timing.ts';
import { assumed, deviceTiming, measured } from './constants.ts';
import { H200_FITTED } from './h200-fitted.ts';

const SPLIT = 'only the sum is measured, the split is chosen';
const COPY_GAP = `gap of two kernels around an upload or download 10.8-16 us beyond the transfer, case family \`kernel-copy-kernel-*\`; ${SPLIT}`;
const MEMSET_GAP = `gap of two kernels around a memset 3200 ns beyond the transfer, case family \`memset-*\`; ${SPLIT}`;
const HOST_FUNCTION = `about 95 us between the kernels around a host function, case \`between-hostfunc\`; ${SPLIT}`;
const PHASES = 'phases of one load or store each, timed singly; exported programs `accesses-*`';
const STAMPS = 'fitted over all single-device case families';

/**
 * Timing of an H200 (132 SMs at 1980 MHz, PCIe 5, NVLink 4 through NVSwitch): what `griddep calibrate` fits, and what no
 * case isolates, set by hand for the reason given.
 */
export const H200_TIMING: DeviceTiming = deviceTiming({
  graphStart: measured(
    0,
    `graph launch call's begin to first block 4.2-4.4 us, case family \`host-chain-graph-*\`, which the call, the arrival and the first node's launch fill; ${SPLIT}`,
    0,
    650,
  ),
  channelLoad: measured(
    1444,
    'gaps in four chains side by side 1350 ns longer than in one, case family `parallel-chains-stream-*`',
    825,
    1875,
  ),
  launchSpacing: measured(
    200,
    '64 kernels of as many streams that one event lets go start within 8 to 12 us, exported program `stream-per-kernel`; case family `parallel-chains-stream-*` leaves it open from 100 to 400',
    100,
    260,
  ),
  programmaticHold: measured(
    1000,
    'streams wake 1 us further apart where programmatic launches follow, case families `parallel-pdl-chains-*` and `pdl-two-*`',
    0,
    1600,
  ),
  channelSlots: measured(
    2,
    'gaps in two chains side by side are as in one, in four 1350 ns longer, case family `parallel-chains-stream-*`',
    2,
    3,
  ),
  largeGrid: measured(528, 'fitted over case families of 132 to 2112 blocks', 264, 1056),
  waitRelease: measured(
    80,
    `primary's end to return of a waiting wait 480 ns, case family \`gap-pdl-waitfirst-*\`; ${SPLIT}`,
    30,
    130,
  ),
  blockExit: measured(
    60,
    'early launch after the last exit against after the last trigger, case families `gap-pdl-*-notrigger-*`',
    20,
    90,
  ),
  pollingWarps: measured(
    16,
    'more than 16 blocks that spin on one SM: the younger stand still, case family `resident-spin-*`',
    9,
    16,
  ),
  blockStartSpread: measured(128, 'first to last start of 132 blocks, case family `gap-plain-*`', 64, 160),
  blockEndJitter: measured(45, 'first to last end of 132 equal blocks, case family `gap-plain-*`', 20, 110),
  triggerIssue: assumed(20, 'not separable from the time stamps of the measuring kernel', 0, 100),
  waitIssue: assumed(20, 'not separable from the time stamps of the measuring kernel', 0, 150),
  barrier: assumed(20, 'not separable from the time stamps of the measuring kernel; about 40 cycles', 10, 50),
  gridBarrier: measured(1370, '132 blocks meet twice, exported program `barriers-cooperative`', 1200, 1500),
  fenceSystem: measured(
    1500,
    '1.6 to 2.3 us from stamp to stamp around a fence, exported program `unfit-host-flags`',
    1500,
    2100,
  ),
  flagSignal: measured(
    750,
    'a block raises a flag that one of another kernel polls, exported program `flags-two-streams`',
    600,
    900,
  ),
  flagNotice: measured(950, 'the same, and handshakes in `unfit-host-flags`', 850, 1100),
  constantMissSpread: measured(
    130,
    'first to last end of 132 blocks with and without the miss, case family `gap-pdl-waitfirst-triggerfirst-*`',
    60,
    300,
  ),
  stampFirstCold: measured(250, STAMPS, 80, 330),
  stampEnd: measured(70, STAMPS, 50, 120),
  stampAccess: measured(250, `a load of 256 bytes to 4 KiB in L2 580-610 ns, a store 350-400 ns, ${PHASES}`, 185, 320),
  stampAccessPerWarp: measured(8, `blocks of 128 to 1024 threads, ${PHASES}`, 6, 10),
  threadL2Bandwidth: measured(
    95e6,
    `167 to 171 ns a round of 16 bytes a thread, 1 to 128 rounds, ${PHASES}`,
    93e6,
    96e6,
  ),
  threadStoreBandwidth: measured(
    228e6,
    'one block of 256 threads stores 58 GB/s, random programs with one-block stores',
    200e6,
    240e6,
  ),
  blockStoreBandwidth: measured(
    58e9,
    'blocks of 256 and 512 threads store alike, random programs with one-block stores',
    50e9,
    64e9,
  ),
  memoryIssueShare: measured(0.4, 'waves of blocks that load and then compute, random programs', 0.1, 0.6),
  l2Usable: measured(40e6, 'case families `copy-d2d-*` and `pdl-contend-load*`', 33.6e6, 62e6),
  copyWithinBlocks: measured(132, 'case `load-with-copies`', 80, 264),
  copyWithinThreads: measured(512, 'copies that wait for room beside full SMs, random programs', 128, 1024),
  copyWithinBlockBytes: assumed(16384, 'not visible in the measurements', 4096, 65536),
  copyInline: measured(256, '256 bytes do and 4096 do not, case family `kernel-copy-kernel-h2d-*`', 256, 4095),
  copyStart: measured(600, COPY_GAP, 0, 1000),
  copyNotice: measured(4300, COPY_GAP, 2000, 6000),
  copyLookPeriod: measured(
    6900,
    'kernels and copies in turn: their gaps are 12.3 or 19.5 us, and what a copy takes grows by steps that fall back by 6.6 us, exported programs `copy-chain-*`',
    6500,
    7200,
  ),
  copyPickUp: measured(
    2000,
    'kernels and copies in turn: gaps of 12 or 19 us at 4 to 128 KiB, 29 or 36 us at 1 MiB, exported programs `copy-chain-*`',
    1000,
    3000,
  ),
  transferAnswer: assumed(1000, 'part of a latency, not measured singly; below the shortest copy latency', 200, 2400),
  peerWriteLatency: measured(
    3850,
    'case family `p2pwrite-*`: 5300 ns between two timing events, less what a record takes',
    2800,
    5400,
  ),
  peerStart: measured(1000, 'case family `kernel-p2pwrite-kernel-*`', 0, 3000),
  peerReadStart: measured(7700, 'case families `p2pread-*`, `kernel-p2pread-kernel-*`', 5000, 10_000),
  peerLookFirst: measured(9250, 'case family `kernel-p2pwrite-kernel-*`', 8000, 10_000),
  peerLookPeriod: measured(8500, 'case family `kernel-p2pwrite-kernel-*`', 8000, 9300),
  peerSourceLoad: measured(0.63, 'case family `p2p-with-load-*`: 250 GB/s beside a copy of 394 GB/s', 0.4, 0.9),
  peerDestinationLoad: measured(1.9, 'case family `p2p-with-load-*`: 750 GB/s beside a copy of 394 GB/s', 1.5, 2.2),
  peerStagingSignal: measured(
    6800,
    '27.6 us a MiB, of which its download takes 20 and its upload 21, over two buffers, case families `p2p*-peer0-*`',
    4500,
    8500,
  ),
  eventLookRead: measured(
    1500,
    'gap after a wait for an event of another device that had long happened, random programs; each further such wait adds as much, case family `one-to-many-event-*`',
    1200,
    2300,
  ),
  eventLookFirst: measured(
    12_260,
    'end of the predecessor to the start of a waiting kernel, less flush and launch, case families `pair-event-*`, `host-events-across-*`',
    11_500,
    12_600,
  ),
  eventLookPeriod: measured(9220, 'the same: 12.26, 21.48, 30.70, 39.94 us', 9150, 9300),
  collectiveStep: measured(
    2600,
    'all-reduce of 8 KiB over two H200s 6.0 us in its profiler interval, traces of tensor-parallel decoding',
    2200,
    4000,
  ),
  collectiveShare: measured(
    0.61,
    'all-reduce of 16.8 MB over two H200s 75 us at the rank that comes last, traces of data-parallel training; larger ones and other protocols reach more',
    0.55,
    0.95,
  ),
  collectiveBlocks: measured(24, 'all-reduce of 16.8 MB, traces of data-parallel training', 16, 32),
  collectiveThreads: measured(544, 'the same; 512 for 8 KiB', 512, 640),
  collectiveBlockBytes: assumed(
    65_536,
    'one block for 8 KiB, 24 for 16.8 MB; between these not measured',
    8192,
    700_000,
  ),
  memsetStart: measured(500, MEMSET_GAP, 0, 1000),
  hostFunctionStart: measured(47_500, HOST_FUNCTION, 10_000, 85_000),
  hostFunctionReturn: measured(42_500, HOST_FUNCTION, 10_000, 85_000),
  eventWaitProcessing: measured(
    0,
    'gap around a wait on a complete event 1600 ns, no more than a plain one, case family `between-waitdone-*`',
    0,
    100,
  ),
  ...H200_FITTED,
});
