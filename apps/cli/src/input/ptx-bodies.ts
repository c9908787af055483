import { dirname, isAbsolute, join } from 'node:path';
import type { Kernel, Program, PtxBody } from '@griddep/program';
import type { PtxModule } from '@griddep/ptx';
import { InputError } from './input-error.ts';
import { readBytes, shown } from './read-bytes.ts';

/**
 * Puts phases in place of PTX bodies: a block waits and triggers where the instructions do, in proportion to its duration.
 * Files are found from the folder of the program's own file.
 *
 * @throws InputError or PtxError
 */
export async function withPtxBodies(program: Program, path: string): Promise<Program> {
  const kernels = [...program.kernels.values()];
  if (!kernels.some(({ body }) => body.kind === 'ptx')) return program;
  const modules = new Map<string, PtxModule>();
  const resolved = new Map<string, Kernel>();
  for (const kernel of kernels) {
    const { body } = kernel;
    resolved.set(kernel.name, body.kind === 'ptx' ? await withPhases(kernel, body, folderOf(path), modules) : kernel);
  }
  return { ...program, kernels: resolved };
}

async function withPhases(
  kernel: Kernel,
  body: PtxBody,
  folder: string,
  modules: Map<string, PtxModule>,
): Promise<Kernel> {
  const { kernelSkeleton, readModule, skeletonPhases } = await import('@griddep/ptx');
  const { nearestName, SOLE_ROLE } = await import('@griddep/program');
  const path = isAbsolute(body.file) ? body.file : join(folder, body.file);
  let module = modules.get(path);
  if (module === undefined) {
    module = readModule(new TextDecoder().decode(await readBytes(path)), shown(path));
    modules.set(path, module);
  }
  const entries = [...module.functions.values()].filter((fn) => fn.kind === 'entry' && fn.body !== undefined);
  const entry = entries.find(({ name }) => name === body.entry);
  if (entry === undefined) {
    const nearest = nearestName(
      body.entry,
      entries.map(({ name }) => name),
    );
    const hint = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`;
    throw new InputError(`kernel "${kernel.name}": ${shown(path)} has no kernel ${JSON.stringify(body.entry)}${hint}`);
  }
  const skeleton = kernelSkeleton(entry, module);
  const phases = skeletonPhases(skeleton, body.duration ?? 0);
  const holds = skeleton.beforeWait !== undefined || skeleton.beforeTrigger !== undefined;
  return {
    ...kernel,
    target: kernel.target ?? module.target,
    griddepcontrol: kernel.griddepcontrol && holds,
    body: { kind: 'phases', roles: [{ name: SOLE_ROLE, phases }] },
  };
}

function folderOf(path: string): string {
  return path === '-' ? '.' : dirname(path);
}
