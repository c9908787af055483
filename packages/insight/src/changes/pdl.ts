import { type Kernel, type Phase, type Program, SOLE_ROLE } from '@griddep/program';
import { mapCalls, mapThreads } from './entries.ts';

/** Two kernels of which the second follows the first in a stream, by name. */
export interface KernelNames {
  readonly primary: string;
  readonly secondary: string;
}

/**
 * Programmatic stream serialisation on the launches of kernels that directly follow others in their stream (rules 1.1,
 * 1.15). A secondary that does not wait gets a wait instruction where `waitBefore` says: an index among its phases.
 *
 * @param pairs which launches; all if left out
 */
export function withPdl(
  program: Program,
  pairs: readonly KernelNames[] | undefined,
  waitBefore: (kernel: Kernel) => number = () => 0,
): Program {
  const secondaries = new Set<string>();
  const changed = mapThreads(program, (entries) => {
    const last = new Map<string, string | undefined>();
    return entries.map((entry) => {
      const { call } = entry;
      if (!('stream' in call) || typeof call.stream !== 'string') return entry;
      const primary = last.get(call.stream);
      const isTransparent = call.kind === 'eventRecord' && program.events.get(call.event)?.timing === false;
      if (!isTransparent) last.set(call.stream, call.kind === 'launchKernel' ? call.kernel : undefined);
      if (call.kind !== 'launchKernel' || primary === undefined) return entry;
      const isMeant = pairs?.some((pair) => pair.primary === primary && pair.secondary === call.kernel) ?? true;
      if (!isMeant || call.attributes.cooperative === true) return entry;
      secondaries.add(call.kernel);
      return { ...entry, call: { ...call, attributes: { ...call.attributes, programmaticStreamSerialization: true } } };
    });
  });
  const kernels = new Map(program.kernels);
  for (const name of secondaries) {
    const kernel = kernels.get(name);
    if (kernel !== undefined) kernels.set(name, withWait(kernel, waitBefore(kernel)));
  }
  return { ...changed, kernels };
}

/** Launches without the attribute, all or those of a kernel: what the program does without PDL. */
export function withoutPdl(program: Program, secondary?: string): Program {
  return mapThreads(program, (entries) =>
    entries.map((entry) => {
      const { call } = entry;
      if (call.kind !== 'launchKernel' || call.attributes.programmaticStreamSerialization !== true) return entry;
      if (secondary !== undefined && call.kernel !== secondary) return entry;
      const { programmaticStreamSerialization: _, ...attributes } = call.attributes;
      return { ...entry, call: { ...call, attributes } };
    }),
  );
}

/** Programmatic stream serialisation on all launches of a kernel, or on none. */
export function withAttribute(program: Program, kernel: string, isProgrammatic: boolean): Program {
  return mapCalls(program, (call) => {
    if (call.kind !== 'launchKernel' || call.kernel !== kernel) return call;
    const { programmaticStreamSerialization: _, ...attributes } = call.attributes;
    return {
      ...call,
      attributes: isProgrammatic ? { ...attributes, programmaticStreamSerialization: true } : attributes,
    };
  });
}

/** A kernel that waits before one of its phases; one that waits already, or of several roles, keeps its phases. */
export function withWait(kernel: Kernel, before: number): Kernel {
  const { body } = kernel;
  if (body.kind !== 'phases') return kernel;
  if (body.roles.some(({ phases }) => phases.some(({ op }) => op === 'wait'))) return kernel;
  const [role] = body.roles;
  if (role === undefined) return kernel;
  const at = body.roles.length === 1 ? before : 0;
  const roles = body.roles.map((each) => ({ ...each, phases: inserted(each.phases, at, { op: 'wait' }) }));
  return { ...kernel, griddepcontrol: true, accesses: shifted(kernel, at), body: { ...body, roles } };
}

/** Phases with another before one of them. */
export function inserted(phases: readonly Phase[], at: number, phase: Phase): Phase[] {
  return [...phases.slice(0, at), phase, ...phases.slice(at)];
}

function shifted({ accesses, body }: Kernel, at: number): Kernel['accesses'] {
  const single = body.kind === 'phases' && body.roles.length === 1;
  return accesses.map((access) =>
    (single || access.role !== SOLE_ROLE || at === 0) && access.phase >= at
      ? { ...access, phase: access.phase + 1 }
      : access,
  );
}
