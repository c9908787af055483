import type { ControlFlow } from './control-flow.ts';
import { reachableFrom } from './control-flow.ts';
import type { Instruction, Operand } from './instruction.ts';
import type { Values } from './values.ts';

const MOST_SITES = 400;

/** Instructions at which threads of a block meet, or pass one another word that they got there. */
export class Barriers {
  /** Sites that all threads pass together, whoever got there first. */
  readonly #sites: readonly Site[];
  readonly #flow: ControlFlow;
  readonly #reach = new Map<number, Uint8Array>();

  constructor(instructions: readonly Instruction[], flow: ControlFlow, values: Values) {
    this.#flow = flow;
    const sites: Site[] = [];
    instructions.forEach((instruction, at) => {
      if (flow.reachable[flow.blockOf[at] ?? -1] !== true || sites.length >= MOST_SITES) return;
      const site = siteOf(instruction, at, values);
      if (site !== undefined) sites.push(site);
    });
    this.#sites = sites;
  }

  /** The sites behind which a thread knows that some thread of another role is past its wait. */
  released(waited: (at: number) => boolean): ReadonlySet<number> {
    return new Set(this.#sites.filter((site) => site.waits && this.#isReleased(site, waited)).map(({ at }) => at));
  }

  #isReleased(site: Site, waited: (at: number) => boolean): boolean {
    return this.#sites.some((other) => {
      if (!other.arrives || other === site || other.kind !== site.kind || !waited(other.at)) return false;
      const after = this.#reaches(site.at, other.at);
      const before = this.#reaches(other.at, site.at);
      // A named barrier pairs sites of different roles; one in shared memory also what one thread does for all.
      if (site.kind === 'named') return site.key === other.key && !after && !before;
      return sameObject(site, other) && (!after || before);
    });
  }

  #reaches(from: number, to: number): boolean {
    const [first = 0, last = 0] = [this.#flow.blockOf[from], this.#flow.blockOf[to]];
    if (first === last && from < to) return true;
    let reach = this.#reach.get(first);
    if (reach === undefined) {
      const nexts = this.#flow.blocks.map(({ next }) => next);
      reach = reachableFrom(nexts, ...(nexts[first] ?? []));
      this.#reach.set(first, reach);
    }
    return reach[last] === 1;
  }
}

interface Site {
  readonly at: number;
  readonly kind: 'named' | 'memory';
  /** Number of a named barrier, or the variable of one in shared memory. */
  readonly key: string;
  readonly offset: number;
  readonly arrives: boolean;
  readonly waits: boolean;
}

function sameObject(a: Site, b: Site): boolean {
  if (a.key === '' || a.key !== b.key) return false;
  return a.offset === b.offset || Number.isNaN(a.offset) || Number.isNaN(b.offset);
}

function siteOf(instruction: Instruction, at: number, values: Values): Site | undefined {
  const { op, operands } = instruction;
  if (op[0] === 'bar' || (op[0] === 'barrier' && !op.includes('cluster'))) {
    const key = operands.find(({ words }) => /^\d/.test(words[0] ?? ''))?.words[0];
    if (key === undefined) return undefined;
    return { at, kind: 'named', key, offset: 0, arrives: true, waits: !op.includes('arrive') };
  }
  const memory = operands.filter((operand) => operand.memory);
  if (op[0] === 'mbarrier') {
    const waits = op.includes('try_wait') || op.includes('test_wait');
    const arrives = op.some((part) => part.startsWith('arrive'));
    return waits || arrives ? memorySite(at, memory[0], values, { waits, arrives }) : undefined;
  }
  if (op[0] === 'cp' && op.some((part) => part.startsWith('mbarrier'))) {
    return memorySite(at, memory.at(-1), values, { waits: false, arrives: true });
  }
  return undefined;
}

function memorySite(
  at: number,
  operand: Operand | undefined,
  values: Values,
  does: { readonly waits: boolean; readonly arrives: boolean },
): Site | undefined {
  const place = operand === undefined ? undefined : values.address(operand, at)?.place;
  if (place === undefined) return undefined;
  return { at, kind: 'memory', key: place.variable, offset: place.offset, ...does };
}

/** Whether all threads of the block or cluster meet at an instruction, if no branch keeps some away. */
export function isBlockBarrier({ op, operands }: Instruction): boolean {
  if (op[0] === 'barrier' && op.includes('cluster')) return op.includes('wait');
  if ((op[0] !== 'bar' && op[0] !== 'barrier') || op.includes('arrive') || op.includes('warp')) return false;
  // A second number is how many threads meet.
  const numbers = operands.filter(({ words }) => !/^%p|^p\d/.test(words[0] ?? ''));
  return op.includes('red') ? numbers.length <= 2 : numbers.length <= 1;
}
