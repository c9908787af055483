import type { OriginSet, OriginSets } from './origins.ts';

/**
 * How a value differs among the threads of a block: not at all, by warp only, as the thread index itself (from which a
 * comparison can tell warps apart), or by lane.
 */
export const VARIES = { not: 0, byWarp: 1, asThreadIndex: 2, byLane: 3 } as const;
export type Varies = (typeof VARIES)[keyof typeof VARIES];

/** What is known of a value that an instruction makes. */
export interface Value {
  readonly origins: OriginSet;
  readonly varies: Varies;
  /** Follows from the thread's index and constants alone, so that every block has threads of either outcome. */
  readonly threadOnly: boolean;
  /** The variable it points into, `offset` NaN where that is not one number; undefined if it is no such pointer. */
  readonly place?: Place;
}

export interface Place {
  readonly variable: string;
  readonly offset: number;
}

export const CONSTANT: Value = { origins: 0, varies: VARIES.not, threadOnly: true };
/** The same in all threads of a block, but not in all blocks or launches. */
export const GIVEN: Value = { origins: 0, varies: VARIES.not, threadOnly: false };

/** One of two values, whichever way was taken. */
export function either(a: Value | undefined, b: Value | undefined, sets: OriginSets): Value | undefined {
  if (a === undefined || b === undefined || equalValues(a, b)) return a ?? b;
  const place = samePlace(a.place, b.place);
  return {
    origins: sets.union(a.origins, b.origins),
    varies: Math.max(a.varies, b.varies) as Varies,
    threadOnly: a.threadOnly && b.threadOnly,
    ...(place === undefined ? {} : { place }),
  };
}

function samePlace(a: Place | undefined, b: Place | undefined): Place | undefined {
  if (a === undefined || b === undefined || a.variable !== b.variable) return undefined;
  return a.offset === b.offset ? a : { variable: a.variable, offset: Number.NaN };
}

export function equalValues(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return (
    a.origins === b.origins &&
    a.varies === b.varies &&
    a.threadOnly === b.threadOnly &&
    a.place?.variable === b.place?.variable &&
    Object.is(a.place?.offset, b.place?.offset)
  );
}
