import type { Code, Step } from '../program/steps.ts';

/** A step of a code: role and index. */
export interface StepAt {
  readonly role: number;
  readonly step: number;
}

/** The accesses that have been performed where a signal is seen: by its own device, and by others or the host. */
export interface Publication {
  readonly near: readonly StepAt[];
  readonly far: readonly StepAt[];
}

/**
 * What a signal publishes: accesses before a fence of sufficient scope that stands before it, each by the order of a
 * role or over a barrier (rule 1.6); of all other accesses it says nothing.
 */
export function publicationOf({ roles }: Code, signal: StepAt): Publication {
  const isBefore = (a: StepAt, b: StepAt): boolean =>
    a.role === b.role ? a.step < b.step : barriersBefore(stepsOf(b), b.step) > barriersBefore(stepsOf(a), a.step);
  const stepsOf = ({ role }: StepAt): readonly Step[] => roles[role]?.steps ?? [];
  const all = roles.flatMap(({ steps }, role) => steps.map((step, index) => ({ step, at: { role, step: index } })));
  const fences = all.flatMap(({ step, at }) => (step.do === 'fence' && isBefore(at, signal) ? [{ step, at }] : []));
  const published = (wide: boolean): StepAt[] =>
    all.flatMap(({ step, at }) => {
      const isFenced = fences.some((f) => (!wide || f.step.scope === 'system') && isBefore(at, f.at));
      return step.do === 'access' && isFenced ? [at] : [];
    });
  return { near: published(false), far: published(true) };
}

export function isBarrier(step: Step): boolean {
  return step.do === 'barrier' || step.do === 'gridBarrier';
}

function barriersBefore(steps: readonly Step[], index: number): number {
  return steps.slice(0, index).filter(isBarrier).length;
}
