import type { Kernel } from '@griddep/program';

/** Flags that blocks of any kernel spin on: only these need to be told to devices. */
export function flagsAwaitedByKernels(kernels: Iterable<Kernel>): ReadonlySet<string> {
  const flags = new Set<string>();
  for (const { body } of kernels) {
    if (body.kind !== 'phases') continue;
    for (const { phases } of body.roles) for (const phase of phases) if (phase.op === 'await') flags.add(phase.flag);
  }
  return flags;
}
