import type { BufferRange, Kernel, Phase, Program } from '@griddep/program';
import { volume } from '@griddep/program';
import type { Operation, Timeline } from '@griddep/timeline';

/** A phase that touches a range, and when the grid's blocks are in it at the earliest and the latest, ps. */
interface Touch {
  readonly operation: Operation;
  readonly range: BufferRange;
  readonly writes: boolean;
  readonly from: number;
  readonly until: number;
}

/**
 * Operations with a read that overlaps the write, by an earlier operation, that it should have seen: the write was not
 * over when the read began. Only what this timeline shows; a race that it happens to avoid is not found.
 *
 * @returns ids of the reading operations, in order of the timeline.
 */
export function staleReads(program: Program, timeline: Timeline): string[] {
  const touches = timeline.operations.flatMap((operation) => {
    const kernel = operation.kind === 'kernel' ? program.kernels.get(operation.name) : undefined;
    return kernel === undefined ? [] : touchesOf(operation, kernel);
  });
  const stale = new Set<string>();
  touches.forEach((read, i) => {
    if (read.writes) return;
    const late = touches.slice(0, i).some((w) => w.writes && w.operation !== read.operation && misses(read, w));
    if (late) stale.add(read.operation.id);
  });
  return [...stale];
}

function misses(read: Touch, write: Touch): boolean {
  return overlaps(read.range, write.range) && read.from < write.until;
}

function overlaps(a: BufferRange, b: BufferRange): boolean {
  return a.buffer === b.buffer && a.offset < b.offset + extent(b) && b.offset < a.offset + extent(a);
}

function extent(range: BufferRange): number {
  return range.wrap ?? Math.max(range.bytes, range.blockStride);
}

/**
 * Where the phases that touch ranges stand: before a wait they are placed from the blocks' start, after it from the
 * wait's return, and the last ones end with the blocks.
 */
function touchesOf(operation: Operation, kernel: Kernel): Touch[] {
  if (kernel.body.kind !== 'phases') return [];
  return kernel.body.roles.flatMap(({ phases }) => {
    const found: Touch[] = [];
    let from = operation.start;
    phases.forEach((phase, i) => {
      if ((phase.op === 'load' || phase.op === 'store') && phase.range !== undefined) {
        const until = i === lastAccess(phases) && !waitsAfter(phases, i) ? operation.end : latest(operation, phases, i);
        const whole = {
          ...phase.range,
          bytes: phase.range.bytes + (volume(kernel.grid) - 1) * phase.range.blockStride,
        };
        found.push({ operation, range: whole, writes: phase.op === 'store', from, until });
      }
      from = phase.op === 'wait' ? operation.firstRelease : from + leastDuration(phase);
    });
    return found;
  });
}

function lastAccess(phases: readonly Phase[]): number {
  return phases.findLastIndex((p) => p.op === 'load' || p.op === 'store');
}

function waitsAfter(phases: readonly Phase[], i: number): boolean {
  return phases.slice(i).some((p) => p.op === 'wait' || p.op === 'trigger');
}

/** The end of a phase at the latest: the next trigger or wait, or the blocks' end. */
function latest(operation: Operation, phases: readonly Phase[], i: number): number {
  const next = phases.slice(i).find((p) => p.op === 'wait' || p.op === 'trigger');
  if (next?.op === 'trigger') return operation.lastTrigger;
  return next?.op === 'wait' ? operation.lastRelease : operation.end;
}

function leastDuration(phase: Phase): number {
  return phase.op === 'spin' || phase.op === 'ramp' ? phase.duration : 0;
}
