import type { BufferRange, Kernel, Phase, Program } from '@griddep/program';
import type { Operation, Timeline } from '@griddep/timeline';

/** Launches of a kernel directly behind one of another in a stream: all of two kernels' names together. */
export interface PairGroup {
  readonly primary: string;
  readonly secondary: string;
  /** By index in the timeline. */
  readonly launches: readonly { readonly primary: number; readonly secondary: number }[];
}

/** Pairs that an early launch could overlap: nothing but records of events without timing between (rule 1.15). */
export function pairGroups(program: Program, { operations }: Timeline): PairGroup[] {
  const groups = new Map<string, { primary: string; secondary: string; launches: PairGroup['launches'][number][] }>();
  const last = new Map<string, number>();
  operations.forEach((operation, secondary) => {
    const { device, stream, kind, name } = operation;
    if (device < 0 || kind === 'graph') return;
    if (kind === 'eventRecord' && program.events.get(name)?.timing === false) return;
    const key = `${device} ${stream}`;
    const primary = last.get(key);
    last.delete(key);
    if (kind !== 'kernel') return;
    last.set(key, secondary);
    if (primary === undefined) return;
    const before = operations[primary] as Operation;
    const names = `${before.name}\n${name}`;
    const group = groups.get(names) ?? { primary: before.name, secondary: name, launches: [] };
    groups.set(names, group);
    group.launches.push({ primary, secondary });
  });
  return [...groups.values()];
}

/** Phases that a block goes through before it waits, over all roles the fewest; what needs no waiting first of all. */
export function phasesBeforeWait(kernel: Kernel): readonly Phase[] | undefined {
  if (kernel.body.kind !== 'phases') return undefined;
  const before = kernel.body.roles.map(({ phases }) => {
    const at = phases.findIndex(({ op }) => op === 'wait');
    return at < 0 ? undefined : phases.slice(0, at).filter(takesTime);
  });
  if (before.some((each) => each === undefined)) return undefined;
  return before.reduce((least, each) => ((each?.length ?? 0) < (least?.length ?? 0) ? each : least), before[0]);
}

function takesTime({ op }: Phase): boolean {
  return op !== 'trigger' && op !== 'wait' && op !== 'fence' && op !== 'blockBarrier';
}

/** How the bytes that two kernels touch are related. */
export type Dependence = 'dependent' | 'independent' | 'unknown';

/** By what the kernels declare to read and write; buffers that launches pass count by their names. */
export function dependence(program: Program, { primary, secondary }: PairGroup): Dependence {
  const [a, b] = [program.kernels.get(primary), program.kernels.get(secondary)];
  if (a === undefined || b === undefined || !isDeclared(a) || !isDeclared(b)) return 'unknown';
  const passed = argumentsOf(program);
  const touched = (kernel: Kernel, onlyWrites: boolean): Set<string> =>
    new Set(
      touches(kernel)
        .filter(({ mode }) => !onlyWrites || mode !== 'read')
        .flatMap(({ range: { buffer } }) => allocations(program, kernel, buffer, passed)),
    );
  const meet = (one: Set<string>, other: Set<string>): boolean => [...one].some((each) => other.has(each));
  const conflict = meet(touched(a, true), touched(b, false)) || meet(touched(b, true), touched(a, false));
  return conflict ? 'dependent' : 'independent';
}

/** The first phase of a secondary that touches what a primary writes, or writes what it reads; 0 where that is not declared. */
export function firstDependentPhase(program: Program, kernel: Kernel, primaries: readonly string[]): number {
  const { body } = kernel;
  if (body.kind !== 'phases' || body.roles.length !== 1) return 0;
  const phases = body.roles[0]?.phases ?? [];
  const passed = argumentsOf(program);
  const others = primaries.map((name) => program.kernels.get(name));
  if (!isDeclared(kernel) || others.some((other) => other === undefined || !isDeclared(other))) return 0;
  const all = (writes: boolean) =>
    new Set(
      others.flatMap((other) =>
        (other === undefined ? [] : touches(other))
          .filter(({ mode }) => !writes || mode !== 'read')
          .flatMap(({ range }) => allocations(program, other as Kernel, range.buffer, passed)),
      ),
    );
  const [written, touched] = [all(true), all(false)];
  const bound = touches(kernel).filter(({ range, mode }) =>
    allocations(program, kernel, range.buffer, passed).some((each) => (mode === 'read' ? written : touched).has(each)),
  );
  return bound.reduce((first, { phase }) => Math.min(first, phase), phases.length);
}

interface Touch {
  readonly range: BufferRange;
  readonly mode: 'read' | 'write' | 'atomic';
  readonly phase: number;
}

/** What a kernel declares to touch: its accesses, and the ranges of what it loads and stores. */
function touches({ accesses, body }: Kernel): Touch[] {
  const phases =
    body.kind === 'phases' ? body.roles.flatMap((role) => role.phases.map((phase, i) => ({ phase, i }))) : [];
  const streamed = phases.flatMap(({ phase, i }): Touch[] =>
    (phase.op === 'load' || phase.op === 'store') && phase.range !== undefined
      ? [{ range: phase.range, mode: phase.op === 'load' ? 'read' : 'write', phase: i }]
      : [],
  );
  return [...accesses, ...streamed];
}

/** It says what it touches, and loads and stores nothing beside. */
function isDeclared(kernel: Kernel): boolean {
  if (kernel.body.kind !== 'phases') return kernel.accesses.length > 0;
  const phases = kernel.body.roles.flatMap((role) => role.phases);
  const isOpen = phases.some((phase) => (phase.op === 'load' || phase.op === 'store') && phase.range === undefined);
  return !isOpen && touches(kernel).length > 0;
}

function argumentsOf({ threads }: Program): Map<string, Set<string>> {
  const passed = new Map<string, Set<string>>();
  for (const { calls } of threads) {
    for (let shape = 0; shape < calls.distinct; shape++) {
      const call = calls.distinctCall(shape);
      if (call.kind !== 'launchKernel') continue;
      for (const [parameter, buffer] of Object.entries(call.args ?? {})) {
        const key = `${call.kernel} ${parameter}`;
        passed.set(key, (passed.get(key) ?? new Set()).add(buffer));
      }
    }
  }
  return passed;
}

function allocations(
  program: Program,
  kernel: Kernel,
  named: string,
  passed: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const parameter = named.startsWith('$') ? named.slice(1) : undefined;
  const own = kernel.parameters.find(({ name }) => name === parameter)?.buffer;
  const given = parameter === undefined ? [named] : [...(passed.get(`${kernel.name} ${parameter}`) ?? [])];
  const buffers = given.length === 0 && own !== undefined ? [own] : given;
  return buffers.map((buffer) => program.buffers.get(buffer)?.allocation ?? buffer);
}

/** Kernels that meet others in memory or over devices: their timing is not theirs alone. */
export function meetsOthers({ body }: Kernel): boolean {
  if (body.kind === 'collective') return true;
  if (body.kind !== 'phases') return false;
  return body.roles.some(({ phases }) => phases.some(({ op }) => op === 'await' || op === 'signal'));
}
