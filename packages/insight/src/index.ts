export { type CheckOptions, checkHazards } from './check.ts';
export {
  type DeadlineOptions,
  type DeadlineResult,
  missedDeadlines,
  replayDeadline,
  type Timed,
} from './explore/deadline.ts';
export { type ExploreOptions, explore, replay } from './explore/explore.ts';
export type { Explored, ExploredKind, ExploreResult, Smallest } from './explore/explored.ts';
export { SeedError } from './explore/seeds.ts';
export type { Assume, CheckResult, Finding, FoundAccess, MissingEdge, Place, Verdict } from './finding.ts';
export { placeText } from './places.ts';
