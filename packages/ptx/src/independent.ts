import { nearestName } from '@griddep/program';
import { PtxError } from './errors.ts';
import type { Declared, PtxFunction, PtxModule } from './module.ts';

/**
 * Whether a name means a parameter: its name, its index, or either after the kernel's name and a colon. What earlier
 * kernels never write, such as weights, may be read before the wait.
 */
export function means(name: string, kernel: PtxFunction, index: number): boolean {
  const colon = name.lastIndexOf(':');
  if (colon >= 0 && name.slice(0, colon) !== kernel.name) return false;
  const own = name.slice(colon + 1);
  return own === kernel.parameters[index]?.name || own === String(index);
}

/**
 * What of a kernel is declared independent, by the caller and by comments in the PTX.
 *
 * @throws PtxError for a comment that names no parameter
 */
export function independentOf(kernel: PtxFunction, module: PtxModule, given: readonly string[]): Independent {
  for (const { name, line, column } of kernel.independent) {
    if (!isKnown(name, [kernel], module)) throw unknown(name, module, line, column, [kernel]);
  }
  const names = [
    ...given,
    ...kernel.independent.map(({ name }) => name),
    ...module.independent.map(({ name }) => name),
  ];
  const parameters = new Set<number>();
  kernel.parameters.forEach((_, i) => {
    if (names.some((name) => means(name, kernel, i))) parameters.add(i);
  });
  return { parameters, variables: new Set(names) };
}

export interface Independent {
  readonly parameters: ReadonlySet<number>;
  /** Also holds names of parameters; no variable has one. */
  readonly variables: ReadonlySet<string>;
}

/** Throws PtxError for a comment outside functions that names nothing of any kernel. */
export function checkModuleDeclarations(module: PtxModule): void {
  const kernels = kernelsOf(module);
  for (const { name, line, column } of module.independent) {
    if (!isKnown(name, kernels, module)) throw unknown(name, module, line, column, kernels);
  }
}

/** Names of a list that mean nothing in any of these modules, each with the nearest that would. */
export function unknownIndependent(
  names: readonly string[],
  modules: readonly PtxModule[],
): { readonly name: string; readonly nearest?: string }[] {
  return names
    .filter((name) => !modules.some((module) => isKnown(name, kernelsOf(module), module)))
    .map((name) => {
      const nearest = nearestName(
        name,
        modules.flatMap((module) => namesOf(kernelsOf(module))),
      );
      return nearest === undefined ? { name } : { name, nearest };
    });
}

function isKnown(name: Declared['name'], kernels: readonly PtxFunction[], module: PtxModule): boolean {
  if (module.variables.get(name) === 'global') return true;
  return kernels.some((kernel) => kernel.parameters.some((_, i) => means(name, kernel, i)));
}

function kernelsOf(module: PtxModule): PtxFunction[] {
  return [...module.functions.values()].filter(({ kind }) => kind === 'entry');
}

function namesOf(kernels: readonly PtxFunction[]): string[] {
  return kernels.flatMap(({ parameters }) => parameters.map(({ name }) => name));
}

function unknown(name: string, module: PtxModule, line: number, column: number, kernels: readonly PtxFunction[]) {
  const nearest = nearestName(name, namesOf(kernels));
  const hint = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
  return new PtxError(`independent: no parameter ${JSON.stringify(name)}${hint}`, module.file, line, column);
}
