import type { Area } from '../isolation.ts';

/** Copies and memsets. Of a gap around a copy only the sum shows: its start keeps its share. */
export const COPIES: Area = {
  area: 'copies',
  searched: [
    { constant: 'copyUpBandwidth', cases: /^copy-h2d-\d{7,}$/ },
    { constant: 'copyUpLatency', cases: /^copy-h2d-\d{4,7}$/ },
    { constant: 'copyDownBandwidth', cases: /^copy-d2h-\d{7,}$/ },
    { constant: 'copyDownLatency', cases: /^copy-d2h-\d{3,7}$/ },
    { constant: 'copyBothPenalty', cases: /^copies-h2d-d2h/, bounds: [1, 1.3] },
    { constant: 'copyLookFirst', cases: /^kernel-copy-kernel-(h2d|d2h)/ },
    { constant: 'copyWithinBandwidth', cases: /^copy-d2d-\d{8,}$/ },
    { constant: 'copyWithinL2Bandwidth', cases: /^(copy-d2d-\d{7}|kernel-copy-kernel-d2d-\d{7})$/ },
    { constant: 'copyWithinLatency', cases: /^(copy-d2d-\d{3,6}$|kernel-copy-kernel-d2d)/ },
    { constant: 'trafficLatencyGraph', cases: /^graph-kernel-copy-kernel-d2d-/ },
    { constant: 'copyInlineTime', cases: /^kernel-copy-kernel-h2d-256$|^copy-h2d-256$/ },
    { constant: 'memsetBandwidth', cases: /^memset-\d{7,}$/ },
    { constant: 'memsetLatency', cases: /^(memset-\d|between-memset)/ },
    { constant: 'poolOperation', cases: /^between-mallocasync-small$/ },
  ],
};
