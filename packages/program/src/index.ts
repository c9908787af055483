export { programWarnings, warningText } from './advice.ts';
export type { ProgramWarning } from './advice-notes.ts';
export { ProgramBuilder, type ProgramOptions, programBuilder } from './builder.ts';
export { builderMarkdown } from './builder-markdown.ts';
export { CALL_ARGUMENTS } from './call-arguments.ts';
export { CallTable, type PackedCalls } from './call-table.ts';
export type {
  Call,
  CallKind,
  CallOf,
  CaptureMode,
  CopyKind,
  EdgePort,
  EdgeType,
  HostMemory,
  LaunchAttributes,
  Origin,
} from './calls.ts';
export { type EdgeProblem, edgeProblem } from './edge-rules.ts';
export { connectionsAtStart } from './environment.ts';
export { type Path, type ProblemDetail, ProgramError } from './errors.ts';
export { type Environment, Expressions, escapeExpression, type Value } from './expression.ts';
export { type CallOptions, HostThreadBuilder } from './host-thread-builder.ts';
export type {
  AccessInput,
  AttributesInput,
  BufferInput,
  CallInput,
  CallInputs,
  CallName,
  CollectiveInput,
  CopyOptions,
  Dim3Input,
  EventInput,
  GraphEdgeInput,
  GraphNodeInput,
  KernelInput,
  PhaseInput,
  RangeInput,
  RoleInput,
  StreamInput,
} from './inputs.ts';
export type {
  Access,
  BlockCondition,
  Body,
  BufferRange,
  CollectiveBody,
  DurationBody,
  Kernel,
  KernelParameter,
  Phase,
  PhasesBody,
  PtxBody,
  Role,
} from './kernel.ts';
export { CALL_NAMES } from './make-call.ts';
export { SOLE_ROLE } from './make-kernel.ts';
export type { Ref } from './names.ts';
export { nearestName } from './nearest-name.ts';
export { parseSource, SIZE_LIMITS, type SizeLimits } from './parse-source.ts';
export {
  await_,
  blockBarrier,
  fence,
  fma,
  gridBarrier,
  load,
  ramp,
  signal,
  spin,
  store,
  trigger,
  wait,
} from './phases.ts';
export {
  type Buffer,
  type Event,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type HostThread,
  PROGRAM_SCHEMA,
  type Program,
  type Stream,
} from './program.ts';
export {
  type BytesInput,
  type DurationInput,
  formatBytes,
  formatDuration,
  parseBytes,
  parseDuration,
} from './quantity.ts';
export { type ReadOptions, readProgram, readProgramBytes } from './read.ts';
export { type DocumentOptions, MOST_CALLS, programFromDocument } from './read-document.ts';
export { buildScenario, listScenarios, scenarioByName } from './scenarios/catalogue.ts';
export { scenariosMarkdown } from './scenarios/markdown.ts';
export type { ParameterValue, ParameterValues, ScenarioParameter } from './scenarios/support/parameters.ts';
export type { Scenario } from './scenarios/support/scenario.ts';
export { programJsonSchema } from './schema/json-schema.ts';
export { check as checkBySchema } from './schema/problem.ts';
export type { Source } from './source.ts';
export {
  type Bytes,
  type Dim3,
  MICROSECOND,
  MILLISECOND,
  NANOSECOND,
  type Picoseconds,
  SECOND,
  volume,
} from './units.ts';
export { validateProgram } from './validate.ts';
export { writeProgram, writeProgramJson, writeProgramYaml } from './write.ts';
