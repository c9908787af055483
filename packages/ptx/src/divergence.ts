import type { ControlFlow } from './control-flow.ts';
import type { Instruction } from './instruction.ts';
import { VARIES, type Varies } from './value.ts';
import type { Values } from './values.ts';

const MOST_VISITS = 3_000_000;
const MOST_ROUNDS = 4;

/** A branch that threads of a block take differently. */
export interface Division {
  /** The block that ends with it, and the instruction. */
  readonly block: number;
  readonly at: number;
  /** By warp or by lane. */
  readonly varies: Varies;
  /** Every block has threads that go either way: nothing but the thread index decides. */
  readonly threadOnly: boolean;
  readonly arms: readonly Arm[];
  /** Block where the arms meet. */
  readonly meet: number;
}

export interface Arm {
  readonly first: number;
  /** Blocks from there up to where the arms meet. */
  readonly blocks: ReadonlySet<number>;
}

/** Finds the branches that divide threads; what values are depends on them and they on values, so both settle together. */
export function divide(instructions: readonly Instruction[], flow: ControlFlow, values: Values): readonly Division[] {
  let divisions: Division[] = [];
  let known = new Uint8Array(flow.blocks.length);
  const regions = new Regions(flow);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    values.settle(known as ArrayLike<number> as ArrayLike<Varies>);
    divisions = flow.blocks.flatMap((_, block) => divisionAt(block, instructions, flow, values, regions) ?? []);
    const varies = new Uint8Array(flow.blocks.length);
    for (const division of divisions) {
      for (const { blocks } of division.arms) {
        for (const block of blocks) varies[block] = Math.max(varies[block] ?? 0, division.varies);
      }
    }
    if (varies.every((value, block) => value === known[block])) break;
    known = varies;
  }
  return divisions;
}

function divisionAt(
  block: number,
  instructions: readonly Instruction[],
  flow: ControlFlow,
  values: Values,
  regions: Regions,
): Division | undefined {
  const { next = [], to = 0 } = flow.blocks[block] ?? {};
  if (next.length < 2 || flow.reachable[block] !== true) return undefined;
  const at = to - 1;
  const instruction = instructions[at];
  const decisive = instruction?.op[0] === 'brx' ? instruction.operands[0] : undefined;
  const value = decisive === undefined ? values.guard(at) : values.address(decisive, at);
  if (value === undefined || value.varies === VARIES.not) return undefined;
  const meet = flow.meets[block] ?? flow.end;
  const arms = next.map((first) => ({ first, blocks: regions.of(first, meet) }));
  return { block, at, varies: value.varies, threadOnly: value.threadOnly, arms, meet };
}

/** Blocks between two; looked for as long as a bound on the work allows, for that of a large kernel is quadratic. */
class Regions {
  readonly #flow: ControlFlow;
  readonly #known = new Map<string, ReadonlySet<number>>();
  #visits = 0;

  constructor(flow: ControlFlow) {
    this.#flow = flow;
  }

  of(first: number, meet: number): ReadonlySet<number> {
    const key = `${first} ${meet}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = new Set<number>();
    const open = [first];
    for (let block = open.pop(); block !== undefined && this.#visits < MOST_VISITS; block = open.pop()) {
      if (block === meet || found.has(block)) continue;
      found.add(block);
      this.#visits += 1;
      open.push(...(this.#flow.blocks[block]?.next ?? []));
    }
    this.#known.set(key, found);
    return found;
  }
}

/**
 * The divisions that separate roles, by block: on two or more of their arms something still happens that `matters`. Where
 * all arms but one only leave, those who stay are no role.
 */
export function rolesOf(
  divisions: readonly Division[],
  flow: ControlFlow,
  matters: (block: number) => boolean,
): ReadonlyMap<number, readonly Division[]> {
  const alive = new Uint8Array(flow.blocks.length);
  const open = flow.blocks.flatMap((_, block) => (flow.reachable[block] && matters(block) ? [block] : []));
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (alive[block] === 1) continue;
    alive[block] = 1;
    open.push(...(flow.blocks[block]?.previous ?? []));
  }
  const roles = new Map<number, Division[]>();
  for (const division of divisions) {
    if (division.arms.filter(({ first }) => alive[first] === 1).length < 2) continue;
    for (const { blocks } of division.arms) {
      for (const block of blocks) {
        const known = roles.get(block);
        if (known === undefined) roles.set(block, [division]);
        else if (known.at(-1) !== division) known.push(division);
      }
    }
  }
  return roles;
}
