import type { Constant, Unit } from './constant.ts';
import {
  BYTES,
  COUNT,
  type ConstantRange,
  DURATION,
  EXPONENT,
  FACTOR,
  MULTIPLE,
  POSITIVE_BYTES,
  POSITIVE_DURATION,
  RATE,
  SHARE,
} from './constant-range.ts';

/** What a constant means, and the values it can have. */
export interface ConstantRule {
  readonly unit: Unit;
  readonly range: ConstantRange;
  readonly meaning: string;
}
const rule = (unit: Unit, range: ConstantRange) => (meaning: string) => ({ unit, range, meaning }) as ConstantRule;
const ns = rule('ns', DURATION);
const positiveNs = rule('ns', POSITIVE_DURATION);
const rate = rule('B/s', RATE);
const count = rule('1', COUNT);
const bytes = rule('1', BYTES);
const positiveBytes = rule('1', POSITIVE_BYTES);
const share = rule('1', SHARE);
const factor = rule('1', FACTOR);
const factor0 = rule('1', MULTIPLE);
const exponent = rule('1', EXPONENT);

/** Timing constants that a device profile carries, with unit and meaning. `…Graph` holds inside a replayed graph. */
export const DEVICE_TIMING = {
  commandArrival: ns("return of the host's call to the command, or a flag it signals, being visible to the device"),
  kernelLaunch: ns('order satisfied (predecessor complete, event seen, or command arrived) to first block'),
  kernelLaunchGraph: ns('the same inside a replayed graph'),
  graphStart: ns('graph launch whose order is satisfied to its root nodes being ready'),
  programmaticLaunch: ns('last block of the primary triggered or exited, to first block of the dependent'),
  programmaticLaunchGraph: ns('the same along a programmatic graph edge'),
  programmaticHold: ns('time that launch processing stays with a queue whose next command is a programmatic launch'),
  launchSpacing: ns('front end busy with one kernel launch before it takes the next, whatever the queue'),
  launchSpacingGraph: ns('the same for kernel nodes of a graph'),
  channelSlots: count('hardware queues that the front end holds at a time'),
  channelLoad: ns('loading another hardware queue, before it can launch a kernel'),
  completionFlush: ns('last block end to the grid being complete and its writes flushed'),
  completionFlushGraph: ns('the same inside a graph'),
  completionFlushLarge: ns('added to the flush of grids of at least `largeGrid` blocks'),
  largeGrid: count('number of blocks from which a grid counts as large'),
  waitRelease: ns('completion of all prerequisites to the return of a griddepcontrol.wait already waiting'),
  eventSignal: ns(
    'completion of the work an event or an implicit order covers to a waiting stream of the same device going on',
  ),
  eventWaiterSpacing: ns(
    'spacing of queues that wait for one event; more than two in no fixed order, so that each is placed at the middle',
  ),
  eventSecondWaiter: ns('of two queues that wait for one event, further delay of the second'),
  eventLookRead: ns('a queue that has only an event of another device to wait for: reading that it has happened'),
  eventLookFirst: ns('the same: if it has not, to its next look'),
  eventLookPeriod: positiveNs('time between such looks'),
  eventWaiterSpacingGraph: ns('further delay of each further dependent of one node'),
  eventWaitProcessing: ns('front end busy with a stream wait whose event was complete when it came'),
  timingRecord: ns('time a record of a timing event takes in its stream'),
  launchCompletionSignal: ns('last block start to the start of a grid that waits for the launch-completion event'),
  launchCompletionSignalGraph: ns('the same along a launch-completion edge'),
  progressVisible: ns('completion of an operation, or signal of a flag, to the host being able to see it'),
  blockLaunchPerWarp: ns('spacing of successive block starts on one SM, per warp of the block'),
  blockLaunchMax: ns('the most that spacing is'),
  blockReplace: ns('exit of the block that made room to the start of the next on that SM'),
  blockReplacePerWarp: ns('spacing of successive block starts on an SM that refills, per warp of the block'),
  blockReplaceSpacing: ns('the most that spacing is'),
  blockExit: ns("a block's end to its exit counting as a trigger"),
  pollingWarps: count(
    'blocks (roles of blocks, where warps have roles) of an SM that can poll its timer at once, the oldest first',
  ),
  blockStartSpread: ns('spread of the first starts over the SMs of an idle device'),
  blockEndJitter: ns('spread of block ends between SMs that run the same work'),
  triggerIssue: ns('time griddepcontrol.launch_dependents takes a block'),
  waitIssue: ns('time griddepcontrol.wait takes a block that need not wait'),
  barrier: ns('time a barrier of a block or grid, or a fence, takes'),
  constantMiss: ns('first use of constants after a block of another launch, not of a graph, started on the SM'),
  constantMissSpread: ns('spread of that over the SMs of the device'),
  stampFirstCold: ns('instrumented kernel: first phase of a block after a launch, caches cold'),
  stampFirstWarm: ns('instrumented kernel: first phase of a block whose predecessor on the SM ran the same kernel'),
  stampPhase: ns('instrumented kernel: boundary after a phase of work'),
  stampTrigger: ns('instrumented kernel: boundary after a trigger'),
  stampWait: ns('instrumented kernel: boundary after a wait'),
  stampEnd: ns('instrumented kernel: last time stamp to exit'),
  stampPerWarp: ns('instrumented kernel: added to each boundary per warp of the block above eight'),
  stampAccess: ns('instrumented kernel: what a load or store takes before its first access'),
  stampAccessPerWarp: ns('instrumented kernel: added to that per warp of the block above eight'),
  stampPerCoResident: ns('instrumented kernel: added to trigger and wait boundaries per further block on the SM'),
  fmaIteration: positiveNs('an iteration of four independent FMAs of one warp a scheduler'),
  fmaIterationPerWarp: positiveNs('issue time of one such iteration per warp of a scheduler'),
  fmaIterationOverhead: ns('added to an iteration that is bound by issue'),
  fmaOldestShare: share('share of its full speed that the oldest block keeps beside a saturating competitor'),
  threadBandwidth: rate('device memory bandwidth of one thread alone that loads'),
  threadL2Bandwidth: rate('bandwidth of one thread alone whose loads hit L2'),
  threadStoreBandwidth: rate('device memory bandwidth of one thread alone that stores'),
  blockStoreBandwidth: rate('the most that one block stores'),
  memoryIssueShare: share("share of an SM's issue below which a loading block is slowed by older blocks that compute"),
  memoryBandwidth: rate('device memory bandwidth of all blocks together'),
  memoryContention: exponent(
    'sharpness of saturation: a demand of u times the full rate is served at u / (1 + u^p)^(1/p)',
  ),
  memoryStart: ns(
    'time lost while loads or stores of many blocks come up to the full rate: half of it for twice as long',
  ),
  copyUpLatency: ns('host to device copy: start to end beyond bytes over bandwidth'),
  copyUpBandwidth: rate('host to device, pinned'),
  copyDownLatency: ns('device to host copy: start to end beyond bytes over bandwidth'),
  copyDownBandwidth: rate('device to host, pinned'),
  copyBothPenalty: factor('factor on the time of an upload and a download that overlap'),
  copyWithinLatency: ns('copy within the device: start to end beyond bytes over bandwidth'),
  trafficLatencyGraph: ns('the same for copies within the device and memsets in a graph'),
  copyWithinBandwidth: rate('copy within the device'),
  copyWithinL2Bandwidth: rate('copy within the device whose bytes, read and written, L2 holds'),
  l2Usable: bytes('bytes of L2 that data of copies and grids can fill'),
  copyWithinBlocks: count('blocks of the kernel that a copy within the device or a memset is, at the most'),
  copyWithinThreads: count('threads of such a block'),
  copyWithinBlockBytes: positiveBytes('bytes that such a block moves at the least'),
  copyInline: bytes('bytes up to which an upload travels in the command itself'),
  copyInlineTime: ns('time of such an upload in its stream'),
  copyStart: ns('order satisfied to an engine being able to notice it, for a host copy that follows work elsewhere'),
  copyNotice: ns('what an engine takes to notice that for the first time'),
  copyPickUp: ns('look of an engine that notices it later, one each `copyLookPeriod`, to its taking up the copy'),
  copyLookFirst: ns(
    'order of an upload or download satisfied to the first look of its compute queue whether it is complete',
  ),
  copyLookPeriod: positiveNs('time between such looks; a new command of the host makes it look at once'),
  transferAnswer: ns("part of a copy's latency in which the end of the transfer reaches the copy engine"),
  peerWriteLatency: ns("copy to another device by the source's engine: start to end beyond bytes over bandwidth"),
  peerStart: ns(
    'order satisfied to the start of a copy to another device that follows work elsewhere than on its engine',
  ),
  peerReadStart: ns("order satisfied to asking another device's engine for a copy from its memory"),
  peerLookFirst: ns(
    'order of a copy between devices satisfied to the first look of its compute queue whether it is complete',
  ),
  peerLookPeriod: positiveNs('time between such looks'),
  peerSourceLoad: factor0(
    'bytes of memory bandwidth that a byte copied to another device takes from blocks of the source',
  ),
  peerDestinationLoad: factor0('the same at the destination'),
  peerStagingSignal: ns(
    'a staging buffer being filled or emptied by one device to the engine of another going on with it',
  ),
  collectiveStep: ns('a step of a collective from one member to the next, without its bytes'),
  collectiveShare: share("part of a link's bandwidth that a collective moves its bytes at"),
  collectiveBlocks: count('blocks of the kernel that a collective is, at the most'),
  collectiveThreads: count('threads of such a block'),
  collectiveBlockBytes: positiveBytes('bytes of which such a block takes care at the least'),
  memsetLatency: ns('memset: start to end beyond bytes over bandwidth'),
  memsetBandwidth: rate('memset of device memory'),
  memsetStart: ns('order satisfied to the start of a memset'),
  hostFunctionStart: ns('order satisfied to the start of a host function'),
  hostFunctionReturn: ns('return of a host function to what follows in its stream'),
  poolOperation: ns('time of a stream-ordered allocation or free in its stream'),
} as const satisfies Record<string, ConstantRule>;

/** Timing constants that a host profile carries. */
export const HOST_TIMING = {
  launchKernel: ns('call of a kernel launch'),
  launchKernelProgrammatic: ns('call of a kernel launch with the programmatic attribute'),
  capturedCall: ns('any call recorded into a capture, and its begin and end'),
  graphLaunch: ns('call of a graph launch'),
  graphLaunchPerNode: ns('added per node'),
  graphInstantiate: ns('instantiation of a graph'),
  graphInstantiatePerNode: ns('added per node'),
  graphUpload: ns('upload of an executable graph'),
  eventRecord: ns('call of an event record, timing disabled'),
  eventRecordTiming: ns('call of an event record, timing enabled'),
  streamWaitEvent: ns('call of a stream wait'),
  streamWaitEventOtherDevice: ns('call of a stream wait on an event of another device'),
  memcpyUp: ns('call of an asynchronous upload from pinned memory'),
  memcpyDown: ns('call of an asynchronous download to pinned memory'),
  memcpyWithin: ns('call of a copy within the device'),
  memcpyPeerWrite: ns('call of a peer copy in a stream of the source'),
  memcpyPeerRead: ns('call of a peer copy in a stream of the destination'),
  memcpyPeerStaged: ns('call of a peer copy without peer access, of one staging buffer'),
  memcpyPeerStagedChunk: ns('added per further staging buffer of bytes'),
  peerStagingBytes: positiveBytes('bytes of a staging buffer of peer copies without peer access'),
  peerStagingBuffers: count('such buffers that a copy fills in turn'),
  memset: ns('call of a memset'),
  query: ns('call of a query, or of a synchronise that finds everything complete'),
  synchronizeReturn: ns('completion being visible to the host to the return of a synchronise'),
  elapsedTime: ns('call of an elapsed time'),
  launchHostFunc: ns('call that enqueues a host function'),
  malloc: ns('allocation of device memory'),
  free: ns('free of device memory'),
  mallocHost: ns('allocation or free of pinned host memory, beyond its bytes'),
  mallocHostPerByte: rate('rate at which pinned memory is made'),
  mallocAsync: ns('stream-ordered allocation that the pool serves'),
  mallocAsyncFirst: ns('first stream-ordered allocation of a device'),
  poolGrowth: rate('rate at which a pool grows, bytes of growth over time on the host'),
  freeAsync: ns('stream-ordered free'),
  setDevice: ns('change of the current device'),
  peerAccess: ns('enabling or disabling peer access'),
  pageableUp: rate('staging rate of an upload from pageable memory'),
  pageableDown: rate('staging rate of a download to pageable memory'),
  pageableAsync: bytes('bytes up to which a pageable upload returns once staged'),
  severalDevices: ns('added to a launch call when the thread uses more than one device'),
} as const satisfies Record<string, ConstantRule>;

export type DeviceTimingName = keyof typeof DEVICE_TIMING;
export type HostTimingName = keyof typeof HOST_TIMING;
export type DeviceTiming = Readonly<Record<DeviceTimingName, Constant>>;
export type HostTiming = Readonly<Record<HostTimingName, Constant>>;
