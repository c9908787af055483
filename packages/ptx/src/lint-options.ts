export interface LintOptions {
  /** Parameters (by name, by index, or either after `KERNEL:`) and variables that no earlier kernel writes. */
  readonly independent?: readonly string[];
  /** The kernels are launched with programmatic stream serialisation, so they must wait. */
  readonly expectPdl?: boolean;
  /** `strict`: a wait is taken to publish only what was written before the trigger (docs/DESIGN.md). */
  readonly assume?: 'contract' | 'strict';
}
