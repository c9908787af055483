import type { Area } from '../isolation.ts';

/** Loads and stores of blocks. */
export const MEMORY: Area = {
  area: 'memory',
  searched: [
    { constant: 'threadBandwidth', cases: /^load-(33|66|132)x|^load-granularity-2x/ },
    { constant: 'memoryBandwidth', cases: /^(load|store)-\d/, together: ['memoryStart', 'memoryContention'] },
    { constant: 'memoryStart', cases: /^load-(\d|granularity-)/ },
    { constant: 'memoryContention', cases: /^load-(66|132|528)x/, bounds: [1, 4] },
  ],
};
