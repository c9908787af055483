import type { Body, Kernel, Phase, Program } from '@griddep/program';
import { selectKernels } from './select-kernels.ts';

export interface ScaleOptions {
  /** A kernel's name, all its variants meant, with `*` for any characters. */
  readonly kernel: string;
  /** New time over old. */
  readonly factor: number;
}

/**
 * Kernels that take another time: what they wait, compute and move is multiplied. Their geometry stays.
 *
 * @throws ProgramError where no kernel has that name
 */
export function scale(program: Program, { kernel, factor }: ScaleOptions): Program {
  const kernels = new Map(program.kernels);
  for (const each of selectKernels(program, kernel)) kernels.set(each.name, scaledKernel(each, factor));
  return { ...program, kernels };
}

/** A kernel whose body takes `factor` times as long. */
export function scaledKernel(kernel: Kernel, factor: number): Kernel {
  return { ...kernel, body: scaledBody(kernel.body, factor) };
}

function scaledBody(body: Body, factor: number): Body {
  switch (body.kind) {
    case 'duration':
      return { ...body, duration: atLeastOne(body.duration * factor) };
    case 'ptx':
      return body.duration === undefined ? body : { ...body, duration: atLeastOne(body.duration * factor) };
    case 'collective':
      return { ...body, bytes: atLeastOne(body.bytes * factor) };
    case 'phases':
      return {
        ...body,
        roles: body.roles.map((role) => ({ ...role, phases: role.phases.map((phase) => scaledPhase(phase, factor)) })),
      };
  }
}

function scaledPhase(phase: Phase, factor: number): Phase {
  switch (phase.op) {
    case 'spin':
    case 'ramp':
      return { ...phase, duration: atLeastOne(phase.duration * factor) };
    case 'fma':
      return { ...phase, iterations: atLeastOne(phase.iterations * factor) };
    case 'load':
    case 'store': {
      const bytes = atLeastOne(phase.bytes * factor);
      return phase.range === undefined
        ? { ...phase, bytes }
        : { ...phase, bytes, range: { ...phase.range, bytes: Math.min(phase.range.bytes, bytes) } };
    }
    default:
      return phase;
  }
}

function atLeastOne(value: number): number {
  return Math.max(1, Math.round(value));
}
