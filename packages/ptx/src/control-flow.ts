import type { Instruction } from './instruction.ts';

/** A run of instructions that are executed one after another. */
export interface Block {
  /** Index of the first instruction and of the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Blocks that may follow; empty where threads end. */
  readonly next: readonly number[];
  readonly previous: readonly number[];
}

/** Control-flow graph of a kernel. Block 0 is where it begins; the block after the last is where all threads end. */
export interface ControlFlow {
  readonly blocks: readonly Block[];
  /** Block of each instruction. */
  readonly blockOf: Int32Array;
  /** Whether a path leads there from the beginning. */
  readonly reachable: readonly boolean[];
  /** Immediate post-dominator of each block: where all its ways meet; `end` where they only meet at the end, or never. */
  readonly meets: Int32Array;
  /** The number that stands for the end in `meets`. */
  readonly end: number;
}

/** Instructions after which a thread is no more, unless guarded. */
const ENDS = new Set(['ret', 'exit', 'trap']);

export function controlFlow(instructions: readonly Instruction[]): ControlFlow {
  const starts = new Set([0]);
  instructions.forEach(({ op, targets }, i) => {
    for (const target of targets ?? []) starts.add(target);
    if (targets !== undefined || ENDS.has(op[0] ?? '')) starts.add(i + 1);
  });
  starts.delete(instructions.length);
  const firsts = [...starts].sort((a, b) => a - b);
  const blockOf = new Int32Array(instructions.length + 1).fill(-1);
  firsts.forEach((from, b) => {
    blockOf.fill(b, from, firsts[b + 1] ?? instructions.length);
  });
  const nexts = firsts.map((_, b) => nextBlocks(instructions, (firsts[b + 1] ?? instructions.length) - 1, blockOf));
  const previous: number[][] = firsts.map(() => []);
  nexts.forEach((next, b) => {
    for (const n of next) previous[n]?.push(b);
  });
  const blocks = firsts.map((from, b) => ({
    from,
    to: firsts[b + 1] ?? instructions.length,
    next: nexts[b] ?? [],
    previous: previous[b] ?? [],
  }));
  const end = blocks.length;
  return {
    blocks,
    blockOf,
    reachable: Array.from(reachableFrom(nexts, 0), (seen) => seen === 1),
    meets: postDominators(nexts, previous),
    end,
  };
}

function nextBlocks(instructions: readonly Instruction[], last: number, blockOf: Int32Array): number[] {
  const instruction = instructions[last];
  if (instruction === undefined) return [];
  const next = (instruction.targets ?? []).map((target) => blockOf[target] ?? -1);
  const goesOn = instruction.guard !== undefined || !(instruction.targets || ENDS.has(instruction.op[0] ?? ''));
  if (goesOn && last + 1 < instructions.length) next.push(blockOf[last + 1] ?? -1);
  return [...new Set(next)].filter((block) => block >= 0);
}

/** Which blocks (1) paths from some reach, those included. */
export function reachableFrom(nexts: readonly (readonly number[])[], ...from: readonly number[]): Uint8Array {
  const seen = new Uint8Array(nexts.length);
  const open = [...from];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (seen[block] !== 0) continue;
    seen[block] = 1;
    open.push(...(nexts[block] ?? []));
  }
  return seen;
}

/** Cooper, Harvey and Kennedy's iteration on the reversed graph, with one end for all blocks where threads end. */
function postDominators(nexts: readonly (readonly number[])[], previous: readonly (readonly number[])[]): Int32Array {
  const end = nexts.length;
  const { order, rank } = reversedOrder(nexts, previous);
  const meets = new Int32Array(end + 1).fill(-1);
  meets[end] = end;
  const common = (a: number, b: number) => {
    let [x, y] = [a, b];
    while (x !== y) {
      while ((rank[x] ?? 0) > (rank[y] ?? 0)) x = meets[x] ?? end;
      while ((rank[y] ?? 0) > (rank[x] ?? 0)) y = meets[y] ?? end;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of order) {
      const next = nexts[block] ?? [];
      let found = next.length === 0 ? end : -1;
      for (const n of next) if (meets[n] !== -1) found = found === -1 ? n : common(found, n);
      if (found !== -1 && meets[block] !== found) {
        meets[block] = found;
        changed = true;
      }
    }
  }
  // A block in an endless loop never gets to the end.
  for (let block = 0; block < end; block++) if (meets[block] === -1) meets[block] = end;
  return meets;
}

/** Blocks from the end backwards, so that those after a block come before it where no loop forbids that. */
function reversedOrder(nexts: readonly (readonly number[])[], previous: readonly (readonly number[])[]) {
  const end = nexts.length;
  const exits = nexts.flatMap((next, block) => (next.length === 0 ? [block] : []));
  const before = (block: number): readonly number[] => (block === end ? exits : (previous[block] ?? []));
  const seen = new Uint8Array(end + 1);
  const after: number[] = [];
  const stack: { block: number; at: number }[] = [{ block: end, at: 0 }];
  seen[end] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const block = before(top.block)[top.at++];
    if (block === undefined) {
      after.push(top.block);
      stack.pop();
    } else if (seen[block] === 0) {
      seen[block] = 1;
      stack.push({ block, at: 0 });
    }
  }
  const order = after.reverse();
  const rank = new Int32Array(end + 1).fill(-1);
  order.forEach((block, i) => {
    rank[block] = i;
  });
  return { order: order.filter((block) => block !== end), rank };
}
