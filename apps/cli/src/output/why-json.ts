import type { Why, WhyPair } from '@griddep/insight';
import type { Timeline } from '@griddep/timeline';

/** A `why` as one JSON object; operations by id, times in ns. */
export function whyJson(why: Why): string {
  return `${JSON.stringify(whyObject(why), null, 2)}\n`;
}

/** The same of a pair. */
export function whyPairJson({ timeline, first, second, overlap, gap, why, suffices }: WhyPair): string {
  const object = {
    first: idOf(timeline, first),
    second: idOf(timeline, second),
    gap: gap / PS_PER_NS,
    ...(overlap === undefined
      ? {}
      : { overlap: { ...overlap, from: overlap.from / PS_PER_NS, until: overlap.until / PS_PER_NS } }),
    suffices,
    why: whyObject(why),
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

const PS_PER_NS = 1000;

function whyObject({ timeline, operation, start, waits, removals, path, untriggered }: Why) {
  const ns = (ps: number): number | null => (Number.isNaN(ps) ? null : ps / PS_PER_NS);
  return {
    operation: idOf(timeline, operation),
    start: ns(start),
    waits: waits.map(({ operation: of, from, until, ...rest }) => ({
      ...rest,
      ...(of === undefined ? {} : { operation: idOf(timeline, of) }),
      from: ns(from),
      until: ns(until),
    })),
    removals: removals.map(({ by, earliest, gain, ...rest }) => ({
      ...rest,
      ...(by === undefined ? {} : { by: idOf(timeline, by) }),
      earliest: ns(earliest),
      gain: ns(gain),
    })),
    path: path.map(({ operation: of, from, until, kind, cause }) => ({
      ...{ kind, operation: idOf(timeline, of), from: ns(from), until: ns(until) },
      ...(cause === undefined ? {} : { cause: cause.kind }),
    })),
    ...(untriggered === undefined
      ? {}
      : {
          untriggered: { ...untriggered, primary: idOf(timeline, untriggered.primary), fired: ns(untriggered.fired) },
        }),
  };
}

function idOf({ operations }: Timeline, index: number): string {
  return operations[index]?.id ?? '';
}
