import type { DeadlineResult, Explored, ExploreResult } from '@griddep/insight';

/** What a command found: in schedules, and in timed runs where there is a deadline. */
export interface ExploredBoth {
  readonly schedules: ExploreResult | undefined;
  readonly runs: DeadlineResult | undefined;
  readonly findings: readonly Explored[];
}
