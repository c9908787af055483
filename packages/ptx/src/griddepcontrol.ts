import type { PtxModule } from './module.ts';

const ACTIONS = ['launch_dependents', 'wait'];
const LEAST_CAPABILITY = 90;

/**
 * What is wrong with a griddepcontrol instruction (rule 7.12: these two actions, no operand, sm_90 and PTX 7.8 at
 * least), if anything is.
 */
export function griddepcontrolProblem(
  op: readonly string[],
  operands: number,
  module: Pick<PtxModule, 'version' | 'target' | 'capability'>,
): string | undefined {
  const action = op.slice(1).join('.');
  if (!ACTIONS.includes(action)) {
    const found = action === '' ? 'has no action' : `has no action "${action.slice(0, 40)}"`;
    return `griddepcontrol ${found}; there are ${ACTIONS.join(' and ')} (rule 7.12)`;
  }
  if (operands > 0) return `griddepcontrol.${action} takes no operand (rule 7.12)`;
  const { major, minor } = module.version;
  if (major < 7 || (major === 7 && minor < 8)) {
    return `griddepcontrol wants PTX 7.8 or later, this is ${major}.${minor} (rule 7.12)`;
  }
  if (module.capability < LEAST_CAPABILITY) {
    return `griddepcontrol wants sm_90 or later, the target is ${module.target} (rule 7.12)`;
  }
  return undefined;
}

/** Whether code for this module's target can hold the two instructions (rule 1.18). */
export function canHoldGriddepcontrol({ version, capability }: Pick<PtxModule, 'version' | 'capability'>): boolean {
  return capability >= LEAST_CAPABILITY && (version.major > 7 || (version.major === 7 && version.minor >= 8));
}
