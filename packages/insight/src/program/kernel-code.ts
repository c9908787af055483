import { type Kernel, type Phase, type Program, type Role as ProgramRole, volume } from '@griddep/program';
import type { Access } from './access.ts';
import { accessOf } from './extent.ts';
import type { Code, Meeting, Role, Step } from './steps.ts';

type Args = Readonly<Record<string, string>>;

const WARP = 32;
/** The first architecture whose code has the two instructions (rules 1.1, 1.18). */
const FIRST_TARGET = 90;

/** The code of kernels as launches run it, made once for each kernel and the buffers passed. */
export class KernelCodes {
  private readonly program: Program;
  private readonly known = new Map<Kernel, Map<string, Code>>();

  constructor(program: Program) {
    this.program = program;
  }

  of(kernel: Kernel, args: Args = {}): Code {
    const key = JSON.stringify(args);
    const codes = this.known.get(kernel) ?? new Map<string, Code>();
    this.known.set(kernel, codes);
    const code = codes.get(key) ?? makeCode(this.program, kernel, args);
    codes.set(key, code);
    return code;
  }
}

/** The same code after a meeting of the members of a collective. */
export function afterMeeting(code: Code, meeting: Meeting): Code {
  const meet: Step = { do: 'meet', meeting };
  const [first = { name: '', steps: [] }, ...others] = code.roles;
  return { ...code, roles: [{ ...first, steps: [meet, ...first.steps] }, ...others] };
}

/** Whether the code that is loaded contains the two instructions, whatever the source says. */
export function hasInstructions({ griddepcontrol, target }: Kernel): boolean {
  const architecture = Number(/^sm_(\d+)/.exec(target ?? '')?.[1] ?? FIRST_TARGET);
  return griddepcontrol && architecture >= FIRST_TARGET;
}

function makeCode(program: Program, kernel: Kernel, args: Args): Code {
  const { body } = kernel;
  const given: readonly ProgramRole[] = body.kind === 'phases' ? body.roles : [{ name: 'all', phases: [] }];
  const roles = given.map((role): Role => ({ name: role.name, steps: stepsOf(program, kernel, role, args) }));
  const steps = roles.flatMap((role) => role.steps);
  const triggers = roles.filter((role) => role.steps.some((step) => step.do === 'trigger')).length;
  return {
    roles,
    isOneWarp: volume(kernel.block) <= WARP,
    triggers,
    triggersAfterWait: triggers > 0 && triggersAfterWait(roles),
    waits: steps.some((step) => step.do === 'wait'),
    publishesEarly: steps.some((step) => step.do === 'trigger' || step.do === 'signal'),
    isOpaque: body.kind === 'ptx',
  };
}

function stepsOf(program: Program, kernel: Kernel, { name, phases }: ProgramRole, args: Args): Step[] {
  const instructions = hasInstructions(kernel);
  const at = (phase: number): Step[] =>
    kernel.accesses
      .filter((access) => access.role === name && access.phase === phase)
      .map((access): Step => ({ do: 'access', access: accessOf(program, kernel, access, args) }));
  const declared = kernel.accesses.filter((access) => access.role === name && access.phase >= phases.length);
  const steps: Step[] = [];
  phases.forEach((phase, index) => {
    const own = stepOf(program, kernel, name, phase, index, args, instructions);
    const beside = at(index);
    // An access in the same phase as a wait is not known to come after it, one beside a trigger not before it.
    if (phase.op === 'wait') steps.push(...beside, ...own);
    else steps.push(...own, ...beside);
  });
  for (const access of declared) steps.push({ do: 'access', access: accessOf(program, kernel, access, args) });
  // The compiler may move loads by the read-only path above the wait (rule 1.20).
  const isEarly = (step: Step): boolean => step.do === 'access' && step.access.nonCoherent;
  return steps.some(isEarly) ? [...steps.filter(isEarly), ...steps.filter((step) => !isEarly(step))] : steps;
}

function stepOf(
  program: Program,
  kernel: Kernel,
  role: string,
  phase: Phase,
  index: number,
  args: Args,
  instructions: boolean,
): Step[] {
  switch (phase.op) {
    case 'load':
    case 'store': {
      if (phase.range === undefined) return [];
      const access: Access = accessOf(
        program,
        kernel,
        {
          ...{ range: phase.range, mode: phase.op === 'load' ? 'read' : 'write', proxy: 'generic', scope: 'device' },
          ...{ role, phase: index },
        },
        args,
      );
      return [{ do: 'access', access }];
    }
    case 'fence':
      return phase.scope === 'block' ? [] : [{ do: 'fence', scope: phase.scope }];
    case 'trigger':
      return instructions ? [{ do: 'trigger', someBlocks: (phase.when?.modulus ?? 1) > 1 }] : [];
    case 'wait':
      return instructions ? [{ do: 'wait' }] : [];
    case 'blockBarrier':
      return [{ do: 'barrier' }];
    case 'gridBarrier':
      return [{ do: 'gridBarrier' }];
    case 'signal':
    case 'await':
      return [{ do: phase.op, flag: phase.flag, value: phase.value }];
    default:
      return [];
  }
}

/** Whether each role's first trigger stands after a wait: its own, or another role's before a barrier between. */
function triggersAfterWait(roles: readonly Role[]): boolean {
  const isBarrier = ({ do: what }: Step): boolean => what === 'barrier' || what === 'gridBarrier';
  const barriersBefore = (steps: readonly Step[], index: number): number =>
    steps.slice(0, index).filter(isBarrier).length;
  let passed = Number.POSITIVE_INFINITY;
  for (const { steps } of roles) {
    const wait = steps.findIndex((step) => step.do === 'wait');
    if (wait >= 0) passed = Math.min(passed, barriersBefore(steps, wait));
  }
  return roles.every(({ steps }) => {
    const trigger = steps.findIndex((step) => step.do === 'trigger');
    if (trigger < 0) return true;
    const wait = steps.findIndex((step) => step.do === 'wait');
    return (wait >= 0 && wait < trigger) || barriersBefore(steps, trigger) > passed;
  });
}
