import { type Command, OF_NODES } from '@griddep/cuda';
import type { Actor, Context } from '@griddep/engine';
import { flagsAwaitedByKernels } from '../awaited-flags.ts';
import type { DeclareMessage, DeviceInbound, FlagMessage, ProgressMessage } from '../messages.ts';
import { BlockExecution } from './block-execution.ts';
import { BlockLog } from './block-log.ts';
import { BlockScheduler } from './block-scheduler.ts';
import { Completion } from './completion.ts';
import { Copies } from './copies.ts';
import type { DeviceResult } from './device-result.ts';
import type { DeviceSpec } from './device-spec.ts';
import { Flags } from './flags.ts';
import { FrontEnd } from './front-end.ts';
import { GraphRuns } from './graph-runs.ts';
import type { Grid } from './grid.ts';
import { GridMaker } from './grid-maker.ts';
import { L2Cache } from './l2-cache.ts';
import { isMeeting, Meetings } from './meetings.ts';
import { OffSmWork } from './off-sm-work.ts';
import { DeviceOperation } from './operation.ts';
import type { LoggedOperations } from './operation-log.ts';
import { Operations } from './operations.ts';
import { conditionsOfCommand, type KnownOperations, nextTail, requireEvent, type StreamTail } from './ordering.ts';
import { RemoteEvents } from './remote-events.ts';
import { StreamValues } from './stream-values.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';
import { runsOnSms, usesCopyEngine, usesQueue } from './work.ts';

/** Timers whose argument is the number of an operation. */
const OF_OPERATION: ReadonlySet<number> = new Set([
  TIMER.gridEligible,
  TIMER.gridStarted,
  TIMER.flushed,
  TIMER.release,
  TIMER.operation,
  TIMER.triggered,
]);

/** A GPU: the units named in docs/DESIGN.md, and what passes between them. */
export class DeviceActor implements Actor<DeviceInbound> {
  readonly name: string;
  private readonly operations: Operations;
  private readonly blockLog: BlockLog | undefined;
  private readonly spec: DeviceSpec;
  private readonly flags: Flags;
  private readonly awaitedFlags: Set<string>;
  private readonly values: StreamValues;
  private readonly execution: BlockExecution;
  private readonly scheduler: BlockScheduler;
  private readonly frontEnd: FrontEnd;
  private readonly completion: Completion;
  private readonly copies: Copies;
  private readonly remote: RemoteEvents;
  private readonly graphs: GraphRuns;
  private readonly meetings: Meetings;
  private readonly known: KnownOperations;
  private readonly gridMaker: GridMaker;
  private readonly offSms: OffSmWork;
  private readonly tails: (StreamTail | undefined)[] = [];
  private readonly streamOrdinal: number[] = [];
  private ownStreams = 0;
  private readonly grids = new Map<number, Grid>();
  private context: Context | undefined;
  private readonly timers: ((argument: number, context: Context) => void)[] = [];

  constructor(spec: DeviceSpec) {
    this.spec = spec;
    this.name = `device ${spec.index}`;
    this.operations = new Operations(spec.lifts);
    const { times, limits } = spec;
    for (const stream of spec.streams) this.streamOrdinal.push(stream.device === spec.index ? this.ownStreams++ : -1);
    this.blockLog = spec.recordBlocks ? new BlockLog() : undefined;
    this.gridMaker = new GridMaker(spec.kernels, limits, times);
    this.awaitedFlags = new Set(flagsAwaitedByKernels(spec.kernels));
    this.flags = new Flags(
      (track, clock) => this.execution.resume(track, clock),
      (flag, value) => this.announce(flag, value),
      (flag, clock) => this.values.raised(flag, clock),
    );
    this.values = new StreamValues(this.flags, times, (reached, clock) =>
      this.completion.reach(reached, 'complete', clock),
    );
    this.completion = new Completion(times, this.grids, {
      conditionsHold: (operation, clock) => this.consider(operation, clock),
      completed: (operation, clock) => this.completed(operation, clock),
      ordered: (operation, clock) => this.remote.ordered(operation, clock),
      released: (grid, clock) => this.execution.release(grid, clock),
    });
    const cache = new L2Cache(times.l2Usable, spec.buffers);
    this.execution = new BlockExecution(times, this.flags, cache, {
      triggered: (grid, byExit, clock) => this.completion.triggered(grid.operation, byExit, clock),
      ended: (grid, clock) => this.gridEnded(grid, clock),
      roomMade: (grid, clock) => this.scheduler.roomMade(grid, clock),
      ...(this.blockLog === undefined ? {} : { blocksEnded: (cohort, clock) => this.blockLog?.add(cohort, clock.now) }),
    });
    this.scheduler = new BlockScheduler(limits, times, this.execution, spec.blockByBlock, (grid, clock) =>
      this.completion.placed(grid.operation, clock),
    );
    this.frontEnd = new FrontEnd(spec.hardwareQueues, limits.residentGrids, times, (operation, eligible, clock) =>
      this.issue(operation, eligible, clock),
    );
    const engines = { up: limits.copyEnginesUp, down: limits.copyEnginesDown, peer: limits.copyEnginesPeer };
    const { index, fabric, neighbours } = spec;
    const send: Context['send'] = (actor, delay, message) => this.context?.send(actor, delay, message);
    this.copies = new Copies({ device: index, engines, times, fabric, neighbours }, this.operations, send, {
      ended: (operation, clock) => this.completion.finish(operation, clock),
      seen: (operation, clock) => this.completion.reach(operation, 'seen', clock),
      began: (half) => this.operations.add(half),
    });
    this.meetings = new Meetings(index, spec.collectives, times, this.flags, send);
    this.remote = new RemoteEvents(times, neighbours, send, (remote, clock) =>
      this.completion.reach(remote, 'complete', clock),
    );
    this.graphs = new GraphRuns(
      { device: index, times, neighbours },
      this.operations,
      this.remote,
      this.meetings,
      send,
      {
        consider: (operation, clock) => this.consider(operation, clock),
        finish: (operation, clock) => this.completion.finish(operation, clock),
        expectedComplete: (standIn) => this.completion.reach(standIn, 'complete', this.context as Context),
        awaitOutside: (operation, clock) => {
          requireEvent(operation, this.known, times, clock.now);
          this.requireValue(operation, clock);
        },
      },
    );
    this.known = {
      device: index,
      own: this.operations,
      requireRemote: (operation, on, milestone, condition) =>
        this.remote.require(operation, on, milestone, condition, this.context as Context),
    };
    this.offSms = new OffSmWork(
      times,
      this.copies,
      this.completion,
      (operation, work, clock) => this.graphs.start(operation, work, clock),
      (flag, value, clock) => this.flags.signal(flag, value, clock),
    );
    this.connectTimers();
  }

  /** A command of the host, a flag that others signalled, what other devices tell and ask, or what a fabric tells. */
  receive(message: DeviceInbound, source: number, context: Context): void {
    this.context = context;
    switch (message.type) {
      case 'command':
        context.about(message.command.op);
        this.accept(message.command, context);
        break;
      case 'declare':
        this.declare(message);
        break;
      case 'flag':
        this.flags.set(message.flag, message.value, context);
        break;
      case 'watch':
        this.remote.watch(message, this.operations.expect(message.op), context);
        break;
      case 'reached':
        this.remote.reached(message, context);
        break;
      case 'graphPart':
        this.graphs.part(message, context);
        break;
      case 'graphPartDone':
        this.graphs.partDone(message, context);
        break;
      case 'met':
        this.meetings.met(message, context);
        break;
      case 'memoryLoad':
        this.execution.memory.load(source, message.bytesPerSecond, context);
        break;
      default:
        this.copies.receive(message, context);
    }
  }

  /** A timer that a unit set: `code` of TIMER says which, `argument` what it is about. */
  timer(code: number, argument: number, context: Context): void {
    this.context = context;
    if (OF_OPERATION.has(code)) context.about(argument);
    this.timers[code]?.(argument, context);
  }

  /** Operations that are complete and have not been given before, in order of completion. */
  interim(before: number): LoggedOperations | undefined {
    return this.operations.takeFinished(before);
  }

  /** What it has recorded so far. */
  result(): DeviceResult {
    return {
      ...this.operations.result(),
      awaitedFlags: [...this.flags.awaited().filter(({ flag }) => !isMeeting(flag)), ...this.values.awaited()],
      meetings: this.meetings.unfinished(),
      blocks: this.blockLog?.logged(),
    };
  }

  private connectTimers(): void {
    const { execution, timers } = this;
    timers[TIMER.track] = (argument, clock) => execution.timer(argument, clock);
    timers[TIMER.arithmetic] = (_, clock) => execution.arithmetic.recompute(clock);
    timers[TIMER.arithmeticEnd] = (version, clock) => execution.arithmetic.end(version, clock);
    timers[TIMER.memory] = (_, clock) => execution.memory.recompute(clock);
    timers[TIMER.memoryEnd] = (version, clock) => execution.memory.end(version, clock);
    timers[TIMER.polling] = (_, clock) => execution.polling.pass(clock);
    timers[TIMER.frontEnd] = (_, clock) => this.frontEnd.pass(clock);
    timers[TIMER.scheduler] = (_, clock) => this.scheduler.pass(clock);
    timers[TIMER.gridEligible] = (op, clock) => this.scheduler.add(this.grids.get(op) as Grid, clock);
    timers[TIMER.gridStarted] = (op, clock) => this.completion.reach(this.operation(op), 'started', clock);
    timers[TIMER.triggered] = (op, clock) => this.completion.reach(this.operation(op), 'triggered', clock);
    timers[TIMER.flushed] = (op, clock) => this.completion.finish(this.operation(op), clock);
    timers[TIMER.release] = (op, clock) => this.completion.release(op, clock);
    timers[TIMER.operation] = (op, clock) => this.offSms.proceed(this.operation(op), clock);
    timers[TIMER.remoteLook] = (op, clock) => this.remote.look(op, clock);
    timers[TIMER.engines] = (_, clock) => this.offSms.takeEngines(clock);
    timers[TIMER.look] = (op, clock) => this.copies.look(op, clock);
    timers[TIMER.pickUp] = (op, clock) => this.copies.pickUp(op, clock);
  }

  /** The host has created kernels, streams and memory. Devices of one thread share the tables, which all of them fill alike. */
  private declare({ firstKernel, kernels, firstStream, streams, buffers }: DeclareMessage): void {
    const { spec } = this;
    for (const [i, kernel] of kernels.entries()) spec.kernels[firstKernel + i] = kernel;
    for (const buffer of buffers) spec.buffers.set(buffer.name, buffer);
    for (const [i, stream] of streams.entries()) {
      spec.streams[firstStream + i] = stream;
      this.streamOrdinal[firstStream + i] = stream.device === spec.index ? this.ownStreams++ : -1;
    }
    for (const flag of flagsAwaitedByKernels(kernels)) this.awaitedFlags.add(flag);
  }

  /** A command of the host reaches the front end. */
  private accept(command: Command, context: Context): void {
    this.copies.lookNow(context);
    const operation = new DeviceOperation(command.op, command.stream, command, false, context.now);
    this.operations.add(operation);
    const tail = this.tails[command.stream];
    conditionsOfCommand(operation, command, tail, this.known, this.spec.times, context.now);
    this.requireValue(operation, context);
    this.tails[command.stream] = nextTail(operation, tail);
    this.meetings.enter(operation, context);
    const queue = this.frontEnd.queueOf(this.streamOrdinal[command.stream] ?? 0);
    operation.unit = `queue ${queue}`;
    if (usesQueue(command)) this.frontEnd.enqueue(queue, operation, context);
    else this.consider(operation, context);
  }

  private requireValue(operation: DeviceOperation, clock: Clock): void {
    if (operation.work.type === 'waitValue') this.values.require(operation, operation.work, clock.now);
  }

  /** Goes on with an operation if its conditions hold and it has not begun. */
  private consider(operation: DeviceOperation, clock: Clock): void {
    if (operation.pending > 0 || operation.issued) return;
    const { work } = operation;
    if (operation.inGraph && runsOnSms(work)) this.frontEnd.enqueueNode(operation, clock);
    else if (!operation.inGraph && usesQueue(work)) this.frontEnd.request(clock);
    else this.beginOffQueue(operation, clock);
  }

  /** Records, copies by engine, host functions and graphs leave the hardware queue free while they wait. */
  private beginOffQueue(operation: DeviceOperation, clock: Clock): void {
    const { work } = operation;
    operation.issued = true;
    operation.processing = clock.now;
    const from = Math.max(clock.now, operation.eligible);
    if (work.type !== 'record') this.issue(operation, from, clock);
    else if (operation.carrier !== undefined) this.offSms.awaitEngine(operation, clock);
    // A record completes with what is before it; a timing event takes its time for the stamp.
    else if (!work.timing && from === clock.now) this.offSms.proceed(operation, clock);
    else {
      const stamp = work.timing ? this.spec.times.timingRecord : 0;
      clock.timer(from + stamp, PRIORITY.step, TIMER.operation, operation.op);
    }
  }

  /** An operation's grid, or the operation itself if it has none, may begin at `eligible`. */
  private issue(operation: DeviceOperation, eligible: number, clock: Clock): void {
    const priority = this.spec.streams[operation.stream]?.priority ?? 0;
    const grid = this.gridMaker.make(operation, priority, eligible);
    if (grid === undefined) {
      clock.timer(eligible, PRIORITY.step, TIMER.operation, operation.op);
      return;
    }
    this.grids.set(operation.op, grid);
    if (operation.orderPending === 0) grid.release = this.completion.releaseTime(operation, clock.now);
    clock.timer(eligible, PRIORITY.step, TIMER.gridEligible, operation.op);
  }

  /** The last block has exited: the grid gives up its place, and completes after the flush. */
  private gridEnded(grid: Grid, clock: Clock): void {
    const { times } = this.spec;
    const { operation, body } = grid;
    const large = body.blocks >= times.largeGrid ? times.completionFlushLarge : 0;
    const kernel = operation.work.type === 'kernel' || operation.work.type === 'collective';
    const flush = !kernel ? 0 : (operation.inGraph ? times.completionFlushGraph : times.completionFlush) + large;
    operation.sms = grid.countSms(this.spec.limits.sms);
    this.grids.delete(operation.op);
    this.frontEnd.gridEnded(clock);
    clock.timer(clock.now + flush, PRIORITY.step, TIMER.flushed, operation.op);
  }

  /** Tells the host how far the stream has come; a graph's node tells its launch. */
  private completed(operation: DeviceOperation, clock: Clock): void {
    if (usesCopyEngine(operation.work)) this.copies.awaitLook(operation, clock);
    const { parent } = operation;
    // Of a graph's nodes the host can wait for records of events alone.
    if (parent === undefined) this.tellHost(operation.stream, operation.op);
    else if (operation.work.type === 'record') this.tellHost(OF_NODES, operation.op);
    if (parent !== undefined) this.graphs.childDone(parent, clock);
  }

  private tellHost(stream: number, op: number): void {
    const message: ProgressMessage = { type: 'progress', stream, op };
    this.context?.send(this.spec.host, this.spec.times.progressVisible, message);
  }

  /** Tells host and other devices of a flag that a block or a stream of this one signalled. */
  private announce(flag: string, value: number): void {
    const message: FlagMessage = { type: 'flag', flag, value };
    const delay = this.spec.times.progressVisible;
    this.context?.send(this.spec.host, delay, message);
    if (!this.awaitedFlags.has(flag)) return;
    for (const actor of this.spec.neighbours.actors) {
      if (actor !== this.context?.self) this.context?.send(actor, delay, message);
    }
  }

  private operation(op: number): DeviceOperation {
    return this.operations.get(op) as DeviceOperation;
  }
}
