import { type Kernel, nearestName, type Program, ProgramError } from '@griddep/program';

/** Launches of one kernel that took another time are kernels `name ~2`, `name ~3` of a program made of a trace. */
const VARIANT = / ~\d+$/;

/** The name of a kernel without the number of its variant. */
export function baseName(kernel: string): string {
  return kernel.replace(VARIANT, '');
}

/** A kernel's name without return type, namespaces, template arguments and parameters. */
function plainName(kernel: string): string {
  const plain = baseName(kernel)
    .replaceAll('(anonymous namespace)::', '')
    .replace(/^void /, '');
  const cut = /^[^<( ]+/.exec(plain)?.[0] ?? plain;
  return cut.split('::').at(-1) ?? cut;
}

/** Whether a text means any kernel of a program. */
export function hasKernel(program: Program, text: string): boolean {
  return matching(program, text).length > 0;
}

/**
 * The kernels that a text means: all variants of a name, in full or without namespaces, template arguments and
 * parameters, or, with `*` for any characters, of several.
 *
 * @throws ProgramError where there is none
 */
export function selectKernels(program: Program, text: string): Kernel[] {
  const found = matching(program, text);
  if (found.length > 0) return found;
  const names = [...new Set([...program.kernels.keys()].map(plainName))];
  const nearest = nearestName(text, names) ?? names.find((name) => name.includes(text));
  const hint = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
  throw new ProgramError(`the program has no kernel ${JSON.stringify(text)}${hint}`, { offending: text, path: [] });
}

function matching({ kernels }: Program, text: string): Kernel[] {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(`^${text.trim().split('*').map(literal).join('.*')}$`);
  return [...kernels.values()].filter(({ name }) =>
    [name, baseName(name), plainName(name)].some((each) => pattern.test(each)),
  );
}
