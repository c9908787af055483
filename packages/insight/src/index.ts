export { type CheckOptions, checkHazards } from './check.ts';
export type { Assume, CheckResult, Finding, FoundAccess, MissingEdge, Place, Verdict } from './finding.ts';
export { placeText } from './places.ts';
