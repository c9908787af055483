import { blocksPerSm } from '@griddep/machine';
import { await_, type PhaseInput, type ProgramBuilder, signal, spin, trigger, volume, wait } from '@griddep/program';
import type { ProfilerOffsets } from '@griddep/timeline';
import type { Findings } from '../findings.ts';
import { Names, nameFrom, shortName } from '../names.ts';
import type { TraceOperation } from '../trace.ts';
import type { MatchedCollective } from './collectives.ts';
import type { GridOverheads } from './grid-overheads.ts';
import type { MachineTimes } from './machine-times.ts';

/** How a kernel takes part in early launches, as times in the profiler's view, ps. */
export interface EarlyLaunch {
  /** From its own start to the start of the kernel that was launched early behind it. */
  readonly nextStart?: number;
  /** From its own start to the end of the kernel before, which it overlaps. */
  readonly previousEnd?: number;
  readonly isInGraph: boolean;
}

/** What a kernel of the program does; equal ones are declared once. */
interface KernelUse {
  readonly operation: TraceOperation;
  /** As the profiler saw it, ps. */
  readonly duration: number;
  readonly device: number;
  readonly early?: EarlyLaunch | undefined;
  readonly collective?: MatchedCollective | undefined;
}

/** Declares the kernels of a trace in a program, each distinct one once. */
export class Kernels {
  readonly #builder: ProgramBuilder;
  readonly #times: MachineTimes;
  readonly #findings: Findings;
  readonly #margin: ProfilerOffsets;
  readonly #overheads: GridOverheads;
  readonly #names = new Names();
  readonly #known = new Map<string, string>();

  constructor(
    builder: ProgramBuilder,
    times: MachineTimes,
    findings: Findings,
    margin: ProfilerOffsets,
    overheads: GridOverheads,
  ) {
    this.#margin = margin;
    this.#overheads = overheads;
    this.#builder = builder;
    this.#times = times;
    this.#findings = findings;
  }

  /** Name of the kernel in the program. */
  declare(use: KernelUse): string {
    const { operation, collective } = use;
    const { grid, block, cluster, registers, staticSharedMemory, dynamicSharedMemory } = operation;
    const body = this.#body(use);
    const key = JSON.stringify([
      operation.name,
      grid,
      block,
      cluster,
      registers,
      staticSharedMemory,
      dynamicSharedMemory,
      body,
    ]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const name = this.#names.unique(nameFrom(operation.name));
    this.#known.set(key, name);
    this.#builder.kernel(name, {
      grid: [...grid],
      block: [...block],
      ...(cluster === undefined || collective !== undefined ? {} : { cluster: [...cluster] }),
      ...(registers > 0 ? { registersPerThread: registers } : {}),
      ...(staticSharedMemory > 0 ? { staticSharedMemory } : {}),
      ...(dynamicSharedMemory > 0 ? { dynamicSharedMemory } : {}),
      ...(typeof body === 'number' ? { duration: body, observer: 'blocks' } : { phases: body }),
    });
    return name;
  }

  /** Duration of the blocks, or the phases of a kernel that others overlap or wait for, ps. */
  #body({ operation, duration, early, collective, device }: KernelUse): number | PhaseInput[] {
    const { lead, tail } = this.#margin;
    const added = lead + tail + this.#overheads.of(operation);
    if (duration <= added) {
      this.#findings.add(
        'assumed',
        'kernels no longer than what a profiler adds: they take no time of their own',
        shortName(operation.name),
      );
    }
    const own = atLeastOne(duration - added);
    if (collective !== undefined) {
      return [
        signal(collective.own),
        ...collective.others.map((flag) => await_(flag)),
        spin(atLeastOne(collective.duration - added)),
      ];
    }
    return early === undefined ? own : this.#earlyPhases(operation, own, device, early);
  }

  /**
   * The kernel waits for the one before until that has ended, and triggers as much before the next one's start as an
   * early launch takes, and as the last of its blocks starts after its first. Of several waves of blocks, all take the same time and the last triggers.
   */
  #earlyPhases(operation: TraceOperation, own: number, device: number, early: EarlyLaunch): PhaseInput[] {
    const { isInGraph, nextStart, previousEnd } = early;
    const { earlyLaunch, earlyLaunchGraph, release, releaseGraph, waitIssue } = this.#times;
    const waves = this.#waves(operation, device);
    const { lead, tail } = this.#margin;
    const released =
      previousEnd === undefined
        ? 0
        : Math.max(waitIssue, previousEnd - lead - tail + (isInGraph ? releaseGraph : release));
    const work = atLeastOne((own - released) / waves);
    const latency = isInGraph ? earlyLaunchGraph : earlyLaunch;
    const at = nextStart === undefined ? undefined : Math.max(0, nextStart - latency - this.#overheads.of(operation));
    if (previousEnd !== undefined && at !== undefined && at < released) {
      return [...spins(at), trigger(), wait(), spin(work)];
    }
    const begin: PhaseInput[] = previousEnd === undefined ? [] : [wait()];
    if (at === undefined) return [...begin, spin(work)];
    const before = Math.min(work, Math.max(0, Math.round(at - released - (waves - 1) * work)));
    return [...begin, ...spins(before), trigger(), ...spins(work - before)];
  }

  #waves(operation: TraceOperation, device: number): number {
    const limits = this.#times.limits[device] ?? this.#times.limits[0];
    if (limits === undefined) return 1;
    const resources = {
      threadsPerBlock: volume(operation.block),
      registersPerThread: Math.max(1, operation.registers),
      sharedMemoryPerBlock: operation.staticSharedMemory + operation.dynamicSharedMemory,
    };
    const occupancy = blocksPerSm(resources, limits);
    return 'error' in occupancy
      ? 1
      : Math.max(1, Math.ceil(volume(operation.grid) / (occupancy.blocksPerSm * limits.sms)));
  }
}

function spins(duration: number): PhaseInput[] {
  return duration > 0 ? [spin(duration)] : [];
}

/** A whole number of picoseconds, at least one. */
function atLeastOne(duration: number): number {
  return Math.max(1, Math.round(duration));
}
