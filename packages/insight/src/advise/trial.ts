import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { withAssumed } from './assumed.ts';
import { type Judge, type Judged, judged } from './judged.ts';

export type Verdict = 'gain' | 'no gain' | 'worse' | 'impossible';

/** A change of the program that was simulated. */
export interface Trial {
  readonly name: string;
  /** What to change, in words. */
  readonly change: string;
  /** From end to end, ps; NaN where the changed program does not run. */
  readonly endToEnd: number;
  /** So much less than before, ps; negative where it takes longer. */
  readonly gain: number;
  /** The least and the most that assumed constants leave, ps. */
  readonly range: readonly [least: number, most: number];
  /** What it costs once, before any work: captures and instantiations, ps more than before. */
  readonly once: number;
  readonly verdict: Verdict;
  readonly program?: Program;
  readonly timeline?: Timeline;
}

/** Smaller than this is no gain: a simulated difference of less is within what single launches vary on hardware. */
const LEAST_SHARE = 0.002;
const LEAST = 100_000;

export class Trials {
  readonly base: Judged;
  private readonly program: Program;
  private readonly machine: Machine;
  private readonly judge: Judge;
  private readonly maxEvents: number;

  /** @throws Error where the program itself does not run to its end */
  constructor(program: Program, machine: Machine, judge: Judge, maxEvents: number) {
    this.program = program;
    this.machine = machine;
    this.judge = judge;
    this.maxEvents = maxEvents;
    const base = judged(program, machine, judge, maxEvents);
    if (base === undefined) throw new Error(`${program.name}: does not run to its end without errors`);
    this.base = base;
  }

  /** Simulates a changed program. */
  run(name: string, change: string, changed: Program): Trial {
    const after = judged(changed, this.machine, this.judge, this.maxEvents);
    if (after === undefined) {
      const none = { endToEnd: Number.NaN, gain: Number.NaN, once: Number.NaN };
      return { name, change, ...none, range: [Number.NaN, Number.NaN], verdict: 'impossible' };
    }
    const gain = this.base.endToEnd - after.endToEnd;
    const least = Math.max(LEAST, this.base.endToEnd * LEAST_SHARE);
    return {
      name,
      change,
      endToEnd: after.endToEnd,
      gain,
      range: [gain, gain],
      once: after.before - this.base.before,
      verdict: gain > least ? 'gain' : gain < -least ? 'worse' : 'no gain',
      program: changed,
      timeline: after.timeline,
    };
  }

  /** The same with the range that assumed constants leave: all at their least, all at their most. */
  withRange(trial: Trial): Trial {
    if (trial.program === undefined) return trial;
    const gains = [trial.gain];
    for (const end of ['low', 'high'] as const) {
      const machine = withAssumed(this.machine, end);
      if (machine === undefined) continue;
      const before = judged(this.program, machine, this.judge, this.maxEvents);
      const after = judged(trial.program, machine, this.judge, this.maxEvents);
      if (before !== undefined && after !== undefined) gains.push(before.endToEnd - after.endToEnd);
    }
    return { ...trial, range: [Math.min(...gains), Math.max(...gains)] };
  }
}
