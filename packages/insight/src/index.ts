export { type Advice, type AdviseOptions, advise, type PairAdvice } from './advise/advise.ts';
export type { Answer } from './advise/checklist.ts';
export type { Pool } from './advise/pool.ts';
export type { Trial, Verdict as TrialVerdict } from './advise/trial.ts';
export { withoutPdl, withPdl } from './changes/pdl.ts';
export { triggerPlaces, withTriggerAt } from './changes/trigger.ts';
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
export { withSimulatedTimes } from './races/as-simulated.ts';
export { criticalOperations, criticalPath, type OperationList, type Stretch, type TimeKind } from './why/chain.ts';
export { type Overlap, type WhyPair, whyPair } from './why/pair.ts';
export { type Removal, UnknownOperation, type Why, why } from './why/why.ts';
