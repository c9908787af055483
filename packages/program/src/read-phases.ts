import type { z } from 'zod';
import { inside } from './errors.ts';
import type { PhaseInput, RangeInput } from './inputs.ts';
import { oneKey } from './one-key.ts';
import type { BytesInput, DurationInput } from './quantity.ts';
import { BARE_PHASES, type PhaseName, phaseSchemas } from './schema/phases.ts';
import { check } from './schema/problem.ts';

const NAMES = Object.keys(phaseSchemas);
type Flag = { readonly flag: string; readonly value?: number };

/** Phases in their file form: `- spin: 5us`, `- trigger`. */
export function readPhases(phases: readonly unknown[]): PhaseInput[] {
  return phases.map((phase, i) => inside([i], () => readPhase(phase)));
}

function readPhase(value: unknown): PhaseInput {
  const entry = oneKey(value, 'phase', NAMES, BARE_PHASES);
  const op = entry.name as PhaseName;
  const argument: unknown = inside([op], () =>
    check(phaseSchemas[op] as z.ZodType<unknown>, entry.argument ?? undefined),
  );
  switch (op) {
    case 'spin':
      return { op, duration: argument as DurationInput };
    case 'ramp':
      return { op, ...(argument as { duration: DurationInput; modulus: number }) };
    case 'fma':
      return { op, iterations: argument as number };
    case 'load':
    case 'store':
      if (typeof argument !== 'object') return { op, bytes: argument as BytesInput };
      return {
        op,
        ...(argument as { bytes: BytesInput; range?: RangeInput; threadRate?: number; evictFirst?: boolean }),
      };
    case 'fence':
      return { op, scope: argument as 'block' | 'device' | 'system' | undefined };
    case 'trigger':
      return { op, when: argument as { modulus: number; residue: number } | undefined };
    case 'signal':
    case 'await':
      return typeof argument === 'string' ? { op, flag: argument } : { op, ...(argument as Flag) };
    case 'wait':
    case 'blockBarrier':
    case 'gridBarrier':
      return { op };
  }
}
