import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { makespan, type Timeline } from '@griddep/timeline';
import { type Assumption, type Setting, settingOf } from './assumption.ts';
import type { Change, Run } from './change.ts';
import { machineAt } from './machine-ranges.ts';
import { spanOfEvents, withMarkers } from './markers.ts';
import { boundBy, type TimeParts, timeParts } from './parts.ts';
import { withReplayTime } from './replay-time.ts';

/**
 * Who measures: `events` two events around the work, on a device that has nothing else to do, without a profiler;
 * `blocks` from the first block to the last.
 */
export type WhatIfObserver = 'events' | 'blocks';

export interface WhatIfOptions {
  readonly program: Program;
  readonly machine: Machine;
  readonly changes: readonly Change[];
  readonly observer: WhatIfObserver;
  /** Steps that the program holds, at least 1. */
  readonly steps?: number;
  /** A framework launches the graphs: what it takes the host before each launch, in us. */
  readonly replay?: Assumption | undefined;
  /** What a framework does before it records the event behind the work, in us. */
  readonly recording?: Assumption | undefined;
  /** Whether both runs are repeated at the ends of all ranges; true if left out. */
  readonly withRanges?: boolean;
  readonly simulate: (program: Program, machine: Machine) => Promise<Timeline>;
}

/** One of the two runs. Times in ps. */
export interface Outcome {
  readonly makespan: number;
  /** With machine constants and assumptions at the ends of their ranges; the makespan twice without ranges. */
  readonly low: number;
  readonly high: number;
  readonly parts: TimeParts;
  readonly bound: ReturnType<typeof boundBy>;
  readonly run: Run;
  readonly timeline: Timeline;
}

export interface WhatIf {
  readonly observer: WhatIfObserver;
  readonly steps: number;
  readonly changes: readonly { readonly name: string; readonly what: string }[];
  readonly before: Outcome;
  readonly after: Outcome;
  /** After less before, at the same ends of the ranges of machine and assumptions, ps. */
  readonly differenceLow: number;
  readonly differenceHigh: number;
  readonly assumptions: readonly Assumption[];
  readonly notes: readonly string[];
  /** What the changes cost once, before the work, ps. */
  readonly once: number;
}

/** Simulates a program as it is and changed, and tells both times apart. */
export async function whatIf(options: WhatIfOptions): Promise<WhatIf> {
  const { program, machine, changes, observer, steps = 1, replay, recording, withRanges = true } = options;
  const start: Run = { program, machine };
  const changed = (from: Run, setting: Setting) => changes.reduce((run, change) => change.apply(run, setting), from);
  const measured = async (run: Run, setting: Setting, end?: 'quick' | 'slow') => {
    const replayed = replay === undefined ? run.program : withReplayTime(run.program, settingOf(replay, setting) * 1e6);
    const pause = recording === undefined ? 0 : settingOf(recording, setting) * 1e6;
    const marked =
      observer === 'events' ? withMarkers(replayed, pause) : { program: replayed, begins: new Set<string>() };
    const used = end === undefined ? run.machine : machineAt(run.machine, end);
    const timeline = await options.simulate(marked.program, used);
    const { start: first, end: last } = blocksSpan(timeline);
    const { begin, end: until } =
      observer === 'events' ? spanOfEvents(timeline, marked.begins) : { begin: first, end: last };
    return { run: { program: marked.program, machine: used }, timeline, begin, until, time: until - begin };
  };
  const settings: readonly Setting[] = withRanges ? ['usual', 'quick', 'slow'] : ['usual'];
  const outcomes: { before: Outcome; after: Outcome }[] = [];
  const times: { before: number; after: number }[] = [];
  for (const setting of settings) {
    const end = setting === 'usual' ? undefined : setting;
    const before = await measured(start, setting, end);
    const after = await measured(changed(start, setting), setting, end);
    times.push({ before: before.time, after: after.time });
    if (setting !== 'usual') continue;
    const outcome = ({ run, timeline, begin, until, time }: typeof before): Outcome => {
      const parts = timeParts(timeline, begin, until);
      return { makespan: time, low: time, high: time, parts, bound: boundBy(parts), run, timeline };
    };
    outcomes.push({ before: outcome(before), after: outcome(after) });
  }
  const [{ before, after }] = outcomes as [{ before: Outcome; after: Outcome }];
  const range = (list: readonly number[]) => ({ low: Math.min(...list), high: Math.max(...list) });
  const difference = range(times.map((each) => each.after - each.before));
  const usesGraphs = [before, after].some(({ run }) =>
    run.program.threads.some(({ calls }) =>
      Array.from({ length: calls.distinct }, (_, i) => calls.distinctCall(i).kind).includes('graphLaunch'),
    ),
  );
  return {
    observer,
    steps,
    changes: changes.map(({ name, what }) => ({ name, what })),
    before: { ...before, ...range(times.map((each) => each.before)) },
    after: { ...after, ...range(times.map((each) => each.after)) },
    differenceLow: difference.low,
    differenceHigh: difference.high,
    assumptions: [
      ...changes.flatMap((change) => change.assumptions ?? []),
      ...(replay !== undefined && usesGraphs ? [replay] : []),
      ...(recording !== undefined && observer === 'events' ? [recording] : []),
    ],
    notes: [...notesOf(start, changes), ...boundNotes(before, after, changes)],
    once: onceOf(start, changes),
  };
}

function blocksSpan(timeline: Timeline): { start: number; end: number } {
  const { start, end } = makespan(timeline);
  return { start, end };
}

function notesOf(start: Run, changes: readonly Change[]): string[] {
  const notes: string[] = [];
  let run = start;
  for (const change of changes) {
    notes.push(...(change.notes?.(run) ?? []));
    run = change.apply(run, 'usual');
  }
  return notes;
}

function onceOf(start: Run, changes: readonly Change[]): number {
  let run = start;
  let once = 0;
  for (const change of changes) {
    once += change.once?.(run) ?? 0;
    run = change.apply(run, 'usual');
  }
  return once;
}

/** What bounds the two runs, where that says what a change can and cannot give. */
function boundNotes(before: Outcome, after: Outcome, changes: readonly Change[]): string[] {
  const notes: string[] = [];
  const percent = ({ parts, makespan: total }: Outcome) => `${((100 * parts.waitingForHost) / total).toFixed(0)} %`;
  if (after.bound === 'host') {
    notes.push(
      `bound by the host's launches: for ${percent(after)} of the time after the change the device waits for the next call`,
    );
    if (changes.some(({ name }) => name.startsWith('--pdl'))) {
      notes.push(
        'PDL gains nothing on the device here: a kernel cannot start early before it is launched; what changes is what the launch calls cost the host. As a graph (--graph) the launches are there in time',
      );
    }
  } else if (before.bound === 'host') {
    notes.push(
      `before, the host's launches bound it: for ${percent(before)} of the time the device waited for the next call`,
    );
  }
  return notes;
}
