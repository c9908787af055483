import type { Area } from '../isolation.ts';

/** From an order that is satisfied to a first block. */
export const LAUNCH: Area = {
  area: 'launch',
  searched: [
    { constant: 'kernelLaunch', cases: /^(gap-plain-stream|chain32-plain|carveout-chain)-/ },
    { constant: 'kernelLaunchGraph', cases: /^(gap-plain-graph|chain32-graph)-/ },
    { constant: 'programmaticLaunch', cases: /^gap-pdl.*-stream-|^trigger-at-|^pdl-fill-/ },
    { constant: 'programmaticLaunchGraph', cases: /^gap-pdl.*-graph-/ },
    { constant: 'launchSpacingGraph', cases: /^parallel-chains-graph-/ },
    { constant: 'commandArrival', cases: /^host-(single|launch-sync|launch-eventsync)/, figure: 'first start' },
  ],
};
