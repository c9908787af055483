/** A place in a source file, as `.loc` gives it, innermost first; `inlinedAt` is where that code was inlined. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly inlinedAt?: SourcePlace;
}

/** An operand: a register, number or name, a vector of them, or an address in brackets. */
export interface Operand {
  readonly memory: boolean;
  /** Registers, names and numbers in order; of an address the base comes first. */
  readonly words: readonly string[];
  /** Number added to the base of an address. */
  readonly offset: number;
}

/** An instruction whose registers and labels are unique in its kernel. */
export interface Instruction {
  /** Opcode with its modifiers, split at the dots: `['ld', 'global', 'nc', 'f32']`. */
  readonly op: readonly string[];
  readonly guard?: { readonly register: string; readonly negated: boolean };
  readonly operands: readonly Operand[];
  /** Indices of instructions that it may branch to; absent if it does not branch. */
  readonly targets?: readonly number[];
  /** Where it stands in the PTX text. */
  readonly line: number;
  readonly column: number;
  readonly source?: SourcePlace;
}

/** The place in the kernel's own source: where inlined code was inlined, at the outermost level. */
export function outermost(source: SourcePlace): SourcePlace {
  let place = source;
  while (place.inlinedAt !== undefined) place = place.inlinedAt;
  return place;
}
