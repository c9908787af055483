import type { Instruction } from './instruction.ts';
import { VARIES, type Value, type Varies } from './value.ts';

const WARP = 32;

/** How the result of an instruction differs among threads, from how its operands do (`values`, one an operand read). */
export function variation(instruction: Instruction, values: readonly (Value | undefined)[]): Varies {
  const { op } = instruction;
  const most = values.reduce<Varies>((all, value) => Math.max(all, value?.varies ?? 0) as Varies, VARIES.not);
  switch (op[0]) {
    case 'mov':
    case 'cvt':
    case 'cvta':
      return most;
    case 'elect':
    case 'activemask':
    case 'match':
      return VARIES.byLane;
    case 'vote':
    case 'redux':
      return most === VARIES.not ? most : VARIES.byWarp;
    case 'shfl':
      // Every lane reads the same one.
      return op.includes('idx') && most !== VARIES.not && number(instruction, 2) !== undefined
        ? VARIES.byWarp
        : spread(most);
    case 'shr':
      return most === VARIES.asThreadIndex && (number(instruction, 2) ?? 0) >= 5 ? VARIES.byWarp : spread(most);
    case 'div':
      return most === VARIES.asThreadIndex && multiple(number(instruction, 2)) ? VARIES.byWarp : spread(most);
    case 'and':
      return most === VARIES.asThreadIndex ? masked(number(instruction, 2) ?? number(instruction, 1)) : spread(most);
    case 'setp':
      return compared(instruction, most);
    default:
      return spread(most);
  }
}

/** Any function of the thread index differs by lane. */
function spread(varies: Varies): Varies {
  return varies === VARIES.asThreadIndex ? VARIES.byLane : varies;
}

/** A comparison of the thread index with a whole number of warps tells warps apart. */
function compared(instruction: Instruction, most: Varies): Varies {
  if (most !== VARIES.asThreadIndex) return most;
  const comparison = instruction.op[1] ?? '';
  const value = number(instruction, 2);
  if (value === undefined) return VARIES.byLane;
  const whole = ['lt', 'lo', 'ge', 'hs'].includes(comparison) && multiple(value);
  const last = ['gt', 'hi', 'le', 'ls'].includes(comparison) && multiple(value + 1);
  return whole || last ? VARIES.byWarp : VARIES.byLane;
}

/** Low bits of five or more are the index within a block that is no larger; without the low five it names the warp. */
function masked(mask: number | undefined): Varies {
  if (mask === undefined) return VARIES.byLane;
  const bits = mask >>> 0;
  if ((bits & (WARP - 1)) === 0) return VARIES.byWarp;
  const low = (bits & (bits + 1)) === 0 && bits >= WARP - 1;
  return low && bits > WARP - 1 ? VARIES.asThreadIndex : VARIES.byLane;
}

function multiple(value: number | undefined): boolean {
  return value !== undefined && value > 0 && value % WARP === 0;
}

/** An operand that is a number. */
function number({ operands }: Instruction, index: number): number | undefined {
  const { words = [], memory = true } = operands[index] ?? {};
  const [word] = words;
  if (memory || words.length !== 1 || word === undefined || !/^-?\d/.test(word)) return undefined;
  const value = Number(word.replace(/U$/, ''));
  return Number.isNaN(value) ? undefined : value;
}
