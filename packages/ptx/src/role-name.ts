import type { Access, Analysis } from './analyse.ts';
import { VARIES } from './value.ts';

/**
 * The outermost branch that separates the threads of an access from others by warp, or that has a PDL instruction on
 * only one of its arms: `branch in line 40 taken`.
 */
export function roleName({ at, roles }: Access, { flat, flow, waits, triggers }: Analysis): string | undefined {
  const block = flow.blockOf[at] ?? -1;
  const pdl = new Set([...waits, ...triggers].map((index) => flow.blockOf[index] ?? -1));
  let widest = 0;
  let name: string | undefined;
  for (const division of roles) {
    const size = division.arms.reduce((sum, { blocks }) => sum + blocks.size, 0);
    const separates = division.arms.some(({ blocks }) => [...pdl].some((one) => blocks.has(one)));
    if (size <= widest || (division.varies !== VARIES.byWarp && !separates)) continue;
    widest = size;
    const branch = flat.instructions[division.at];
    const arm = division.arms.find(({ blocks }) => blocks.has(block));
    const taken = branch?.targets?.some((target) => flow.blockOf[target] === arm?.first) === true;
    name = `branch in line ${branch?.line ?? 0} ${taken ? 'taken' : 'not taken'}`;
  }
  return name;
}
