import type { Area } from '../isolation.ts';

/** Events, and the edges of graphs that stand for them. */
export const EVENTS: Area = {
  area: 'events',
  searched: [
    { constant: 'eventSignal', cases: /^(fork-join-\d|pingpong-streams|default)/, together: ['eventWaiterSpacing'] },
    { constant: 'eventWaiterSpacing', cases: /^(fork-join-\d|three-streams)/ },
    { constant: 'eventSecondWaiter', cases: /^(coresident|fma-compete|load-two-streams|parallel-chains-stream-2)/ },
    { constant: 'eventWaiterSpacingGraph', cases: /^(fork-join-graph|graph-fanout|parallel-chains-graph)-/ },
    { constant: 'timingRecord', cases: /^between-recordtiming-/ },
    { constant: 'launchCompletionSignal', cases: /^event-lce-/ },
    { constant: 'launchCompletionSignalGraph', cases: /^graph-event-lce-/ },
  ],
};
