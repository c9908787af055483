import type { Command, CopyWork, GraphCommand } from '@griddep/cuda';
import type { Actor, Context } from '@griddep/engine';
import type { DeviceLimits } from '@griddep/machine';
import type { Kernel } from '@griddep/program';
import type { DeviceInbound, FlagMessage, ProgressMessage, TransferMessage } from '../messages.ts';
import { BlockExecution } from './block-execution.ts';
import { BlockLog } from './block-log.ts';
import { BlockScheduler } from './block-scheduler.ts';
import { compileBody, type DeviceTimes, type KernelBody } from './body.ts';
import { CopyEngines, copyRoute, type EngineName } from './copy-engines.ts';
import { Flags } from './flags.ts';
import { FrontEnd } from './front-end.ts';
import { DeviceOperation, type Milestone, runsOnSms, usesCopyEngine, type Work } from './operation.ts';
import { conditionsOfCommand, conditionsOfNode, type StreamTail } from './ordering.ts';
import { Grid } from './residency.ts';
import { trafficBody } from './traffic.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Everything that a device actor is built with; none of it changes. */
export interface DeviceSpec {
  readonly index: number;
  readonly limits: DeviceLimits;
  readonly times: DeviceTimes;
  readonly kernels: readonly Kernel[];
  /** Streams of the whole program: which are this device's, in order of creation. */
  readonly streams: readonly { readonly device: number; readonly priority: number }[];
  readonly hardwareQueues: number;
  readonly blockByBlock: boolean;
  readonly recordBlocks: boolean;
  /** Actor that owns this device's host links, those of other devices, and the hosts to tell of progress. */
  readonly fabric: number;
  readonly host: number;
  readonly otherDevices: readonly number[];
}

/** A GPU: the units named in docs/DESIGN.md, and what passes between them. */
export class DeviceActor implements Actor<DeviceInbound> {
  readonly name: string;
  readonly operations = new Map<number, DeviceOperation>();
  readonly blockLog: BlockLog | undefined;
  private readonly spec: DeviceSpec;
  private readonly flags: Flags;
  private readonly execution: BlockExecution;
  private readonly scheduler: BlockScheduler;
  private readonly frontEnd: FrontEnd;
  private readonly engines: CopyEngines;
  private readonly bodies: (KernelBody | undefined)[] = [];
  private readonly tails: (StreamTail | undefined)[] = [];
  private readonly streamOrdinal: number[] = [];
  private readonly grids = new Map<number, Grid>();
  /** Copies that are complete, and that no compute queue has noticed. */
  private readonly unseen = new Set<DeviceOperation>();
  private blockIndices = new Uint32Array();
  private hostFunctionFree = 0;
  private context: Context | undefined;

  constructor(spec: DeviceSpec) {
    this.spec = spec;
    this.name = `device ${spec.index}`;
    const { times, limits } = spec;
    let ordinal = 0;
    for (const stream of spec.streams) this.streamOrdinal.push(stream.device === spec.index ? ordinal++ : -1);
    this.blockLog = spec.recordBlocks ? new BlockLog() : undefined;
    this.flags = new Flags(
      (track, clock) => this.execution.resume(track, clock),
      (flag, value) => this.announce(flag, value),
    );
    this.execution = new BlockExecution(times, this.flags, {
      triggered: (grid, byExit, clock) => this.triggered(grid.operation, byExit, clock),
      ended: (grid, clock) => this.gridEnded(grid, clock),
      roomMade: (op, clock) => this.scheduler.roomMade(op, clock),
      ...(this.blockLog === undefined ? {} : { blocksEnded: (cohort, clock) => this.blockLog?.add(cohort, clock.now) }),
    });
    this.scheduler = new BlockScheduler(limits, times, this.execution, spec.blockByBlock, ({ operation }, clock) => {
      const at = Math.max(clock.now, operation.lastStart);
      if (!operation.foresee('started', at)) clock.timer(at, PRIORITY.step, TIMER.gridStarted, operation.op);
    });
    this.frontEnd = new FrontEnd(spec.hardwareQueues, limits.residentGrids, times, {
      issue: (operation, eligible, clock) => this.issue(operation, eligible, clock),
    });
    this.engines = new CopyEngines(
      { up: limits.copyEnginesUp, down: limits.copyEnginesDown, peer: limits.copyEnginesPeer },
      (operation, engine, now) => this.startTransfer(operation, engine, now),
    );
  }

  receive(message: DeviceInbound, _source: number, context: Context): void {
    this.context = context;
    if (message.type === 'command') this.accept(message.command, context);
    else if (message.type === 'flag') this.flags.set(message.flag, message.value, context);
    else this.transferEnded(message.id, message.actual, message.alone, context);
  }

  timer(code: number, argument: number, context: Context): void {
    this.context = context;
    switch (code) {
      case TIMER.track:
        return this.execution.timer(argument, context);
      case TIMER.arithmetic:
        return this.execution.arithmetic.recompute(context);
      case TIMER.arithmeticEnd:
        return this.execution.arithmetic.end(argument, context);
      case TIMER.memory:
        return this.execution.memory.recompute(context);
      case TIMER.memoryEnd:
        return this.execution.memory.end(argument, context);
      case TIMER.triggered:
        return this.milestone(this.operations.get(argument) as DeviceOperation, 'triggered', context);
      case TIMER.poll:
        return this.see(argument, context);
      case TIMER.polling:
        return this.execution.polling.pass(context);
      case TIMER.frontEnd:
        return this.frontEnd.pass(context);
      case TIMER.scheduler:
        return this.scheduler.pass(context);
      case TIMER.gridEligible:
        return this.scheduler.add(this.grids.get(argument) as Grid, context);
      case TIMER.gridStarted:
        return this.milestone(this.operations.get(argument) as DeviceOperation, 'started', context);
      case TIMER.flushed:
        return this.finish(this.operations.get(argument) as DeviceOperation, context);
      case TIMER.release:
        return this.release(argument, context);
      case TIMER.copyStart:
        return this.requestTransfer(this.operations.get(argument) as DeviceOperation, context);
      default:
        return this.proceed(this.operations.get(argument) as DeviceOperation, context);
    }
  }

  /** Flags that blocks still await. */
  awaitedFlags(): { flag: string; value: number; op: number }[] {
    return this.flags.awaited();
  }

  private accept(command: Command, context: Context): void {
    for (const copy of this.unseen) this.see(copy.op, context);
    const operation = new DeviceOperation(command.op, command.stream, command, false, context.now);
    this.operations.set(command.op, operation);
    const tail = this.tails[command.stream];
    conditionsOfCommand(operation, command, tail, this.operations, this.spec.times, context.now);
    this.tails[command.stream] = { operation, before: command.type === 'record' ? tail : undefined };
    const queue = this.frontEnd.queueOf(this.streamOrdinal[command.stream] ?? 0);
    operation.unit = `queue ${queue}`;
    if (command.type === 'record') this.considerRecord(operation, context);
    else if (usesQueue(command)) this.frontEnd.enqueue(queue, operation, context);
    else this.considerOffQueue(operation, context);
  }

  /** A record completes with what is before it; a timing event takes its time for the stamp. */
  private considerRecord(operation: DeviceOperation, clock: Clock): void {
    if (operation.pending > 0 || operation.issued) return;
    operation.issued = true;
    operation.processing = clock.now;
    const timing = operation.work.type === 'record' && operation.work.timing;
    if (timing) clock.timer(clock.now + this.spec.times.timingRecord, PRIORITY.step, TIMER.operation, operation.op);
    else this.proceed(operation, clock);
  }

  /** Copies by engine, host functions and graphs leave the hardware queue free while they wait. */
  private considerOffQueue(operation: DeviceOperation, clock: Clock): void {
    if (operation.pending > 0 || operation.issued) return;
    operation.issued = true;
    operation.processing = clock.now;
    this.issue(operation, Math.max(clock.now, operation.eligible), clock);
  }

  private issue(operation: DeviceOperation, eligible: number, clock: Clock): void {
    const { work, op } = operation;
    const grid = this.grid(operation, work, eligible);
    if (grid === undefined) {
      clock.timer(eligible, PRIORITY.step, TIMER.operation, op);
      return;
    }
    this.grids.set(op, grid);
    if (operation.orderPending === 0) grid.release = this.releaseTime(operation, clock.now);
    clock.timer(eligible, PRIORITY.step, TIMER.gridEligible, op);
  }

  /** The grid that an operation runs as, if it runs on the SMs. */
  private grid(operation: DeviceOperation, work: Work, eligible: number): Grid | undefined {
    if (work.type === 'kernel') {
      const { priority, triggerAtStart, cooperative } = work;
      const body = this.body(work.kernel);
      const blockIndices = this.indices(body.blocks);
      return new Grid(operation, body, { priority, triggerAtStart, cooperative, eligible, blockIndices });
    }
    if (work.type !== 'memset' && (work.type !== 'copy' || work.copy !== 'deviceToDevice')) return undefined;
    const priority = this.spec.streams[operation.stream]?.priority ?? 0;
    const blockIndices = this.indices(this.spec.times.copyWithinBlocks);
    const body = trafficBody(work, operation.inGraph, this.spec.limits, this.spec.times);
    return new Grid(operation, body, { priority, triggerAtStart: false, cooperative: false, eligible, blockIndices });
  }

  /** An operation without blocks begins, or goes on. */
  private proceed(operation: DeviceOperation, clock: Clock): void {
    const { work, op } = operation;
    const { times } = this.spec;
    switch (work.type) {
      case 'record':
      case 'wait':
      case 'empty':
        operation.start = operation.end = clock.now;
        return this.finish(operation, clock);
      case 'graph':
        return this.startGraph(operation, work, clock);
      case 'copy':
        return this.engines.ready(operation, copyRoute(work, this.spec.index, times).engine, clock.now);
      case 'hostFunction':
        return this.hostFunction(operation, work.duration, clock);
      case 'pool':
        operation.start = clock.now;
        operation.end = clock.now + times.poolOperation;
        clock.timer(operation.end, PRIORITY.step, TIMER.flushed, op);
        return;
      case 'kernel':
      case 'memset':
        throw new Error(`operation ${op} runs on the SMs`);
    }
  }

  /** Host functions run one at a time (rule 5.12). */
  private hostFunction(operation: DeviceOperation, duration: number, clock: Clock): void {
    operation.start = Math.max(clock.now, this.hostFunctionFree);
    operation.end = operation.start + duration;
    this.hostFunctionFree = operation.end;
    clock.timer(operation.end + this.spec.times.hostFunctionReturn, PRIORITY.step, TIMER.flushed, operation.op);
  }

  private startTransfer(operation: DeviceOperation, _engine: EngineName, now: number): void {
    operation.start = now;
    const { latency } = copyRoute(operation.work as CopyWork, this.spec.index, this.spec.times);
    const ask = Math.max(0, latency - this.spec.times.transferAnswer);
    this.context?.timer(now + ask, PRIORITY.step, TIMER.copyStart, operation.op);
  }

  private requestTransfer(operation: DeviceOperation, context: Context): void {
    const work = operation.work as CopyWork;
    const { ports, limit } = copyRoute(work, this.spec.index, this.spec.times);
    const message: TransferMessage = { type: 'transfer', id: operation.op, bytes: work.bytes, ports, limit };
    context.send(this.spec.fabric, 0, message);
  }

  private transferEnded(op: number, actual: number, alone: number, clock: Clock): void {
    const operation = this.operations.get(op) as DeviceOperation;
    const { engine } = copyRoute(operation.work as CopyWork, this.spec.index, this.spec.times);
    operation.addShared('link', actual, alone);
    operation.end = clock.now;
    this.engines.ended(operation, engine, clock.now);
    this.finish(operation, clock);
  }

  private startGraph(operation: DeviceOperation, work: GraphCommand, clock: Clock): void {
    operation.start = clock.now;
    operation.childrenLeft = work.graph.nodes.length;
    if (operation.childrenLeft === 0) {
      operation.end = clock.now;
      this.finish(operation, clock);
      return;
    }
    const nodes = work.graph.nodes.map((node, i) => {
      const child = new DeviceOperation(operation.op + 1 + i, operation.stream, node.work as Work, true, clock.now);
      child.parent = operation;
      this.operations.set(child.op, child);
      return child;
    });
    work.graph.nodes.forEach((node, i) => {
      const child = nodes[i] as DeviceOperation;
      conditionsOfNode(child, node, nodes, operation, this.spec.times, clock.now);
      child.unit = 'graph';
    });
    for (const child of nodes) this.consider(child, clock);
  }

  private gridEnded(grid: Grid, clock: Clock): void {
    const { times } = this.spec;
    const { operation, body } = grid;
    const large = body.blocks >= times.largeGrid ? times.completionFlushLarge : 0;
    const kernel = operation.work.type === 'kernel';
    const flush = !kernel ? 0 : (operation.inGraph ? times.completionFlushGraph : times.completionFlush) + large;
    operation.sms = grid.countSms();
    this.grids.delete(operation.op);
    this.frontEnd.gridEnded(clock);
    clock.timer(clock.now + flush, PRIORITY.step, TIMER.flushed, operation.op);
  }

  /** An operation's own work is done; it completes now, or when its predecessors have. */
  private finish(operation: DeviceOperation, clock: Clock): void {
    operation.done = clock.now;
    if (operation.orderPending === 0) this.complete(operation, clock);
  }

  /** Completes an operation, and those behind it that were only waiting for their turn. */
  private complete(first: DeviceOperation, clock: Clock): void {
    const turn = [first];
    for (let operation = turn.shift(); operation !== undefined; operation = turn.shift()) {
      this.milestone(operation, 'triggered', clock);
      this.milestone(operation, 'started', clock);
      this.milestone(operation, 'complete', clock);
      if (usesCopyEngine(operation.work)) this.awaitLook(operation, clock);
      this.report(operation, clock);
      for (const successor of operation.takeSuccessors()) {
        successor.orderPending--;
        successor.orderedAt = clock.now;
        if (successor.orderPending > 0) continue;
        this.scheduleRelease(successor, clock);
        if (!Number.isNaN(successor.done)) turn.push(successor);
      }
    }
  }

  /** The compute queues look for a copy's completion at intervals that began when its order was satisfied. */
  private awaitLook(copy: DeviceOperation, clock: Clock): void {
    const { copyPollFirst, copyPollPeriod } = this.spec.times;
    const since = clock.now - copy.ready - copyPollFirst;
    const periods = since <= 0 ? 0 : Math.ceil(since / copyPollPeriod);
    this.unseen.add(copy);
    clock.timer(copy.ready + copyPollFirst + periods * copyPollPeriod, PRIORITY.step, TIMER.poll, copy.op);
  }

  private see(op: number, clock: Clock): void {
    const copy = this.operations.get(op) as DeviceOperation;
    if (this.unseen.delete(copy)) this.milestone(copy, 'seen', clock);
  }

  /** Tells the host how far the stream has come; a graph's node tells its launch. */
  private report(operation: DeviceOperation, clock: Clock): void {
    const { parent } = operation;
    if (parent !== undefined) {
      if (--parent.childrenLeft > 0) return;
      parent.end = clock.now;
      this.finish(parent, clock);
      return;
    }
    const message: ProgressMessage = { type: 'progress', stream: operation.stream, op: operation.op };
    this.context?.send(this.spec.host, this.spec.times.progressVisible, message);
  }

  private triggered(operation: DeviceOperation, byExit: boolean, clock: Clock): void {
    const at = clock.now + (byExit ? this.spec.times.blockExit : 0);
    if (operation.foresee('triggered', at)) return;
    if (byExit) clock.timer(at, PRIORITY.step, TIMER.triggered, operation.op);
    else this.milestone(operation, 'triggered', clock);
  }

  private milestone(operation: DeviceOperation, milestone: Milestone, clock: Clock): void {
    for (const woken of operation.reach(milestone, clock.now)) this.consider(woken, clock);
  }

  /** An operation's last condition came to hold. */
  private consider(operation: DeviceOperation, clock: Clock): void {
    if (operation.pending > 0 || operation.issued) return;
    const { work } = operation;
    if (operation.inGraph) {
      if (runsOnSms(work)) this.frontEnd.enqueueNode(operation, clock);
      else this.considerOffQueue(operation, clock);
    } else if (work.type === 'record') this.considerRecord(operation, clock);
    else if (usesQueue(work)) this.frontEnd.request(clock);
    else this.considerOffQueue(operation, clock);
  }

  private scheduleRelease(operation: DeviceOperation, clock: Clock): void {
    if (!this.grids.has(operation.op)) return;
    clock.timer(this.releaseTime(operation, clock.now), PRIORITY.step, TIMER.release, operation.op);
  }

  /** When the waits of a grid return whose prerequisites are all complete. */
  private releaseTime({ orderedAt }: DeviceOperation, now: number): number {
    return Math.max(now, orderedAt > 0 ? orderedAt + this.spec.times.waitRelease : 0);
  }

  private release(op: number, clock: Clock): void {
    const grid = this.grids.get(op);
    if (grid !== undefined) this.execution.release(grid, clock);
  }

  private announce(flag: string, value: number): void {
    const message: FlagMessage = { type: 'flag', flag, value };
    const delay = this.spec.times.progressVisible;
    this.context?.send(this.spec.host, delay, message);
    for (const device of this.spec.otherDevices) this.context?.send(device, delay, message);
  }

  private indices(blocks: number): Uint32Array {
    if (this.blockIndices.length < blocks) this.blockIndices = Uint32Array.from({ length: 2 * blocks }, (_, i) => i);
    return this.blockIndices;
  }

  private body(kernel: number): KernelBody {
    const known = this.bodies[kernel];
    if (known !== undefined) return known;
    const body = compileBody(this.spec.kernels[kernel] as Kernel, this.spec.limits, this.spec.times);
    this.bodies[kernel] = body;
    return body;
  }
}

/** Work that the compute queues carry: launches, what runs as a launch, and waits. */
function usesQueue(work: Work): boolean {
  return runsOnSms(work) || work.type === 'wait' || work.type === 'pool';
}
