export { type AblatedMechanism, type Ablation, ablate } from './ablation/ablate.ts';
export { MECHANISMS, type Mechanism } from './ablation/mechanisms.ts';
export { AREAS } from './calibration/areas.ts';
export {
  type CalibrateOptions,
  type Calibration,
  calibrate,
  type FittedConstant,
  type KeptConstant,
} from './calibration/calibrate.ts';
export type { Area, Figure, ReadOff, Searched } from './calibration/isolation.ts';
export { plannedInputs } from './calibration/plan.ts';
export { type CalibratedProfile, profileOf } from './calibration/profile-of.ts';
export { type CaseGroup, type HostChoice, machineFor, type PreparedCase, prepareCases } from './case-group.ts';
export { type ComparedTimelines, comparedTimelines } from './compared-timelines.ts';
export { type CaseComparison, compareCase } from './comparison.ts';
export { namesDevice } from './device-name.ts';
export { ExportError } from './export/export-error.ts';
export { type ExportInput, exportPrograms } from './export/export-programs.ts';
export { type Measurable, type MeasurableOptions, measurable } from './export/measurable.ts';
export { measureScript } from './export/measure-script.ts';
export { type CaseKind, familyOf, kindOfCase } from './family.ts';
export {
  type EnvironmentValue,
  type HostEnvironment,
  hostEnvironment,
  machineIn,
  programIn,
} from './host-environment.ts';
export { observe, observeHostTotal, type SimulatedInterval } from './intervals.ts';
export { type JudgedBy, judgedBy } from './judged-by.ts';
export { changedMachine, type MachineChange, type Values } from './machine-change.ts';
export {
  devicesOf,
  isGated,
  type MeasuredCall,
  type MeasuredCallKind,
  type MeasuredCase,
  type MeasuredOperation,
  type Observation,
} from './measured-case.ts';
export { CaseFileError } from './parse-json.ts';
export {
  PROFILE_SCHEMA,
  type Profile,
  profileProblem,
  readProfile,
  type WithProfileOptions,
  withProfile,
} from './profile.ts';
export { readCases } from './read-cases.ts';
export { type FamilySummary, type PartSummary, reportOf, type ValidationReport } from './report.ts';
export { isRefused, type RefusedCase, type SimulatedCase, simulateCase, simulatePrepared } from './simulate-case.ts';
export { fnv1a, type Part, partOf } from './split.ts';
export { type Spread, summarize, type ValidationSummary } from './summary.ts';
export { ablationMarkdown, trustMarkdown } from './trust/markdown.ts';
export { NOT_MODELLED, type NotModelled } from './trust/not-modelled.ts';
export { validateCase, validateCases } from './validate.ts';
