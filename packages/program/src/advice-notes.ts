import type { Call } from './calls.ts';
import type { Kernel, Phase } from './kernel.ts';
import type { Program } from './program.ts';

/** Something legal that is rarely meant. */
export interface ProgramWarning {
  /** Number in docs/RULES.md, such as `5.5`; empty where the program, not CUDA, is what is unusual. */
  readonly rule: string;
  /** `file:line:column` where the call stands in a file, else its place in the program. */
  readonly place: string;
  readonly message: string;
}

/** Collects warnings; those with the same words are kept once, with how many more there are. */
export interface Notes {
  add(rule: string, place: string, message: string): void;
  list(): ProgramWarning[];
}

export function notes(): Notes {
  const found = new Map<string, { warning: ProgramWarning; count: number }>();
  return {
    add(rule, place, message) {
      const known = found.get(message);
      if (known === undefined) found.set(message, { warning: { rule, place, message }, count: 1 });
      else known.count += 1;
    },
    list: () =>
      [...found.values()].map(({ warning, count }) =>
        count === 1 ? warning : { ...warning, message: `${warning.message}; and ${count - 1} more alike` },
      ),
  };
}

/** Whether the loaded code of a kernel has such an instruction; undefined for PTX, which is not read. */
export function hasPhase({ body, griddepcontrol }: Kernel, op: Phase['op']): boolean | undefined {
  if (body.kind === 'ptx') return undefined;
  if ((op === 'wait' || op === 'trigger') && !griddepcontrol) return false;
  return body.kind === 'phases' && body.roles.some(({ phases }) => phases.some((phase) => phase.op === op));
}

/** The problem of a launch whose blocks meet though nothing makes all of them resident. */
export function gridBarrierProblem(
  program: Program,
  call: Extract<Call, { kind: 'launchKernel' }>,
): string | undefined {
  const kernel = program.kernels.get(call.kernel);
  if (kernel === undefined || call.attributes.cooperative === true || hasPhase(kernel, 'gridBarrier') !== true) {
    return undefined;
  }
  return `kernel "${kernel.name}" has a gridBarrier but is not launched cooperative: its blocks may not all be resident, and then wait forever`;
}
