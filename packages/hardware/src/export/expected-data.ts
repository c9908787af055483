import { type BufferRange, type Kernel, type Phase, type Program, volume } from '@griddep/program';
import { type Step, stepsOf } from './steps.ts';

/** What memory holds: the tag of the store that wrote it, 0 after a memset, undefined where nobody knows. */
type Tag = number | undefined;
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly tag: Tag;
}

/** The phase of a kernel at a place of the program: `place/role/phase`. */
export function phaseId(place: string, role: number, phase: number): string {
  return `${place}/${role}/${phase}`;
}

/** Tags that stores write, and those that loads must find if every access waits for those before it in the host's order. */
export interface ExpectedData {
  /** By `phaseId` of a store; from 1. */
  readonly written: ReadonlyMap<string, number>;
  /** By `phaseId` of a load; those that nothing can be said of are absent. */
  readonly expected: ReadonlyMap<string, number>;
}

/**
 * Follows what memory holds through a program of one host thread, in the order of its calls. A load is checked where all it
 * reads was written by one store or memset, or copied from there, the same at each launch of its graph. Of programs with
 * several threads no order is known, and nothing is checked.
 */
export function expectedData(program: Program): ExpectedData {
  const written = new Map<string, number>();
  const expected = new Map<string, number>();
  const differing = new Set<string>();
  const memory = new Memory(program);
  if (program.threads.length !== 1) return { written, expected };
  for (const step of stepsOf(program, 0)) {
    const { call } = step;
    if (call.kind === 'memset') memory.write(call.destination, 0);
    else if (call.kind === 'memcpy') memory.copy(call.source, call.destination);
    else if (call.kind === 'launchKernel') launch(program, step, memory, { written, expected, differing });
  }
  for (const id of differing) expected.delete(id);
  return { written, expected };
}

interface Found {
  readonly written: Map<string, number>;
  readonly expected: Map<string, number>;
  readonly differing: Set<string>;
}

function launch(program: Program, step: Step, memory: Memory, found: Found): void {
  if (step.call.kind !== 'launchKernel') return;
  const kernel = program.kernels.get(step.call.kernel);
  if (kernel?.body.kind !== 'phases') return;
  const stores: (() => void)[] = [];
  kernel.body.roles.forEach(({ phases }, role) => {
    phases.forEach((phase, i) => {
      if ((phase.op !== 'load' && phase.op !== 'store') || phase.range === undefined) return;
      const id = phaseId(step.id, role, i);
      const range = rangeOf(phase.range, kernel, step);
      if (phase.op === 'store') {
        const tag = found.written.get(id) ?? found.written.size + 1;
        found.written.set(id, tag);
        const whole = coveredBy(phase, kernel) ? tag : undefined;
        stores.push(() => memory.write(extentOf(range, kernel), whole));
        return;
      }
      const tag = memory.sole(extentOf(range, kernel));
      const before = found.expected.get(id);
      if (tag === undefined || touchesOwn(kernel, step, range) || (before !== undefined && before !== tag))
        found.differing.add(id);
      else found.expected.set(id, tag);
    });
  });
  // What a launch reads of its own it may find before or after its own stores.
  for (const store of stores) store();
}

/** Whether a store of the same launch writes what a load reads. */
function touchesOwn(kernel: Kernel, step: Step, range: BufferRange): boolean {
  if (kernel.body.kind !== 'phases') return false;
  const read = extentOf(range, kernel);
  return kernel.body.roles.some(({ phases }) =>
    phases.some((other) => {
      if (other.op !== 'store' || other.range === undefined) return false;
      const wrote = extentOf(rangeOf(other.range, kernel, step), kernel);
      return (
        wrote.buffer === read.buffer &&
        wrote.offset < read.offset + read.bytes &&
        read.offset < wrote.offset + wrote.bytes
      );
    }),
  );
}

/** A range with the buffer that a launch passes for a parameter. */
export function rangeOf(range: BufferRange, kernel: Kernel, { call }: Pick<Step, 'call'>): BufferRange {
  if (!range.buffer.startsWith('$') || call.kind !== 'launchKernel') return range;
  const name = range.buffer.slice(1);
  const passed = call.args?.[name] ?? kernel.parameters.find((p) => p.name === name)?.buffer;
  return passed === undefined ? range : { ...range, buffer: passed };
}

/** All that the blocks of a grid touch, as one range. */
function extentOf(range: BufferRange, { grid }: Kernel): BufferRange {
  const bytes = range.wrap ?? (volume(grid) - 1) * range.blockStride + range.bytes;
  return { buffer: range.buffer, offset: range.offset, bytes: bytes as BufferRange['bytes'], blockStride: 0 as never };
}

/** Whether the blocks write every word of the extent. */
function coveredBy(phase: Phase & { readonly op: 'load' | 'store' }, { grid }: Kernel): boolean {
  const { range, bytes } = phase;
  if (range === undefined) return false;
  const blocks = volume(grid);
  if (range.bytes % 4 !== 0 || range.offset % 4 !== 0 || range.blockStride % 4 !== 0) return false;
  const wide = [range.bytes, range.offset, range.blockStride].every((n) => n % 16 === 0);
  if (wide && bytes < range.bytes) return false;
  if (blocks > 1 && range.blockStride > range.bytes) return false;
  return range.wrap === undefined || (range.wrap % 16 === 0 && blocks * range.blockStride >= range.wrap);
}

/** What each allocation holds. */
class Memory {
  private readonly segments = new Map<string, Segment[]>();
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  write(range: BufferRange | undefined, tag: Tag): void {
    if (range !== undefined) this.place(range, [{ from: 0, to: range.bytes, tag }]);
  }

  copy(source: BufferRange | undefined, destination: BufferRange | undefined): void {
    if (destination === undefined) return;
    if (source === undefined) {
      this.write(destination, undefined);
      return;
    }
    const { allocation, from } = this.at(source);
    const held = (this.segments.get(allocation) ?? [])
      .filter((s) => s.from < from + source.bytes && s.to > from)
      .map((s) => ({ from: Math.max(0, s.from - from), to: Math.min(source.bytes, s.to - from), tag: s.tag }));
    this.place(destination, held);
  }

  /** The one tag that all of a range holds; undefined where there are several, or some of it is unknown. */
  sole(range: BufferRange): Tag {
    const { allocation, from } = this.at(range);
    const held = (this.segments.get(allocation) ?? []).filter((s) => s.from < from + range.bytes && s.to > from);
    const [first] = held;
    if (first === undefined) return undefined;
    const covered = held.reduce((sum, s) => sum + Math.min(from + range.bytes, s.to) - Math.max(from, s.from), 0);
    return covered === range.bytes && held.every(({ tag }) => tag === first.tag) ? first.tag : undefined;
  }

  private place(range: BufferRange, parts: readonly Segment[]): void {
    const { allocation, from } = this.at(range);
    const to = from + range.bytes;
    const kept = (this.segments.get(allocation) ?? []).flatMap((s): Segment[] => {
      if (s.to <= from || s.from >= to) return [s];
      return [...(s.from < from ? [{ ...s, to: from }] : []), ...(s.to > to ? [{ ...s, from: to }] : [])];
    });
    this.segments.set(allocation, [...kept, ...parts.map((p) => ({ ...p, from: p.from + from, to: p.to + from }))]);
  }

  private at(range: BufferRange): { allocation: string; from: number } {
    const buffer = this.program.buffers.get(range.buffer);
    return { allocation: buffer?.allocation ?? range.buffer, from: (buffer?.offset ?? 0) + range.offset };
  }
}
