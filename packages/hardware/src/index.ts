export { type CaseComparison, compareCase } from './comparison.ts';
export { observe, type SimulatedInterval } from './intervals.ts';
export type { MeasuredCase, MeasuredOperation, Observation } from './measured-case.ts';
export { CaseFileError, readCases } from './read-cases.ts';
export { isRefused, type RefusedCase, type Spread, summarize, validateCase, type ValidationSummary } from './validate.ts';
