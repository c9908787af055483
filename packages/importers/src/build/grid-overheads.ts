import type { Machine } from '@griddep/machine';
import { programBuilder } from '@griddep/program';
import { checkProgram, simulate } from '@griddep/simulator';
import type { Trace, TraceOperation } from '../trace.ts';

/** What a kernel of the trial takes in itself, ps. */
const TRIAL = 20_000_000;

/** By how much a grid lasts longer than its body says, from first block to last: blocks start one after another. */
export class GridOverheads {
  readonly #byGeometry: ReadonlyMap<string, number>;

  constructor(byGeometry: ReadonlyMap<string, number>) {
    this.#byGeometry = byGeometry;
  }

  /** ps */
  of(operation: TraceOperation): number {
    return this.#byGeometry.get(geometryOf(operation)) ?? 0;
  }
}

/**
 * Measures the overhead of every geometry of some traces by a simulated run of each alone. A geometry that the device
 * cannot run has none: the program is refused anyway.
 */
export function gridOverheads(traces: readonly Trace[], machine: Machine): GridOverheads {
  const geometries = new Map<string, TraceOperation>();
  for (const { operations } of traces) {
    for (const operation of operations)
      if (operation.kind === 'kernel') geometries.set(geometryOf(operation), operation);
  }
  const found = new Map<string, number>();
  for (const [key, operation] of geometries) found.set(key, overheadOf(operation, machine));
  return new GridOverheads(found);
}

function overheadOf(operation: TraceOperation, machine: Machine): number {
  const { grid, block, registers, staticSharedMemory, dynamicSharedMemory } = operation;
  const builder = programBuilder('trial');
  builder.kernel('kernel', {
    grid: [...grid],
    block: [...block],
    ...(registers > 0 ? { registersPerThread: registers } : {}),
    ...(staticSharedMemory > 0 ? { staticSharedMemory } : {}),
    ...(dynamicSharedMemory > 0 ? { dynamicSharedMemory } : {}),
    duration: TRIAL,
  });
  builder.stream('stream', { kind: 'nonBlocking' });
  const host = builder.hostThread();
  host.launchKernel('kernel', 'stream');
  host.deviceSynchronize();
  const program = builder.build();
  try {
    checkProgram(program, machine);
  } catch (error) {
    if ((error as Error).name === 'ProgramError') return 0;
    throw error;
  }
  const [kernel] = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
  return kernel === undefined ? 0 : Math.max(0, kernel.end - kernel.start - TRIAL);
}

function geometryOf({ grid, block, registers, staticSharedMemory, dynamicSharedMemory }: TraceOperation): string {
  return `${grid} ${block} ${registers} ${staticSharedMemory + dynamicSharedMemory}`;
}
