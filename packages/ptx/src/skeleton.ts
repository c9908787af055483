import type { Phase } from '@griddep/program';
import type { Analysis } from './analyse.ts';
import type { MemoryOperation } from './memory-access.ts';

/** Where the two instructions stand in a kernel, by number of instructions: loops count once. */
export interface Skeleton {
  /** Instructions that some path reaches. */
  readonly instructions: number;
  /** Share of them that come before the wait, 0 to 1; absent without a wait. */
  readonly beforeWait?: number;
  /** Share of them before the trigger; absent without one. */
  readonly beforeTrigger?: number;
  /** Instructions that access global memory, before the wait on some path and behind it on all. */
  readonly accesses: { readonly before: AccessCounts; readonly after: AccessCounts };
}

export type AccessCounts = Readonly<Record<MemoryOperation['mode'], number>>;

export function skeletonOf({
  flat,
  flow,
  waiting,
  waits,
  triggers,
  waitReach,
  triggerReach,
  accesses,
}: Analysis): Skeleton {
  let instructions = 0;
  let beforeWait = 0;
  let beforeTrigger = 0;
  flat.instructions.forEach(({ op }, at) => {
    if (flow.reachable[flow.blockOf[at] ?? -1] !== true || op[0] === 'griddepcontrol') return;
    instructions += 1;
    if (waitReach.ahead(at) && !waiting.covered(at)) beforeWait += 1;
    if (triggerReach.ahead(at) && !triggerReach.behind(at)) beforeTrigger += 1;
  });
  const count = (covered: boolean): AccessCounts => {
    const counts = { read: 0, write: 0, atomic: 0, prefetch: 0 };
    for (const access of accesses) if (access.covered === covered) counts[access.operation.mode] += 1;
    return counts;
  };
  const share = (part: number) => (instructions === 0 ? 0 : part / instructions);
  return {
    instructions,
    ...(waits.length === 0 ? {} : { beforeWait: share(beforeWait) }),
    ...(triggers.length === 0 ? {} : { beforeTrigger: share(beforeTrigger) }),
    accesses: { before: count(false), after: count(true) },
  };
}

/**
 * Phases of a block that runs for `duration` (ps) and waits and triggers where the skeleton does. Instructions stand for
 * time, which they do only roughly.
 */
export function skeletonPhases(skeleton: Skeleton, duration: number): Phase[] {
  const marks: { readonly share: number; readonly phase: Phase }[] = [];
  if (skeleton.beforeWait !== undefined) marks.push({ share: skeleton.beforeWait, phase: { op: 'wait' } });
  if (skeleton.beforeTrigger !== undefined) marks.push({ share: skeleton.beforeTrigger, phase: { op: 'trigger' } });
  marks.sort((a, b) => a.share - b.share);
  const phases: Phase[] = [];
  let done = 0;
  const spinTo = (share: number) => {
    const until = Math.round(share * duration);
    if (until > done) phases.push({ op: 'spin', duration: until - done });
    done = Math.max(done, until);
  };
  for (const { share, phase } of marks) {
    spinTo(share);
    phases.push(phase);
  }
  spinTo(1);
  return phases;
}
