import type { PhaseInput, RangeInput } from './inputs.ts';
import type { BlockCondition } from './kernel.ts';
import type { BytesInput, DurationInput } from './quantity.ts';

/** Busy-waits. */
export function spin(duration: DurationInput): PhaseInput {
  return { op: 'spin', duration };
}

/** Busy-waits `duration` times (1 + block index mod `modulus`). */
export function ramp(duration: DurationInput, modulus: number): PhaseInput {
  return { op: 'ramp', duration, modulus };
}

/** Iterations of four independent fused multiply-adds per thread. */
export function fma(iterations: number): PhaseInput {
  return { op: 'fma', iterations };
}

/** Streams `bytes` per block from device memory, from `range` where given. */
export function load(bytes: BytesInput, range?: RangeInput): PhaseInput {
  return { op: 'load', bytes, range };
}

/** Streams `bytes` per block to device memory, to `range` where given. */
export function store(bytes: BytesInput, range?: RangeInput): PhaseInput {
  return { op: 'store', bytes, range };
}

/** Memory fence; default scope `device`, as __threadfence. */
export function fence(scope: 'block' | 'device' | 'system' = 'device'): PhaseInput {
  return { op: 'fence', scope };
}

/** griddepcontrol.launch_dependents, in all blocks or in those that `when` selects. */
export function trigger(when?: BlockCondition): PhaseInput {
  return { op: 'trigger', when };
}

/** griddepcontrol.wait. */
export function wait(): PhaseInput {
  return { op: 'wait' };
}

/** __syncthreads. */
export function blockBarrier(): PhaseInput {
  return { op: 'blockBarrier' };
}

/** Grid-wide barrier of a cooperative launch. */
export function gridBarrier(): PhaseInput {
  return { op: 'gridBarrier' };
}

/** Raises a flag to `value` (default 1). */
export function signal(flag: string, value = 1): PhaseInput {
  return { op: 'signal', flag, value };
}

/** Spins until a flag holds at least `value` (default 1). Named so because `await` is a keyword. */
export function await_(flag: string, value = 1): PhaseInput {
  return { op: 'await', flag, value };
}
