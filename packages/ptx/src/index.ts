export { PtxError } from './errors.ts';
export { counts, type Finding, type Level, RULES, type RuleId } from './findings.ts';
export { unknownIndependent } from './independent.ts';
export type { SourcePlace } from './instruction.ts';
export { type AccessReport, type KernelReport, kernelSkeleton, lintModule, type PtxPlace } from './lint.ts';
export type { LintOptions } from './lint-options.ts';
export type { PtxFunction, PtxModule, PtxParameter } from './module.ts';
export { readModule } from './read-module.ts';
export { type AccessCounts, type Skeleton, skeletonPhases } from './skeleton.ts';
