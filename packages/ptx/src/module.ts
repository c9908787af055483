/** A parameter of a kernel or function, as declared. */
export interface PtxParameter {
  readonly name: string;
  /** PTX type without the dot: `u64`, `b8`. */
  readonly type: string;
  /** True if declared `.ptr`. */
  readonly pointer: boolean;
  /** True for an array of bytes, such as a struct or a tensor map. */
  readonly array: boolean;
}

/** A kernel (`.entry`) or device function (`.func`) of a module. Its body is read by `readBody`. */
export interface PtxFunction {
  readonly kind: 'entry' | 'func';
  readonly name: string;
  readonly parameters: readonly PtxParameter[];
  /** What a device function returns in. */
  readonly results: readonly PtxParameter[];
  /** Threads of a block by `.reqntid`, x first. */
  readonly requiredThreads?: readonly number[];
  /** Where the name stands, from 1. */
  readonly line: number;
  readonly column: number;
  /** Where the body begins and ends in the text, its braces left out; absent for a declaration. */
  readonly body?: { readonly from: number; readonly to: number };
  /** Names or indices of parameters that comments `griddep: independent` declare. */
  readonly independent: readonly Declared[];
}

/** A name that stands in a comment of the text. */
export interface Declared {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** A PTX text with the bodies of its functions unread, so that a large file costs memory one kernel at a time. */
export interface PtxModule {
  readonly file: string;
  readonly text: string;
  /** ISA version; 8.10 comes after 8.9. */
  readonly version: { readonly major: number; readonly minor: number };
  /** First target, such as `sm_90a`; `capability` is its number, 90. */
  readonly target: string;
  readonly capability: number;
  readonly targetPlace: { readonly line: number; readonly column: number };
  /** Names of source files by the number that `.loc` uses. */
  readonly sources: ReadonlyMap<number, string>;
  readonly functions: ReadonlyMap<string, PtxFunction>;
  /** Variables of the module by name, and the state space of each: `global`, `shared`, `const`. */
  readonly variables: ReadonlyMap<string, string>;
  /** What comments outside functions declare independent, for all kernels. */
  readonly independent: readonly Declared[];
}
