export { type Finding, findingsText } from './findings.ts';
export { type ImportedProgram, type ImportOptions, importTraces } from './import-traces.ts';
export { ElementScanner, type ElementSink, ScanError } from './json/element-scanner.ts';
export { type ReadKinetoOptions, readKineto } from './kineto/read-kineto.ts';
export { type KinetoOptions, KinetoReader } from './kineto/reader.ts';
export { machineNameOf, withTraceRates } from './machine-of-trace.ts';
export { tracedName } from './names.ts';
export { type Overlap, streamOverlaps } from './overlaps.ts';
export { RECOGNITION_BYTES, recogniseTrace, type TraceKind } from './recognise.ts';
export { compareReplay, type Replay } from './replay.ts';
export { type Step, stepsOf, traceOfStep } from './steps.ts';
export type {
  RangeColumns,
  Trace,
  TraceCall,
  TraceCollective,
  TraceDevice,
  TraceOperation,
  TraceRecord,
  TraceStream,
  TraceThread,
  TraceWait,
} from './trace.ts';
export { TraceError } from './trace-error.ts';
export { tracedTimeline } from './traced-timeline.ts';
