import type { Area } from '../isolation.ts';

/** From the last block's end to the completion that others see. The release of a wait keeps its share of the sum. */
export const COMPLETION: Area = {
  area: 'completion',
  searched: [
    { constant: 'completionFlush', cases: /^gap-pdl-waitfirst-.*-stream-(1|132)x|^pdl-transitive-/ },
    { constant: 'completionFlushGraph', cases: /^gap-pdl-waitfirst-.*-graph-(1|132)x/ },
    { constant: 'completionFlushLarge', cases: /^gap-(plain|pdl)-.*-(1056|2112)x/ },
    { constant: 'progressVisible', cases: /^host-(launch-sync|launch-eventsync|single)/, figure: 'host total' },
  ],
};
