import { type Access, type Analysis, analyse } from './analyse.ts';
import { counts, type Finding } from './findings.ts';
import { Bodies } from './flatten.ts';
import { checkModuleDeclarations, independentOf } from './independent.ts';
import type { Instruction, SourcePlace } from './instruction.ts';
import { dataOf, lintKernel } from './lint-kernel.ts';
import type { LintOptions } from './lint-options.ts';
import type { MemoryOperation } from './memory-access.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import { RoleNames } from './role-name.ts';
import { type Skeleton, skeletonOf } from './skeleton.ts';

const MOST_FINDINGS = 1000;

/** A place in a PTX file, and in the source it was compiled from where `.loc` tells. */
export interface PtxPlace {
  readonly line: number;
  readonly column: number;
  readonly source?: SourcePlace;
}

export interface AccessReport extends PtxPlace {
  readonly opcode: string;
  readonly mode: MemoryOperation['mode'];
  readonly nonCoherent: boolean;
  readonly asynchronous: boolean;
  /** What the address derives from, in words; several where it depends. */
  readonly data: readonly string[];
  /** Indices of the parameters among these. */
  readonly parameters: readonly number[];
  /** Whether the wait is behind it on every path. */
  readonly afterWait: boolean;
  readonly independent: boolean;
  /** The branch that separates the threads that get here from others, where one does. */
  readonly role?: string;
}

/** What is known of a kernel. */
export interface KernelReport {
  readonly kernel: string;
  readonly parameters: readonly string[];
  readonly waits: readonly PtxPlace[];
  readonly triggers: readonly PtxPlace[];
  readonly accesses: readonly AccessReport[];
  readonly skeleton: Skeleton;
  /** Errors, warnings and notes in the order of the file. */
  readonly findings: readonly Finding[];
  /** How many more there are than are listed. */
  readonly more: number;
}

/**
 * Looks at the kernels of a module one after another.
 *
 * @throws PtxError if the text of a kernel is wrong, or a comment declares what is no parameter independent
 */
export function* lintModule(module: PtxModule, options: LintOptions = {}): Generator<KernelReport> {
  checkModuleDeclarations(module);
  const bodies = new Bodies(module);
  for (const fn of module.functions.values()) {
    // What no kernel calls is read all the same, for the errors in it.
    if (fn.kind === 'func') bodies.of(fn);
    else if (fn.body !== undefined) yield reportOf(fn, module, analyse(fn, module, bodies), options);
  }
}

/** Where the two instructions stand in a kernel of a module. Throws PtxError. */
export function kernelSkeleton(kernel: PtxFunction, module: PtxModule): Skeleton {
  return skeletonOf(analyse(kernel, module, new Bodies(module)));
}

function reportOf(kernel: PtxFunction, module: PtxModule, analysis: Analysis, options: LintOptions): KernelReport {
  const independent = independentOf(kernel, module, options.independent ?? []);
  const findings = lintKernel(kernel, module, analysis, independent, options);
  // What counts comes first when not all fit.
  const kept = new Set([...findings.filter(counts), ...findings.filter((f) => !counts(f))].slice(0, MOST_FINDINGS));
  const { instructions } = analysis.flat;
  const roles = new RoleNames(analysis);
  const places = (list: readonly number[]) => list.flatMap((at) => placeOf(instructions[at]) ?? []);
  return {
    kernel: kernel.name,
    parameters: kernel.parameters.map(({ name }) => name),
    waits: places(analysis.waits),
    triggers: places(analysis.triggers),
    accesses: analysis.accesses.map((access) => accessReport(access, kernel, roles.of(access), independent.parameters)),
    skeleton: skeletonOf(analysis),
    findings: findings.filter((finding) => kept.has(finding)),
    more: findings.length - kept.size,
  };
}

function accessReport(
  access: Access,
  kernel: PtxFunction,
  role: string | undefined,
  independent: ReadonlySet<number>,
): AccessReport {
  const { instruction, operation, origins, covered } = access;
  const { mode, nonCoherent, asynchronous } = operation;
  const parameters = [...new Set(origins.flatMap((origin) => ('index' in origin ? [origin.index] : [])))];
  return {
    opcode: instruction.op.join('.'),
    mode,
    nonCoherent,
    asynchronous,
    data: origins.map((origin) => dataOf(origin, kernel)),
    parameters,
    afterWait: covered,
    independent: origins.every((origin) => 'index' in origin && independent.has(origin.index)),
    ...(role === undefined ? {} : { role }),
    ...(placeOf(instruction) ?? { line: 0, column: 0 }),
  };
}

function placeOf(instruction: Instruction | undefined): PtxPlace | undefined {
  if (instruction === undefined) return undefined;
  const { line, column, source } = instruction;
  return { line, column, ...(source === undefined ? {} : { source }) };
}
