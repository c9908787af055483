import type { Area } from '../isolation.ts';

/** Blocks onto SMs. */
export const BLOCKS: Area = {
  area: 'blocks',
  searched: [
    { constant: 'blockLaunchPerWarp', cases: /^(launchrate|resident-spin|coresident)-/, together: ['blockLaunchMax'] },
    { constant: 'blockLaunchMax', cases: /^(launchrate|resident-spin|coresident)-/ },
    {
      constant: 'blockReplace',
      cases: /^(launchrate|ramp|coresident|pdl-fill)-/,
      together: ['blockReplacePerWarp', 'blockReplaceSpacing'],
    },
    { constant: 'blockReplacePerWarp', cases: /^(launchrate|ramp|pdl-fill)-/ },
    { constant: 'blockReplaceSpacing', cases: /^(launchrate|ramp|pdl-fill)-/ },
    { constant: 'constantMiss', cases: /^gap-pdl-waitfirst-triggerfirst-stream-/ },
  ],
};
