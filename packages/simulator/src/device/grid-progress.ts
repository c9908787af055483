import type { Grid } from './grid.ts';
import { earlier, later } from './instants.ts';
import type { Cohort } from './residency.ts';
import type { Clock } from './unit-context.ts';

/** What the execution of blocks tells the rest of the device. */
export interface ExecutionEvents {
  /** Every block of the grid has triggered or, `byExit`, the last has exited instead. */
  triggered(grid: Grid, byExit: boolean, clock: Clock): void;
  /** Every block has exited. */
  ended(grid: Grid, clock: Clock): void;
  /** Blocks of a grid left some SMs: there may be room. */
  roomMade(grid: Grid, clock: Clock): void;
  blocksEnded?(cohort: Cohort, clock: Clock): void;
}

/** How far the blocks of grids have come: triggers and exits, counted until they are all there. */
export class GridProgress {
  private readonly events: ExecutionEvents;

  constructor(events: ExecutionEvents) {
    this.events = events;
  }

  /** Blocks trigger at a time, now or foreseen; only their first trigger counts (docs/RULES.md 1.3). */
  trigger(cohort: Cohort, at: number, clock: Clock): void {
    if (cohort.triggered) return;
    cohort.triggered = true;
    const { operation } = cohort.grid;
    operation.firstTrigger = earlier(operation.firstTrigger, at);
    operation.lastTrigger = later(operation.lastTrigger, at);
    this.countTriggered(cohort, false, clock);
  }

  /** Blocks exit now. */
  exit(cohort: Cohort, clock: Clock): void {
    const { grid, group } = cohort;
    const { operation } = grid;
    operation.firstEnd = earlier(operation.firstEnd, clock.now);
    operation.end = later(operation.end, clock.now);
    group.resources.vacate(grid.body);
    group.residents.splice(group.residents.indexOf(cohort), 1);
    this.events.blocksEnded?.(cohort, clock);
    if (!cohort.triggered) {
      cohort.triggered = true;
      this.countTriggered(cohort, true, clock);
    }
    grid.remaining -= cohort.count;
    this.events.roomMade(grid, clock);
    if (grid.remaining === 0) this.events.ended(grid, clock);
  }

  private countTriggered(cohort: Cohort, byExit: boolean, clock: Clock): void {
    const { grid } = cohort;
    grid.untriggered -= cohort.count;
    if (byExit) grid.exitCountedAt = clock.now;
    if (grid.untriggered === 0) this.events.triggered(grid, grid.exitCountedAt === clock.now, clock);
  }
}
