import { kernelResources } from '@griddep/cuda';
import {
  blocksPerSm,
  type DeviceLimits,
  type DeviceTimingName,
  preferredCarveOut,
  SUB_PARTITIONS,
  WARP_SIZE,
} from '@griddep/machine';
import { type BlockCondition, type BufferRange, type Kernel, type Phase, volume } from '@griddep/program';
import type { Constraint } from '../lifts.ts';

/** Warps of a block whose time stamps `stampPhase` and its like cover (docs/RULES.md section 7: two a sub-partition). */
const STAMPED_WARPS = 2 * SUB_PARTITIONS;

/** Device timing constants: picoseconds, bytes per second, or plain numbers. */
export type DeviceTimes = Readonly<Record<DeviceTimingName, number>>;

/** What a step does to memory: `l2` moves data that L2 holds, and does not share the bandwidth of device memory. */
export type Access = 'load' | 'store' | 'copy' | 'l2';

/** The range that a load touches, and the rate at which a block loads what L2 holds of it, bytes per second. */
interface CachedRange {
  readonly range: BufferRange;
  readonly evictFirst: boolean;
  readonly rate: number;
}

/** One step of a track of a block. Durations in ps. */
export type Step =
  | { readonly kind: 'delay'; readonly duration: number }
  /** Polls the timer: takes one of the SM's slots for that, then `after`. */
  | { readonly kind: 'spin'; readonly duration: number; readonly after: number }
  | { readonly kind: 'ramp'; readonly duration: number; readonly modulus: number; readonly after: number }
  | { readonly kind: 'fma'; readonly iterations: number }
  /** `rate` is the most that the block moves alone, bytes per second. */
  | {
      readonly kind: 'memory';
      readonly access: Access;
      readonly bytes: number;
      readonly rate: number;
      readonly cached?: CachedRange;
    }
  | { readonly kind: 'trigger'; readonly cost: number; readonly coResident: number; readonly when?: BlockCondition }
  | { readonly kind: 'wait'; readonly cost: number; readonly coResident: number }
  | { readonly kind: 'blockBarrier' | 'gridBarrier' }
  /** Until the collective that the grid is a member of ends. */
  | { readonly kind: 'rendezvous' }
  | { readonly kind: 'signal' | 'await'; readonly flag: string; readonly value: number };

/** A step that streams bytes. */
export type MemoryStep = Step & { readonly kind: 'memory' };

/** A track: the warps of one role. */
interface TrackBody {
  readonly warps: number;
  readonly steps: readonly Step[];
}

/** A kernel as the device runs it. */
export interface KernelBody {
  readonly blocks: number;
  readonly threads: number;
  readonly warps: number;
  readonly registers: number;
  /** Registers of an SM that warps of this size can have. */
  readonly registersUsable: number;
  readonly sharedMemory: number;
  readonly cluster: number;
  /** Bytes of shared memory that an empty SM is configured for. */
  readonly carveOut: number;
  readonly instrumented: boolean;
  /** Nothing in it spreads the ends of blocks that began together, as waiting for memory does. */
  readonly endsTogether: boolean;
  readonly tracks: readonly TrackBody[];
  /** Blocks whose linear index differs by a multiple of this behave alike. */
  readonly period: number;
  /** Constraints that a question has lifted for one grid of it. */
  readonly lifted?: ReadonlySet<Constraint>;
}

/**
 * Compiles a kernel for a device. Where the loaded image has neither of the two PDL instructions, as one made for an
 * older architecture, the phases that stand for them are nothing (rules 1.18, 1.19).
 *
 * @throws Error if the kernel cannot run there (the runtime has refused such launches before).
 */
export function compileBody(kernel: Kernel, limits: DeviceLimits, times: DeviceTimes): KernelBody {
  const resources = kernelResources(kernel);
  const occupancy = blocksPerSm(resources, limits);
  if ('error' in occupancy) throw new Error(`kernel "${kernel.name}": ${occupancy.message}`);
  const warps = occupancy.warpsPerBlock;
  const tracks = kernelTracks(kernel, warps, limits, occupancy.blocksPerSm, times);
  return {
    blocks: volume(kernel.grid),
    threads: volume(kernel.block),
    warps,
    registers: occupancy.registersPerBlock,
    registersUsable: occupancy.registersUsable,
    sharedMemory: occupancy.sharedMemoryPerBlock,
    cluster: kernel.cluster === undefined ? 1 : volume(kernel.cluster),
    carveOut: preferredCarveOut(resources, limits) ?? limits.sharedMemoryPerSm,
    instrumented: kernel.instrumented,
    endsTogether: !tracks.some((t) => t.steps.some((s) => s.kind === 'memory')),
    tracks,
    period: tracks.reduce((p, t) => t.steps.reduce((q, s) => leastCommonMultiple(q, stepPeriod(s)), p), 1),
  };
}

function kernelTracks(
  kernel: Kernel,
  warps: number,
  limits: DeviceLimits,
  perSm: number,
  times: DeviceTimes,
): TrackBody[] {
  const { body } = kernel;
  if (body.kind === 'phases') {
    const taken = body.roles.reduce((n, role) => n + (role.warps ?? 0), 0);
    const spread = volume(kernel.grid) > 1 ? times.blockEndJitter : 0;
    const end = kernel.instrumented ? times.stampEnd + spread : 0;
    return body.roles.map((role) => ({
      warps: role.warps ?? Math.max(1, warps - taken),
      steps: lengthened(
        role.phases
          .filter(({ op }) => kernel.griddepcontrol || (op !== 'trigger' && op !== 'wait'))
          .flatMap((phase) => steps(phase, kernel, warps, role.warps, times)),
        end,
      ),
    }));
  }
  if (body.kind === 'collective') return [{ warps, steps: [{ kind: 'rendezvous' }] }];
  const duration = body.duration ?? 0;
  const waves = Math.ceil(volume(kernel.grid) / (perSm * limits.sms));
  return [{ warps, steps: [{ kind: 'delay', duration: Math.round(duration / waves) }] }];
}

/** Steps followed by a delay, which the last of them takes in where it is nothing but time. */
function lengthened(steps: Step[], delay: number): Step[] {
  const last = steps[steps.length - 1];
  if (delay === 0) return steps;
  if (last?.kind === 'delay') return [...steps.slice(0, -1), { ...last, duration: last.duration + delay }];
  if (last?.kind === 'spin' || last?.kind === 'ramp')
    return [...steps.slice(0, -1), { ...last, after: last.after + delay }];
  return [...steps, { kind: 'delay', duration: delay }];
}

/**
 * Steps of a phase. An instrumented kernel pays for a barrier and a time stamp after each (case families `gap-*`), and before a load or store
 * for finding its range (`accesses-*`).
 */
function steps(phase: Phase, kernel: Kernel, warps: number, roleWarps: number | undefined, times: DeviceTimes): Step[] {
  const moreWarps = Math.max(0, warps - STAMPED_WARPS);
  const perWarp = kernel.instrumented ? times.stampPerWarp * moreWarps : 0;
  const boundary = kernel.instrumented ? times.stampPhase + perWarp : 0;
  const coResident = kernel.instrumented ? times.stampPerCoResident : 0;
  const after = (step: Step): Step[] => (boundary === 0 ? [step] : [step, { kind: 'delay', duration: boundary }]);
  switch (phase.op) {
    case 'spin':
      return [{ kind: 'spin', duration: phase.duration, after: boundary }];
    case 'ramp':
      return [{ kind: 'ramp', duration: phase.duration, modulus: phase.modulus, after: boundary }];
    case 'fma':
      return after({ kind: 'fma', iterations: phase.iterations });
    case 'load':
    case 'store': {
      const threads = busyThreads(phase.bytes, Math.min(volume(kernel.block), (roleWarps ?? warps) * WARP_SIZE));
      const { range, threadRate = times.threadL2Bandwidth } = phase;
      const cached = range && {
        cached: {
          range,
          evictFirst: phase.evictFirst === true,
          rate: threads * Math.min(threadRate, times.threadL2Bandwidth),
        },
      };
      const before = kernel.instrumented ? times.stampAccess + times.stampAccessPerWarp * moreWarps : 0;
      const access: Step = {
        kind: 'memory',
        access: phase.op,
        bytes: phase.bytes,
        rate: accessRate(phase.op, threads, phase.threadRate, times),
        ...cached,
      };
      return before === 0 ? after(access) : [{ kind: 'delay', duration: before }, ...after(access)];
    }
    case 'fence':
      return after({ kind: 'delay', duration: phase.scope === 'system' ? times.fenceSystem : times.barrier });
    case 'trigger': {
      const cost = kernel.instrumented ? times.stampTrigger + perWarp : times.triggerIssue;
      return [{ kind: 'trigger', cost, coResident, ...(phase.when === undefined ? {} : { when: phase.when }) }];
    }
    case 'wait':
      return [{ kind: 'wait', cost: kernel.instrumented ? times.stampWait + perWarp : times.waitIssue, coResident }];
    case 'blockBarrier':
      return after({ kind: 'blockBarrier' });
    case 'gridBarrier':
      return [{ kind: 'gridBarrier' }, { kind: 'delay', duration: times.gridBarrier + boundary }];
    case 'signal':
      return [{ kind: 'delay', duration: times.flagSignal }, ...after({ kind: 'signal', ...flagOf(phase) })];
    case 'await':
      return [
        { kind: 'await', ...flagOf(phase) },
        { kind: 'delay', duration: times.flagNotice + boundary },
      ];
  }
}

function flagOf({ flag, value }: Phase & { readonly op: 'signal' | 'await' }): { flag: string; value: number } {
  return { flag, value };
}

/** Bytes that a thread loads or stores at once. */
const PIECE = 16;

/** A thread without a piece of its own has nothing in flight: few bytes take as long as one round of a thread. */
function busyThreads(bytes: number, threads: number): number {
  return Math.max(1, Math.min(threads, Math.ceil(bytes / PIECE)));
}

/** A block can have only so much in flight; stores need not be waited for. */
function accessRate(access: 'load' | 'store', threads: number, own: number | undefined, times: DeviceTimes): number {
  const most = own ?? Number.POSITIVE_INFINITY;
  if (access === 'load') return threads * Math.min(most, times.threadBandwidth);
  return Math.min(threads * Math.min(most, times.threadStoreBandwidth), times.blockStoreBandwidth);
}

function stepPeriod(step: Step): number {
  if (step.kind === 'ramp') return step.modulus;
  return step.kind === 'trigger' && step.when !== undefined ? step.when.modulus : 1;
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
