import type { DeviceTimingName } from '@griddep/machine';
import type { MachineChange, Values } from '../machine-change.ts';

/** A mechanism of the model, and the change of a machine that takes it away. */
export interface Mechanism {
  readonly mechanism: string;
  /** How it is taken away, for the reader. */
  readonly without: string;
  readonly change: MachineChange;
}

/** Far more than any program has. */
const UNLIMITED = 100_000;

/** What is taken away one after another, with values that leave nothing of it. */
export const MECHANISMS: readonly Mechanism[] = [
  {
    mechanism: 'programmatic dependent launch',
    without: 'a CUDA version without it: every launch is a plain one',
    change: { hostSettings: { cudaVersion: 11_000 } },
  },
  device('early starts are quicker than plain ones', 'from trigger to start as from order to start of a plain launch', {
    programmaticLaunch: 'kernelLaunch',
    programmaticLaunchGraph: 'kernelLaunchGraph',
  }),
  device('graphs have constants of their own', 'constants of streams in graphs', {
    kernelLaunchGraph: 'kernelLaunch',
    programmaticLaunchGraph: 'programmaticLaunch',
    launchSpacingGraph: 'launchSpacing',
    completionFlushGraph: 'completionFlush',
    eventWaiterSpacingGraph: 'eventWaiterSpacing',
    launchCompletionSignalGraph: 'launchCompletionSignal',
  }),
  device('time stamps of the measuring kernel', 'phases cost their own time only', {
    stampFirstCold: 0,
    stampFirstWarm: 0,
    stampPhase: 0,
    stampTrigger: 0,
    stampWait: 0,
    stampEnd: 0,
    stampPerWarp: 0,
    stampAccess: 0,
    stampAccessPerWarp: 0,
    stampPerCoResident: 0,
  }),
  device('flush at completion', 'a grid is complete when its last block ends', {
    completionFlush: 0,
    completionFlushGraph: 0,
    completionFlushLarge: 0,
  }),
  device('return of a wait after completion', 'a wait returns at completion', { waitRelease: 0 }),
  device('large grids flush longer', 'all grids flush alike', { completionFlushLarge: 0 }),
  device('caches cold after another launch', 'constants are always at hand', {
    constantMiss: 0,
    constantMissSpread: 0,
  }),
  device('blocks start one after another on an SM', 'all at once', { blockLaunchPerWarp: 0, blockLaunchMax: 0 }),
  device('replacing a block takes time', 'the next starts at the exit', {
    blockReplace: 0,
    blockReplacePerWarp: 0,
    blockReplaceSpacing: 0,
    blockExit: 0,
  }),
  device('SMs start and end apart', 'no spread', { blockStartSpread: 0, blockEndJitter: 0 }),
  device('front end holds few queues', 'it holds all of them', { channelSlots: 99, channelLoad: 0 }),
  device('front end launches one kernel after another', 'no spacing', { launchSpacing: 0, launchSpacingGraph: 0 }),
  {
    mechanism: '8 hardware queues',
    without: '32 queues',
    change: { limits: { hardwareQueues: 32 }, hostSettings: { maxConnections: 32 } },
  },
  {
    mechanism: '128 resident grids',
    without: 'no limit',
    change: { limits: { residentGrids: UNLIMITED } },
  },
  device('waiters of an event wake one after another', 'all at once', {
    eventWaiterSpacing: 0,
    eventSecondWaiter: 0,
    eventWaiterSpacingGraph: 0,
  }),
  device('launch processing stays for a programmatic launch', 'it goes on to other queues', { programmaticHold: 0 }),
  device('a timing record takes time', 'none', { timingRecord: 0 }),
  device('few warps of an SM can poll at once', 'all can', { pollingWarps: 99 }),
  device('the oldest block is served first', 'equal shares of arithmetic', { fmaOldestShare: 0.5 }),
  device('loads slow each other', 'none before the limit', { memoryContention: 100 }),
  device('memory comes up to its rate slowly', 'at once', { memoryStart: 0 }),
  device('L2 serves what was read before', 'at the rate of memory', { threadL2Bandwidth: 'threadBandwidth' }),
  device('a copy engine starts and answers late', 'at once', {
    copyStart: 0,
    copyNotice: 0,
    copyPickUp: 0,
    copyLookFirst: 0,
    copyLookPeriod: 1,
  }),
  device('small uploads travel in the command', 'all use the engine', { copyInline: 0 }),
];

function device(mechanism: string, without: string, values: Values<DeviceTimingName>): Mechanism {
  return { mechanism, without, change: { device: values } };
}
