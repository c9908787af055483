export { causeInstant, causeText } from './cause.ts';
export {
  type CompareOptions,
  compareTimelines,
  exceeds,
  type OperationChange,
  type TimelineComparison,
} from './compare.ts';
export { type FactChange, whyChanged } from './compare-why.ts';
export { readTimeline, timelineJsonSchema, writeTimeline } from './file.ts';
export { TimelineFileError } from './file-error.ts';
export { hashTimeline } from './hash.ts';
export { formatUs, INSTANTS, type InstantName, PS_PER_NS, PS_PER_US } from './instants.ts';
export { assignLanes, type Lane, lastInstant, type Slice } from './lanes.ts';
export { makeOperation, makeTimeline } from './make.ts';
export {
  type Cause,
  type CauseKind,
  type Instant,
  type Operation,
  type OperationKind,
  runsOnSms,
  type Slowdown,
  type Wait,
} from './operation.ts';
export { type BusySms, busySms } from './statistics/busy-sms.ts';
export { makespan, type Span } from './statistics/makespan.ts';
export type { ConsecutivePairStatistics, KernelPair, PairStatistics } from './statistics/pairs.ts';
export type { SlowdownStatistics } from './statistics/slowdown.ts';
export {
  type DeviceStatistics,
  type StatisticsOptions,
  statistics,
  type TimelineStatistics,
} from './statistics/statistics.ts';
export type { StreamStatistics } from './statistics/streams.ts';
export {
  type BasisEntry,
  type BlockColumns,
  type CallError,
  type DeviceInfo,
  TIMELINE_SCHEMA,
  type Timeline,
} from './timeline.ts';
export {
  DEFAULT_PROFILER_OFFSETS,
  type ObservedInterval,
  type Observer,
  observe,
  observeTimeline,
  type ProfilerOffsets,
} from './view.ts';
export { CAUSE_KINDS, OPERATION_KINDS } from './vocabulary.ts';
export { writeChromeTrace } from './writers/chrome.ts';
export { kernelColours } from './writers/colours.ts';
export { writePerfetto } from './writers/perfetto.ts';
export type { Panel, PictureOptions } from './writers/picture.ts';
export { renderSvg, type SvgOptions } from './writers/svg/svg.ts';
export { renderTextbookSvg } from './writers/svg/textbook.ts';
export { renderTable, type TableOptions } from './writers/table.ts';
export { renderTerminal, type TerminalOptions } from './writers/terminal.ts';
