import { roleOf } from './build/call-kinds.ts';
import { indexTrace } from './build/trace-index.ts';
import { RangeBuilder } from './range-builder.ts';
import type { Trace, TraceCall } from './trace.ts';
import { TraceError } from './trace-error.ts';

/** A part of a trace that repeats, such as a training step or a decoded token. */
export interface Step {
  readonly number: number;
  readonly name: string;
  /** Calls from `start` up to `end` belong to it, ps. */
  readonly start: number;
  readonly end: number;
}

/** Annotations that name steps: PyTorch's own, and numbered ranges of users. */
const ANNOTATION = /^(?:ProfilerStep#|(?:iter|iteration|step|batch)[ _#:]*)(\d+)$/i;

/**
 * The steps of a trace, from its annotations, or else from what it launches again in the same order.
 *
 * @param count how many there are, where it is known; they are equal
 * @throws TraceError where the trace does not hold as many
 */
export function stepsOf(trace: Trace, count?: number): Step[] {
  const annotated = annotatedSteps(trace);
  if (annotated.length === 0) return repeatedSteps(trace, count);
  if (count !== undefined && count !== annotated.length) {
    throw new TraceError(`${trace.file}: does not hold ${count} steps: it names ${annotated.length}`);
  }
  return annotated;
}

/**
 * The part of a trace that one step's calls caused.
 *
 * @param count as for {@link stepsOf}
 * @throws TraceError where there is no such step
 */
export function traceOfStep(trace: Trace, number: number, count?: number): Trace {
  const steps = stepsOf(trace, count);
  const step = steps.find((each) => each.number === number);
  if (step === undefined) {
    const [first, last] = [steps[0], steps.at(-1)];
    const known =
      first === undefined || last === undefined
        ? 'no steps were found'
        : first === last && count === undefined
          ? 'it marks none, so that all of it is one; --steps tells how many equal ones it holds'
          : `it has ${first.number} to ${last.number}`;
    throw new TraceError(`${trace.file}: has no step ${number}: ${known}`);
  }
  const { byCall } = indexTrace(trace);
  const calls = trace.calls.filter(({ start }) => start >= step.start && start < step.end);
  const operations = calls.flatMap((call) => byCall.get(call) ?? []);
  if (operations.length === 0) throw new TraceError(`${trace.file}: step ${number} runs nothing on a device`);
  return { ...trace, calls, operations: operations.sort((a, b) => a.start - b.start || a.correlation - b.correlation) };
}

/** The trace with a range for each of its steps that has none of its own, so that its program is divided by them. */
export function withStepRanges(trace: Trace, count?: number): Trace {
  const steps = annotatedSteps(trace).length > 0 ? [] : repeatedSteps(trace, count);
  const first = trace.calls[0];
  if (steps.length < 2 || first === undefined) return trace;
  const { ranges } = trace;
  const earliest = Math.min(first.start, ranges.length > 0 ? (ranges.start[0] as number) : first.start);
  const last = Math.max(...trace.calls.slice(-1).map(({ end }) => end), ...ranges.end.slice(-1));
  const builder = new RangeBuilder();
  const rows = [
    ...steps.map(({ name, start, end }) => ({
      ...{ name, thread: first.thread, isAnnotation: true },
      start: Math.max(start, earliest),
      end: Math.min(end, last + 1),
    })),
    ...Array.from({ length: ranges.length }, (_, i) => ({
      name: ranges.names[ranges.name[i] as number] as string,
      thread: ranges.thread[i] as number,
      isAnnotation: ranges.isAnnotation[i] === 1,
      start: ranges.start[i] as number,
      end: ranges.end[i] as number,
    })),
  ];
  for (const row of rows) builder.add(row.name, row.thread, row.start, row.end, row.isAnnotation);
  return { ...trace, ranges: builder.finish() };
}

function annotatedSteps({ ranges }: Trace): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < ranges.length; i++) {
    if (ranges.isAnnotation[i] !== 1) continue;
    const name = ranges.names[ranges.name[i] as number] as string;
    const found = ANNOTATION.exec(name);
    if (found === null) continue;
    steps.push({ number: Number(found[1]), name, start: ranges.start[i] as number, end: ranges.end[i] as number });
  }
  return steps;
}

/** What the host enqueued, in order, and where the host waited for the device in between. */
interface Launch {
  readonly name: string;
  readonly call: TraceCall;
  readonly isGraph: boolean;
  /** Whether the host waited for the device since the launch before. */
  readonly afterWait: boolean;
  /** Time of the host since the launch before, ps. */
  readonly pause: number;
}

/**
 * The repetitions of what a trace launches. A sequence that repeats may be a layer as well as a step, so what lies
 * between two of its repetitions decides: a launch of a graph is a step by itself; else the host waits for the device
 * there, or takes clearly longer than between the others. Without any of these the whole trace is one
 * step, unless it is one sequence twice that holds no smaller repetition.
 */
function repeatedSteps(trace: Trace, count?: number): Step[] {
  const launches = launchesOf(trace);
  if (launches.length === 0) return [];
  const unit = smallestPeriod(launches.map(({ name }) => name)) ?? launches.length;
  const period =
    count === undefined ? stepLength(launches, unit) : dividedBy(count, launches.length / unit, trace) * unit;
  const begins: number[] = [];
  for (let i = 0; i < launches.length; i += period) begins.push(beginOf(trace, launches, i));
  return begins.map((start, i) => ({
    number: i + 1,
    name: `repetition ${i + 1}`,
    start,
    end: begins[i + 1] ?? Number.POSITIVE_INFINITY,
  }));
}

function launchesOf(trace: Trace): Launch[] {
  const { byCall } = indexTrace(trace);
  const launches: Launch[] = [];
  let afterWait = false;
  for (const call of trace.calls) {
    const made = byCall.get(call);
    const role = roleOf(call.name);
    if (made === undefined) {
      afterWait ||= role === 'deviceSync' || role === 'streamSync' || role === 'eventSync';
      continue;
    }
    const isGraph = role === 'graphLaunch';
    const name = isGraph ? `graph of ${made.length}` : made.map((each) => each.name).join();
    const before = launches.at(-1)?.call.end ?? call.start;
    launches.push({ name, call, isGraph, afterWait, pause: call.start - before });
    afterWait = false;
  }
  return launches;
}

/** A pause between steps is longer than those between the parts of one by at least this factor, of so many at least. */
const CLEARLY = 1.25;
const ENOUGH = 3;

/** Launches of one step: the shortest number of units after which something marks an end each time. */
function stepLength(launches: readonly Launch[], unit: number): number {
  const count = launches.length / unit;
  // What repeats just twice has no smaller part that repeats.
  if (count === 2 || launches.every(({ isGraph }) => isGraph)) return unit;
  const borders = Array.from({ length: count - 1 }, (_, i) => launches[(i + 1) * unit] as Launch);
  for (let units = 1; units < count; units++) {
    if (count % units !== 0) continue;
    const ends = borders.filter((_, i) => (i + 1) % units === 0);
    if (ends.every(({ afterWait }) => afterWait)) return units * unit;
    // What comes before the first end may be slower for other reasons: everything in it happens for the first time.
    const within = borders.filter((_, i) => (i + 1) % units !== 0 && i + 1 > units);
    const longest = Math.max(...within.map(({ pause }) => pause));
    if (within.length >= ENOUGH && Math.min(...ends.map(({ pause }) => pause)) > CLEARLY * longest) return units * unit;
  }
  return launches.length;
}

/** Repetitions in one of `count` equal steps. */
function dividedBy(count: number, repetitions: number, { file }: Trace): number {
  if (repetitions % count === 0) return repetitions / count;
  const told =
    repetitions === 1 ? 'nothing in it repeats from begin to end' : `what it launches repeats ${repetitions} times`;
  throw new TraceError(`${file}: does not hold ${count} equal steps: ${told}`);
}

/** When the host turns to a launch: at the begin of the outermost range around its call that holds no earlier launch. */
function beginOf({ ranges }: Trace, launches: readonly Launch[], index: number): number {
  const { call } = launches[index] as Launch;
  if (index === 0) return Number.NEGATIVE_INFINITY;
  const before = launches[index - 1]?.call.end ?? Number.NEGATIVE_INFINITY;
  let begin = call.start;
  for (let i = 0; i < ranges.length; i++) {
    if (ranges.thread[i] !== call.thread) continue;
    const [start, end] = [ranges.start[i] as number, ranges.end[i] as number];
    if (start >= before && start < begin && end > call.start) begin = start;
  }
  return begin;
}

/** The shortest length of which a sequence is a whole number of repetitions, at least two; from its borders. */
function smallestPeriod(names: readonly string[]): number | undefined {
  const border = new Array<number>(names.length).fill(0);
  for (let i = 1, k = 0; i < names.length; i++) {
    while (k > 0 && names[i] !== names[k]) k = border[k - 1] as number;
    if (names[i] === names[k]) k++;
    border[i] = k;
  }
  const period = names.length - (border.at(-1) ?? 0);
  return period < names.length && names.length % period === 0 ? period : undefined;
}
