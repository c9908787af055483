import { toFinishWithin } from './finish-within.ts';
import { toBeFreeOfHazards } from './hazards.ts';
import { toOverlap } from './overlap.ts';
import { toRunBefore } from './run-before.ts';

/** All matchers, for `expect.extend`. */
export const matchers = { toBeFreeOfHazards, toFinishWithin, toOverlap, toRunBefore };
