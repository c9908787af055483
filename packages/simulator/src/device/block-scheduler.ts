import type { DeviceLimits } from '@griddep/machine';
import type { CauseKind } from '@griddep/timeline';
import type { BlockExecution } from './block-execution.ts';
import type { DeviceTimes } from './body.ts';
import { deal } from './dealing.ts';
import type { Grid } from './grid.ts';
import { earlier, later } from './instants.ts';
import type { DeviceOperation } from './operation.ts';
import { Cohort, type SmGroup } from './residency.ts';
import { SmGroups } from './sm-groups.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/**
 * Places blocks on SMs: the grid of the highest priority first, then the one whose blocks could start first; the
 * least loaded SMs first. A grid whose next block fits nowhere holds up those behind it. Nothing is pre-empted
 * (docs/RULES.md 5.10, 1.16).
 */
export class BlockScheduler {
  private readonly limits: DeviceLimits;
  private readonly times: DeviceTimes;
  private readonly blockByBlock: boolean;
  private readonly pending: Grid[] = [];
  private readonly groups: SmGroups;
  private requested = -1;
  private roomAt = -1;
  private roomBy = -1;
  /** The blocks that made room run alike on all SMs, and end all but together. */
  private exitsTogether = true;
  private readonly startedAll: (grid: Grid, clock: Clock) => void;
  /** The execution, which tells this when room was made. */
  private readonly execution: BlockExecution;

  constructor(
    limits: DeviceLimits,
    times: DeviceTimes,
    execution: BlockExecution,
    blockByBlock: boolean,
    startedAll: (grid: Grid, clock: Clock) => void,
  ) {
    this.limits = limits;
    this.times = times;
    this.execution = execution;
    this.blockByBlock = blockByBlock;
    this.startedAll = startedAll;
    this.groups = new SmGroups(limits, execution.division, blockByBlock);
  }

  /** Blocks of an operation left SMs now; of several at one instant the smallest number stands for all. */
  roomMade({ operation, body }: Grid, clock: Clock): void {
    const again = this.roomAt === clock.now;
    this.roomBy = again ? Math.min(this.roomBy, operation.op) : operation.op;
    this.exitsTogether = body.endsTogether && (!again || this.exitsTogether);
    this.roomAt = clock.now;
    this.request(clock);
  }

  /** The blocks of a grid may start from now on. */
  add(grid: Grid, clock: Clock): void {
    const behind = this.pending.findIndex((g) => precedes(grid, g));
    if (behind < 0) this.pending.push(grid);
    else this.pending.splice(behind, 0, grid);
    this.request(clock);
  }

  /** Asks for a placement pass at this instant, after everything else that happens in it. */
  request(clock: Clock): void {
    if (this.requested === clock.now || this.pending.length === 0) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.scheduler, TIMER.scheduler, 0);
  }

  /** Places what can be placed, in order, and notes what holds up the rest. */
  pass(clock: Clock): void {
    this.requested = -1;
    if (!this.blockByBlock) this.groups.merge((group) => this.forgettable(group, clock.now));
    while (this.pending.length > 0) {
      const grid = this.pending[0] as Grid;
      this.place(grid, clock);
      if (grid.unplaced > 0) break;
      this.pending.shift();
      this.startedAll(grid, clock);
    }
    for (let i = 1; i < this.pending.length; i++) this.hold(this.pending[i] as Grid, 'priority', undefined, clock);
  }

  private place(grid: Grid, clock: Clock): void {
    const gang = grid.cooperative ? 'cooperative' : 'cluster';
    const gathers = (grid.cooperative || grid.body.cluster > 1) && !grid.body.lifted?.has(gang);
    if (gathers && this.groups.room(grid.body) < this.atLeast(grid)) {
      this.hold(grid, 'resources', gang, clock);
      return;
    }
    // Where SMs free up all but together, the first take as many blocks of a waiting grid as fit before the next are
    // free (`pdl-fill-*-trig1`, `pack-gemv-*-pdl1`); where memory has spread their ends, one each (`pack-dequant-*`).
    const deep = grid.eligible < clock.now && (this.roomAt !== clock.now || this.exitsTogether);
    while (grid.unplaced > 0) {
      const round = this.groups.leastLoaded(grid.body);
      if (round.length === 0) {
        this.holdForRoom(grid, clock);
        return;
      }
      if (deep) this.fill(grid, round, clock);
      else this.placeOn(grid, round, grid.unplaced, clock);
    }
  }

  /** As many blocks on each of the SMs as fit, on as few SMs as that takes. */
  private fill(grid: Grid, groups: readonly SmGroup[], clock: Clock): void {
    const most = Math.max(...groups.map((g) => g.resources.fits(grid.body, this.limits)));
    const sms = Math.ceil(grid.unplaced / most);
    const before = grid.nextBlock;
    this.placeOn(grid, groups, sms, clock);
    const placed = grid.nextBlock - before;
    // The SMs just taken now hold a block of this grid; the further ones follow on them alone.
    for (let depth = 1; depth < most && grid.unplaced > 0; depth++) {
      const again = this.groups.filledNow(grid.operation.op, grid.body, clock.now);
      if (again.length === 0) break;
      this.placeOn(grid, again, placed, clock);
    }
  }

  private atLeast(grid: Grid): number {
    return grid.cooperative ? grid.unplaced : grid.body.cluster;
  }

  /** One block on each SM of the groups, in order of SM index, up to a number of SMs and of blocks. */
  private placeOn(grid: Grid, groups: readonly SmGroup[], most: number, clock: Clock): void {
    const [only] = groups;
    if (groups.length === 1 && only !== undefined && grid.body.period === 1) {
      const n = Math.min(most, grid.unplaced, only.sms.length);
      const target = n === only.sms.length ? only : this.groups.carve(only, only.sms.subarray(0, n), clock).part;
      this.start(grid, target, grid.takeBlocks(n), clock);
      return;
    }
    for (const [group, parts] of deal(grid, groups, most)) {
      let left = group;
      for (const { sms, blocks } of parts) {
        let target = left;
        if (sms.length < left.sms.length) {
          const carved = this.groups.carve(left, Uint16Array.from(sms), clock);
          target = carved.part;
          left = carved.rest;
        }
        this.start(grid, target, Uint32Array.from(blocks), clock);
      }
    }
  }

  /** Blocks of a grid start on SMs that have room, one on each. */
  private start(grid: Grid, group: SmGroup, blocks: Uint32Array, clock: Clock): void {
    const { operation, body } = grid;
    const first = grid.eligible === clock.now;
    const spread = body.blocks > 1 ? this.times.blockStartSpread : 0;
    const spacing = this.spacing(body.warps, first);
    const start = Math.max(clock.now + (first ? spread : this.times.blockReplace), group.lastStart + spacing);
    const warm = operation.inGraph || group.lastOp === operation.op;
    group.resources.occupy(body);
    group.lastStart = start;
    if (!operation.inGraph && group.lastOp !== operation.op) group.constantsReplaced = start;
    group.lastOp = operation.op;
    group.lastFill = clock.now;
    const cohort = new Cohort(grid, group, blocks, start);
    group.residents.push(cohort);
    if (operation.heldForRoom !== undefined && Number.isNaN(operation.start)) this.noteHeld(operation, clock.now);
    grid.noteSms(group.sms);
    let own = 0;
    for (const resident of group.residents) if (resident.grid === grid) own++;
    operation.maxBlocksPerSm = Math.max(operation.maxBlocksPerSm, own);
    const firstStart = first ? start - spread : start;
    operation.start = earlier(operation.start, firstStart);
    operation.lastStart = later(operation.lastStart, start);
    this.execution.begin(cohort, warm, clock);
  }

  /** Time between block starts on one SM, when a grid begins or as SMs refill. */
  private spacing(warps: number, first: boolean): number {
    const { times } = this;
    return first
      ? Math.min(times.blockLaunchMax, times.blockLaunchPerWarp * warps)
      : Math.min(times.blockReplaceSpacing, times.blockReplacePerWarp * warps);
  }

  private holdForRoom(grid: Grid, clock: Clock): void {
    if (grid.nextBlock > 0 || grid.operation.heldForRoom !== undefined) return;
    const [most] = [...this.groups.obstacles(grid.body)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (most === undefined) return;
    const [obstacle, sms] = most;
    this.hold(grid, obstacle === 'carveOut' ? 'carveOut' : 'resources', `${obstacle} on ${sms} SMs`, clock);
  }

  /** Notes, once, why no block of the grid has started yet. */
  private hold(grid: Grid, kind: CauseKind, detail: string | undefined, clock: Clock): void {
    const { operation } = grid;
    if (!Number.isNaN(operation.start) || operation.heldForRoom !== undefined) return;
    operation.heldForRoom = { kind, from: clock.now, ...(detail === undefined ? {} : { detail }) };
  }

  private noteHeld(operation: DeviceOperation, now: number): void {
    const held = operation.heldForRoom;
    if (held === undefined) return;
    operation.heldUntil(held.kind, this.roomAt === now ? this.roomBy : -1, held.from, now, held.detail);
  }

  /** Empty, and nothing of what it ran before can matter to what comes. */
  private forgettable(group: SmGroup, now: number): boolean {
    if (group.resources.blocks > 0 || group.arithmeticDirty || group.pollDirty) return false;
    if (group.lastStart + Math.max(this.times.blockLaunchMax, this.times.blockReplaceSpacing) > now) return false;
    return !this.pending.some((grid) => grid.operation.op === group.lastOp);
  }
}

function precedes(a: Grid, b: Grid): boolean {
  if (a.priority !== b.priority) return a.priority < b.priority;
  if (a.eligible !== b.eligible) return a.eligible < b.eligible;
  return a.operation.op < b.operation.op;
}
