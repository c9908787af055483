import type { Access, Analysis } from './analyse.ts';
import { type Finding, type Level, RULES, type RuleId } from './findings.ts';
import { canHoldGriddepcontrol } from './griddepcontrol.ts';
import type { Independent } from './independent.ts';
import { type Instruction, outermost, type SourcePlace } from './instruction.ts';
import type { LintOptions } from './lint-options.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import type { Origin } from './origins.ts';
import { VARIES } from './value.ts';
import { isWait } from './waiting.ts';

/** Findings of one kernel, in the order of the file. */
export function lintKernel(
  kernel: PtxFunction,
  module: PtxModule,
  analysis: Analysis,
  independent: Independent,
  options: LintOptions,
): Finding[] {
  const linter = new KernelLinter(kernel, module, analysis, independent, options);
  return linter.findings().sort((a, b) => a.line - b.line || a.column - b.column);
}

class KernelLinter {
  readonly #kernel: PtxFunction;
  readonly #module: PtxModule;
  readonly #analysis: Analysis;
  readonly #independent: Independent;
  readonly #options: LintOptions;
  /** The first wait of each source file. */
  readonly #firstWaits: ReadonlyMap<string, SourcePlace>;

  constructor(
    kernel: PtxFunction,
    module: PtxModule,
    analysis: Analysis,
    independent: Independent,
    options: LintOptions,
  ) {
    this.#kernel = kernel;
    this.#module = module;
    this.#analysis = analysis;
    this.#independent = independent;
    this.#options = options;
    this.#firstWaits = firstWaits(analysis);
  }

  findings(): Finding[] {
    const { waits, accesses } = this.#analysis;
    const general = [...this.#missing(), ...this.#triggers(), ...this.#calls()];
    if (waits.length === 0) return general;
    const dependent = accesses.filter((access) => !this.#isIndependent(access));
    const open = dependent.filter(({ covered, operation }) => !covered && operation.mode !== 'prefetch');
    const early = open.map((access) => this.#beforeWait(access));
    const stale = dependent.flatMap(({ covered, operation, instruction, origins }) => {
      if (!covered || !operation.nonCoherent) return [];
      const message = `${opcode(instruction)} reads ${this.#data(origins)} non-coherently`;
      return [this.#at('non-coherent-load', instruction, message)];
    });
    return general.concat(early, stale, this.#divergent(open));
  }

  #missing(): Finding[] {
    const { waits, triggers, unreachable } = this.#analysis;
    const { name } = this.#kernel;
    const none = waits.length + triggers.length + unreachable.length === 0;
    if (waits.length > 0) {
      const message = `${name} waits and never triggers`;
      return triggers.length + unreachable.length > 0 ? [] : [this.#atKernel('no-trigger', message)];
    }
    if (this.#options.expectPdl === true) {
      const old = canHoldGriddepcontrol(this.#module)
        ? 'a macro may have removed it, or the source has none'
        : `code for ${this.#module.target} cannot hold it`;
      return [this.#atKernel('missing-wait', `${name} has no griddepcontrol${none ? '' : '.wait'}: ${old}`)];
    }
    if (none) return [this.#atKernel('no-griddepcontrol', `${name} has no griddepcontrol`)];
    if (triggers.length === 0) return [];
    return [this.#atKernel('trigger-without-wait', `${name} triggers and does not wait`)];
  }

  #triggers(): Finding[] {
    const { unreachable, flat, triggers, triggerReach, accesses } = this.#analysis;
    const found: Finding[] = unreachable.flatMap((at) => {
      const instruction = flat.instructions[at];
      if (instruction === undefined) return [];
      const rule = isWait(instruction) ? 'wait-not-reached' : 'trigger-not-reached';
      return [this.#at(rule, instruction, `no path leads to this ${opcode(instruction)}`)];
    });
    const late = accesses.filter(({ at, operation: { mode } }) => {
      return (mode === 'write' || mode === 'atomic') && triggerReach.behind(at);
    });
    const [first] = triggers;
    const trigger = first === undefined ? undefined : flat.instructions[first];
    const [store] = late;
    if (trigger !== undefined && store !== undefined) {
      const more = late.length > 1 ? ` and ${late.length - 1} more` : '';
      const where = `line ${store.instruction.line}${more}`;
      const level: Level = this.#options.assume === 'strict' ? 'warning' : RULES['store-after-trigger'].level;
      const message = `${opcode(trigger)} may be followed by ${opcode(store.instruction)} in ${where}`;
      found.push({ ...this.#at('store-after-trigger', trigger, message), level });
    }
    return found;
  }

  #calls(): Finding[] {
    const seen = new Set<string>();
    return this.#analysis.flat.unfollowed.flatMap((call) => {
      if (seen.has(call.name)) return [];
      seen.add(call.name);
      return [{ ...this.#atKernel('call-not-followed', `what ${call.name} touches is not known`), ...placeOf(call) }];
    });
  }

  #beforeWait(access: Access): Finding {
    const { instruction, operation, at, origins } = access;
    const { waitReach } = this.#analysis;
    const data = this.#data(origins);
    const verb = operation.mode === 'read' ? 'reads' : 'writes';
    const how = operation.nonCoherent ? ' non-coherently' : '';
    const what = `${opcode(instruction)} ${verb} ${data}${how}`;
    if (!waitReach.behind(at) && !waitReach.ahead(at) && access.roles.length > 0) {
      return this.#at('role-without-wait', instruction, `${what} in a role that never waits`);
    }
    const from = operation.mode === 'read' ? this.#movedFrom(access) : undefined;
    if (from !== undefined) {
      return this.#at('hoisted-load', instruction, `${what} before the wait of ${from}, which its source line follows`);
    }
    const rule = operation.mode === 'read' ? 'read-before-wait' : 'write-before-wait';
    const path = waitReach.behind(at) ? 'on a path without griddepcontrol.wait' : 'before griddepcontrol.wait';
    return this.#at(rule, instruction, `${what} ${path}`);
  }

  /** The source place of a wait that stands behind a load in the code and before it in the source. */
  #movedFrom({ at, instruction }: Access): string | undefined {
    if (instruction.source === undefined || !this.#analysis.waitReach.ahead(at)) return undefined;
    const own = outermost(instruction.source);
    const wait = this.#firstWaits.get(own.file);
    return wait !== undefined && isBefore(wait, own) ? `${wait.file}:${wait.line}` : undefined;
  }

  #divergent(open: readonly Access[]): Finding[] {
    const { waits, waitReach, roles, flow, flat, guardVaries } = this.#analysis;
    const behind = open.some(({ at }) => waitReach.behind(at));
    const blocks = new Set(open.map(({ at }) => flow.blockOf[at] ?? -1));
    return waits.flatMap((at) => {
      const instruction = flat.instructions[at];
      const lanes = (roles.get(flow.blockOf[at] ?? -1) ?? []).filter(({ varies }) => varies === VARIES.byLane);
      const divided = guardVaries(at) === VARIES.byLane || lanes.length > 0;
      if (instruction === undefined || !divided) return [];
      // Accesses that come after it, or on the arm that does not wait.
      const reached =
        behind || lanes.some(({ arms }) => arms.some((arm) => [...blocks].some((b) => arm.blocks.has(b))));
      if (!reached) return [];
      return [this.#at('divergent-wait', instruction, 'only some lanes of a warp execute this griddepcontrol.wait')];
    });
  }

  #isIndependent({ origins }: Access): boolean {
    return origins.every((origin) => {
      if (origin.kind === 'unknown') return false;
      if (origin.kind === 'variable') return origin.space === 'const' || this.#independent.variables.has(origin.name);
      return this.#independent.parameters.has(origin.index);
    });
  }

  #data(origins: readonly Origin[]): string {
    return origins.map((origin) => dataOf(origin, this.#kernel)).join(' or ');
  }

  #at(rule: RuleId, { line, column, source }: Instruction, message: string): Finding {
    return { ...this.#atKernel(rule, message), line, column, ...(source === undefined ? {} : { source }) };
  }

  #atKernel(rule: RuleId, message: string): Finding {
    const { name: kernel, line, column } = this.#kernel;
    return { rule, level: RULES[rule].level, message, kernel, file: this.#module.file, line, column };
  }
}

function firstWaits({ waits, flat }: Analysis): ReadonlyMap<string, SourcePlace> {
  const first = new Map<string, SourcePlace>();
  for (const at of waits) {
    const source = flat.instructions[at]?.source;
    if (source === undefined) continue;
    const place = outermost(source);
    const known = first.get(place.file);
    if (known === undefined || isBefore(place, known)) first.set(place.file, place);
  }
  return first;
}

function isBefore(a: SourcePlace, b: SourcePlace): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** An origin in words. */
export function dataOf(origin: Origin, kernel: PtxFunction): string {
  if (origin.kind === 'unknown') return 'an unknown address';
  if (origin.kind === 'variable') return origin.name;
  const name = `${kernel.parameters[origin.index]?.name ?? '?'} (parameter ${origin.index})`;
  return origin.kind === 'through' ? `what a pointer loaded from ${name} points to` : name;
}

function opcode({ op }: Instruction): string {
  return op.join('.').slice(0, 80);
}

function placeOf({ line, column }: { readonly line: number; readonly column: number }) {
  return { line, column };
}
