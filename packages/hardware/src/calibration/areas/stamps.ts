import type { Area } from '../isolation.ts';

/**
 * The time stamps of the measuring kernel. Only sums of them show: the first, the last (`stampEnd`) and the issue of the
 * two instructions stay as they are, and the boundaries take what is left.
 */
export const STAMPS: Area = {
  area: 'stamps',
  searched: [
    { constant: 'stampPhase', cases: /^(chain32-plain|gap-plain|coresident|ramp)-/ },
    { constant: 'stampTrigger', cases: /^(trigger-at|pdl-fill|gap-pdl-preamble2)-/, together: ['stampWait'] },
    { constant: 'stampWait', cases: /^(trigger-at|gap-pdl-(waitfirst|preamble2))-/ },
    { constant: 'stampFirstWarm', cases: /^(launchrate|coresident|carveout-chain)-/ },
    { constant: 'stampPerWarp', cases: /^gap-.*x1024$/ },
    { constant: 'stampPerCoResident', cases: /^gap-pdl-.*-(1056|2112)x/ },
  ],
};
