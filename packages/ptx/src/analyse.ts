import { type ControlFlow, controlFlow } from './control-flow.ts';
import { Definitions } from './definitions.ts';
import { type Division, divide, rolesOf } from './divergence.ts';
import { type Bodies, type FlatKernel, flatten } from './flatten.ts';
import type { Instruction } from './instruction.ts';
import { type MemoryOperation, memoryOperation } from './memory-access.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import type { Origin } from './origins.ts';
import { Reach } from './reach.ts';
import { VARIES, type Varies } from './value.ts';
import { Values } from './values.ts';
import { isTrigger, isWait, Waiting } from './waiting.ts';

/** An access of global memory and where it stands. */
export interface Access {
  readonly at: number;
  readonly instruction: Instruction;
  readonly operation: MemoryOperation;
  readonly origins: readonly Origin[];
  /** Behind a wait on every path to it. */
  readonly covered: boolean;
  readonly roles: readonly Division[];
}

/** A kernel's accesses and PDL instructions on its paths. */
export interface Analysis {
  readonly flat: FlatKernel;
  readonly flow: ControlFlow;
  readonly waiting: Waiting;
  /** Indices of the two instructions, those that no path reaches left out. */
  readonly waits: readonly number[];
  readonly triggers: readonly number[];
  readonly unreachable: readonly number[];
  readonly waitReach: Reach;
  readonly triggerReach: Reach;
  readonly accesses: readonly Access[];
  readonly roles: ReadonlyMap<number, readonly Division[]>;
  /** How the guard of an instruction differs among threads. */
  guardVaries(at: number): Varies;
}

/** Throws PtxError if the kernel, or a function that it calls, cannot be read. */
export function analyse(kernel: PtxFunction, module: PtxModule, bodies: Bodies): Analysis {
  const flat = flatten(kernel, bodies);
  const { instructions } = flat;
  const flow = controlFlow(instructions);
  const values = new Values(kernel, module, flat, flow, new Definitions(instructions, flow));
  const divisions = divide(instructions, flow, values);
  const reachable = (at: number) => flow.reachable[flow.blockOf[at] ?? -1] === true;
  const found = instructions.flatMap((instruction, at) => {
    const operation = reachable(at) ? memoryOperation(instruction) : undefined;
    if (operation === undefined) return [];
    const origins = values.sets.list(values.address(operation.address, at)?.origins ?? 0);
    const known = pointers(origins, values);
    return isGlobal(operation, origins) ? [{ at, instruction, operation, origins: known }] : [];
  });
  const touched = new Set(found.map(({ at }) => flow.blockOf[at] ?? -1));
  const matters = flow.blocks.map(
    ({ from, to }, block) => touched.has(block) || instructions.slice(from, to).some(synchronises),
  );
  const roles = rolesOf(divisions, flow, (block) => matters[block] === true);
  const waiting = new Waiting(instructions, flow, values, divisions, roles);
  const all = (is: (instruction: Instruction) => boolean) => instructions.flatMap((one, at) => (is(one) ? [at] : []));
  const waits = all(isWait);
  const triggers = all(isTrigger);
  return {
    flat,
    flow,
    waiting,
    waits: waits.filter(reachable),
    triggers: triggers.filter(reachable),
    unreachable: [...waits, ...triggers].filter((at) => !reachable(at)),
    waitReach: new Reach(flow, waits),
    triggerReach: new Reach(flow, triggers),
    accesses: found.map((access) => ({
      ...access,
      covered: waiting.covered(access.at),
      roles: roles.get(flow.blockOf[access.at] ?? -1) ?? [],
    })),
    roles,
    guardVaries: (at) => values.guard(at)?.varies ?? VARIES.not,
  };
}

/** A generic address that can only be of shared, local or parameter memory is none of global memory. */
function isGlobal({ global, address }: MemoryOperation, origins: readonly Origin[]): boolean {
  if (global) return true;
  const onChip = (origin: Origin) =>
    origin.kind === 'parameterAddress' || (origin.kind === 'variable' && origin.space !== 'global');
  return address.words.length > 0 && (origins.length === 0 || !origins.every(onChip));
}

/** Parameters that are no pointers, such as counts, are how far into something an address goes. */
function pointers(origins: readonly Origin[], values: Values): Origin[] {
  const kept = origins.filter((origin) => origin.kind !== 'parameter' || values.isPointer(origin.index));
  if (kept.length > 0) return kept;
  return origins.length > 0 ? [...origins] : [{ kind: 'unknown' }];
}

function synchronises({ op }: Instruction): boolean {
  return op[0] === 'griddepcontrol' || op[0] === 'bar' || op[0] === 'barrier' || op[0] === 'mbarrier';
}
