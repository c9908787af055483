import { roleOf } from './build/call-kinds.ts';
import { indexTrace } from './build/trace-index.ts';
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

/** The steps of a trace, from its annotations, or else from what it launches again in the same order. */
export function stepsOf(trace: Trace): Step[] {
  const annotated = annotatedSteps(trace);
  return annotated.length > 0 ? annotated : repeatedSteps(trace);
}

/**
 * The part of a trace that one step's calls caused.
 *
 * @throws TraceError where there is no such step
 */
export function traceOfStep(trace: Trace, number: number): Trace {
  const steps = stepsOf(trace);
  const step = steps.find((each) => each.number === number);
  if (step === undefined) {
    const [first, last] = [steps[0], steps.at(-1)];
    const known =
      first === undefined || last === undefined ? 'no steps were found' : `it has ${first.number} to ${last.number}`;
    throw new TraceError(`${trace.file}: has no step ${number}: ${known}`);
  }
  const { byCall } = indexTrace(trace);
  const calls = trace.calls.filter(({ start }) => start >= step.start && start < step.end);
  const operations = calls.flatMap((call) => byCall.get(call) ?? []);
  if (operations.length === 0) throw new TraceError(`${trace.file}: step ${number} runs nothing on a device`);
  return { ...trace, calls, operations: operations.sort((a, b) => a.start - b.start || a.correlation - b.correlation) };
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

/** The longest run of launches, from the first to the last, that is one sequence several times. */
function repeatedSteps(trace: Trace): Step[] {
  const { byCall } = indexTrace(trace);
  const launches: { call: TraceCall; name: string }[] = [];
  for (const call of trace.calls) {
    const made = byCall.get(call);
    if (made === undefined) continue;
    const name = roleOf(call.name) === 'graphLaunch' ? `graph of ${made.length}` : made.map((each) => each.name).join();
    launches.push({ call, name });
  }
  const period = smallestPeriod(launches.map(({ name }) => name));
  if (period === undefined) return [];
  const steps: Step[] = [];
  for (let i = 0; i < launches.length; i += period) {
    const end = launches[i + period]?.call.start ?? Number.POSITIVE_INFINITY;
    steps.push({
      number: steps.length + 1,
      name: `repetition ${steps.length + 1}`,
      start: steps.length === 0 ? Number.NEGATIVE_INFINITY : (launches[i]?.call.start as number),
      end,
    });
  }
  return steps;
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
