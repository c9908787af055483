import { type Kernel, nearestName, type Program, ProgramError } from '@griddep/program';

/** Launches of one kernel that took another time are kernels `name ~2`, `name ~3` of a program made of a trace. */
const VARIANT = / ~\d+$/;

/** The name of a kernel without the number of its variant. */
export function baseName(kernel: string): string {
  return kernel.replace(VARIANT, '');
}

/**
 * The kernels that a text means: all variants of a name, or, with `*` for any characters, of several.
 *
 * @throws ProgramError where there is none
 */
export function selectKernels({ kernels }: Program, text: string): Kernel[] {
  const pattern = new RegExp(
    `^${text
      .trim()
      .split('*')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
  );
  const all = [...kernels.values()];
  const found = all.filter(({ name }) => pattern.test(name) || pattern.test(baseName(name)));
  if (found.length > 0) return found;
  const names = [...new Set(all.map(({ name }) => baseName(name)))];
  const nearest = nearestName(text, names) ?? names.find((name) => name.includes(text));
  const hint = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
  throw new ProgramError(`the program has no kernel ${JSON.stringify(text)}${hint}`, { offending: text, path: [] });
}
