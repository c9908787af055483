import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';

/** Blocks of a primary that kept an early launch from happening: they had neither triggered nor exited. */
export interface Untriggered {
  readonly primary: number;
  /** When the last of them did, ps. */
  readonly fired: number;
  readonly blocks: number;
  /** Blocks that had not begun, as all SMs were full, when the first of all triggered. */
  readonly notBegun: number;
  readonly firstNotBegun: number;
  /** Blocks that never trigger, so that only their exit counts. */
  readonly neverTrigger: number;
}

/**
 * What kept the trigger of a primary from firing (rules 1.3, 1.4): every block has to trigger or exit.
 *
 * @param timeline with blocks recorded
 */
export function untriggered(timeline: Timeline, primary: number, program: Program): Untriggered | undefined {
  const { blocks, operations } = timeline;
  const operation = operations[primary];
  if (operation === undefined || blocks === undefined) return undefined;
  const first = Number.isNaN(operation.firstTrigger) ? operation.firstEnd : operation.firstTrigger;
  const phases = phasesOf(program, operation.name);
  const conditions = phases.flatMap((phase) => (phase.op === 'trigger' ? [phase.when] : []));
  const triggers = (block: number): boolean =>
    conditions.some((when) => when === undefined || block % when.modulus === when.residue);
  let notBegun = 0;
  let firstNotBegun = -1;
  let neverTrigger = 0;
  for (let i = 0; i < blocks.operation.length; i++) {
    if (blocks.operation[i] !== primary) continue;
    const block = blocks.block[i] as number;
    if (!triggers(block)) neverTrigger++;
    if ((blocks.start[i] as number) <= first) continue;
    if (firstNotBegun < 0) firstNotBegun = block;
    notBegun++;
  }
  const fired = Number.isNaN(operation.lastTrigger) ? operation.end : operation.lastTrigger;
  // A block that never triggers holds it to its exit.
  const at = neverTrigger > 0 ? operation.end : fired;
  return { primary, fired: at, blocks: operation.blocks, notBegun, firstNotBegun, neverTrigger };
}

function phasesOf({ kernels }: Program, name: string) {
  const kernel = kernels.get(name);
  return kernel?.body.kind === 'phases' && kernel.griddepcontrol
    ? kernel.body.roles.flatMap((role) => role.phases)
    : [];
}
