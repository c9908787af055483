/** Something of real hardware that the simulation does not have, and what that means for a reader of its results. */
export interface NotModelled {
  readonly what: string;
  readonly means: string;
}

export const NOT_MODELLED: readonly NotModelled[] = [
  {
    what: 'instructions, registers and caches inside a block',
    means:
      'a kernel is phases with given durations, counts of FMAs and bytes; how long its code takes must be measured or assumed',
  },
  {
    what: 'clock changes, power and thermal limits',
    means: 'the SM clock is that of the measurements; long saturating work may run slower',
  },
  {
    what: 'random order',
    means:
      'where hardware picks differently every run (more grids than can be resident, pipelines over streams), one order is shown',
  },
  {
    what: 'which lines L2 holds',
    means: 'repeated reads count as hits by size alone; sharing between kernels that read different parts is coarse',
  },
  {
    what: 'bank conflicts, uncoalesced access, atomics under contention',
    means: 'loads and stores move their bytes at full efficiency',
  },
  {
    what: 'growing a memory pool and pageable memory in other states',
    means: 'the rate is one parameter; real hosts differ by a factor of two',
  },
  {
    what: 'the first launch of a kernel, module loading, context creation',
    means: 'everything is as in a process that has warmed up',
  },
  {
    what: 'other processes, MPS, MIG, virtual memory faults, managed memory',
    means: 'one process has the devices for itself',
  },
  {
    what: 'a host that is interrupted',
    means: 'calls take their median; real ones have a tail',
  },
];
