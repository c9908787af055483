import type { Instruction, Operand } from './instruction.ts';

/** What an instruction does to global memory, or may do: a generic address can be of another state space. */
export interface MemoryOperation {
  readonly mode: 'read' | 'write' | 'atomic' | 'prefetch';
  /** By the read-only path, which no write of another grid reaches (rule 1.20). */
  readonly nonCoherent: boolean;
  /** By the asynchronous proxy or copy: the thread does not wait for it. */
  readonly asynchronous: boolean;
  /** False if the address is generic. */
  readonly global: boolean;
  readonly address: Operand;
}

const OTHER_SPACES = ['shared', 'local', 'param', 'const'];

/** The access of global memory that an instruction makes; undefined if it makes none. */
export function memoryOperation({ op, operands }: Instruction): MemoryOperation | undefined {
  const [root = '', second = ''] = op;
  const [first, other] = operands.filter(({ memory }) => memory);
  const access = (mode: MemoryOperation['mode'], address: Operand | undefined, more: Partial<MemoryOperation> = {}) =>
    address && { mode, address, nonCoherent: false, asynchronous: false, global: true, ...more };
  switch (root) {
    case 'ld':
    case 'ldu':
    case 'st':
    case 'atom':
    case 'red': {
      if (op.some((part) => OTHER_SPACES.includes(spaceName(part)))) return undefined;
      const mode = root === 'st' ? 'write' : root === 'atom' || root === 'red' ? 'atomic' : 'read';
      return access(mode, first, {
        global: op.includes('global'),
        nonCoherent: op.includes('nc') || root === 'ldu',
        asynchronous: second === 'async',
      });
    }
    case 'multimem':
      return access(second === 'st' ? 'write' : second === 'red' ? 'atomic' : 'read', first);
    case 'prefetch':
    case 'prefetchu':
      return op.includes('local') ? undefined : access('prefetch', first, { global: op.includes('global') });
    case 'discard':
      return access('write', first);
    case 'tex':
    case 'tld4':
      return access('read', first, { nonCoherent: true });
    case 'suld':
      return access('read', first);
    case 'sust':
      return access('write', first);
    case 'sured':
      return access('atomic', first);
    case 'cp': {
      if (op.includes('prefetch')) return access('prefetch', first, { asynchronous: true });
      const [to, from] = op.map(spaceName).filter((part) => part === 'global' || part === 'shared');
      if (from === 'global') return access('read', other, { asynchronous: true });
      if (to === 'global') return access(second === 'reduce' ? 'atomic' : 'write', first, { asynchronous: true });
      return undefined;
    }
    default:
      return undefined;
  }
}

/** `shared::cluster` is shared. */
function spaceName(part: string): string {
  const colon = part.indexOf('::');
  return colon < 0 ? part : part.slice(0, colon);
}
