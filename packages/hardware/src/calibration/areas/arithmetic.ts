import type { Area } from '../isolation.ts';

/** FMA iterations, alone and beside others on the same SM. */
export const ARITHMETIC: Area = {
  area: 'arithmetic',
  searched: [
    { constant: 'fmaIteration', cases: /^fma-132x(128|256)$/ },
    { constant: 'fmaIterationPerWarp', cases: /^fma-\d/, together: ['fmaIterationOverhead'] },
    { constant: 'fmaIterationOverhead', cases: /^fma-\d/ },
    { constant: 'fmaOldestShare', cases: /^fma-(compete|two-streams)/, bounds: [0.5, 1] },
  ],
};
