import type { Advice, Trial } from '@griddep/insight';

const PS_PER_NS = 1000;

/** Advice as one JSON object; times in ns, without the changed programs and their timelines. */
export function adviceJson(advice: Advice): string {
  const { timeline, path, time, endToEnd, pairs, trials, pool, best, ...rest } = advice;
  const object = {
    ...rest,
    endToEnd: endToEnd / PS_PER_NS,
    time: Object.fromEntries(Object.entries(time).map(([kind, ps]) => [kind, ps / PS_PER_NS])),
    path: path.map(({ operation, from, until, kind, cause }) => ({
      kind,
      operation: timeline.operations[operation]?.id ?? '',
      from: from / PS_PER_NS,
      until: until / PS_PER_NS,
      ...(cause === undefined ? {} : { cause: cause.kind }),
    })),
    pairs: pairs.map(({ early, trigger, ...pair }) => ({
      ...pair,
      early: plain(early),
      ...(trigger === undefined ? {} : { trigger: plain(trigger) }),
    })),
    trials: trials.map(plain),
    ...(pool === undefined
      ? {}
      : {
          pool: {
            tried: pool.tried.map(({ count, trial }) => ({ count, ...plain(trial) })),
            plateau: pool.plateau,
            because: pool.because,
          },
        }),
    best: best === undefined ? null : plain(best),
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

function plain({ name, change, endToEnd, gain, range, once, verdict }: Trial) {
  const ns = (ps: number): number | null => (Number.isNaN(ps) ? null : ps / PS_PER_NS);
  return { name, change, verdict, endToEnd: ns(endToEnd), gain: ns(gain), range: range.map(ns), once: ns(once) };
}
