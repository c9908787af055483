import { z } from 'zod';
import { inside, type Path, ProgramError } from './errors.ts';
import { type Environment, type Expressions, hasExpression } from './expression.ts';
import type { HostThreadBuilder } from './host-thread-builder.ts';
import type { CallInputs, CallName } from './inputs.ts';
import { CALL_NAMES } from './make-call.ts';
import { type Entry, oneKey } from './one-key.ts';
import { BARE_CALLS, callSchemas, SOLE_ARGUMENT } from './schema/calls.ts';
import { groupSchemas } from './schema/document.ts';
import { check } from './schema/problem.ts';

/** Line and column of a call, both from 1. */
export type CallPlace = (path: Path, ordinal: number) => { readonly line: number; readonly column: number };
type Arguments = CallInputs[CallName] & { readonly label?: string };

const NAMES = [...CALL_NAMES, 'repeat', 'range'];
const REPEAT = groupSchemas.repeat(z.unknown());
const RANGE = groupSchemas.range(z.unknown());

/** Puts calls in their file form onto host threads, expanding `repeat` and `range`. */
export class CallReader {
  private readonly expressions: Expressions;
  private readonly place: CallPlace | undefined;
  private readonly limit: number;
  private made = 0;
  private next = 0;

  constructor(expressions: Expressions, limit: number, place: CallPlace | undefined) {
    this.expressions = expressions;
    this.limit = limit;
    this.place = place;
  }

  /** Reads the list at `path` of the document. Throws ProgramError with the path in the document. */
  read(calls: readonly unknown[], path: Path, environment: Environment, thread: HostThreadBuilder): void {
    this.run(this.number(calls, path), environment, thread);
  }

  /** Numbers the calls in document order and prepares what does not depend on expressions. */
  private number(calls: readonly unknown[], path: Path): Step[] {
    return calls.map((value, i) => {
      const at = [...path, i];
      const ordinal = this.next++;
      const entry = inside(at, () => oneKey(value, 'call', NAMES, BARE_CALLS));
      const place = this.place?.(at, ordinal);
      const body = (entry.argument as { calls?: unknown } | null)?.calls;
      const group = (entry.name === 'repeat' || entry.name === 'range') && Array.isArray(body);
      const steps = group ? this.number(body, [...at, entry.name, 'calls']) : [];
      const open = hasExpression(group ? { ...(entry.argument as object), calls: 0 } : entry.argument);
      return { entry, at, place, steps, open, known: undefined };
    });
  }

  private run(steps: readonly Step[], environment: Environment, thread: HostThreadBuilder): void {
    for (const step of steps) {
      if (step.entry.name === 'repeat') this.repeat(step, environment, thread);
      else if (step.entry.name === 'range') this.range(step, environment, thread);
      else this.call(step, environment, thread);
    }
  }

  private call(step: Step, environment: Environment, thread: HostThreadBuilder): void {
    const name = step.entry.name as CallName;
    this.count(step);
    try {
      const known = step.known ?? this.arguments(step, environment);
      if (!step.open) step.known = known;
      thread.add(name, known, { label: known.label, at: step.place });
    } catch (error) {
      throw error instanceof ProgramError ? error.within([...step.at, name]) : error;
    }
  }

  private arguments(step: Step, environment: Environment): Arguments {
    const { argument } = step.entry;
    const name = step.entry.name as CallName;
    const value = step.open ? this.expressions.deep(argument, environment) : (argument ?? {});
    const sole = SOLE_ARGUMENT[name];
    const short = sole !== undefined && (typeof value !== 'object' || Array.isArray(value));
    return check<Arguments>(callSchemas[name] as z.ZodType<Arguments>, short ? { [sole]: value } : value);
  }

  private repeat(step: Step, environment: Environment, thread: HostThreadBuilder): void {
    const { times, index } = this.group(step, REPEAT, environment);
    const leastCalls = times * Math.max(1, step.steps.length);
    if (this.made + leastCalls > this.limit) throw this.tooMany(step);
    const inner = index === undefined ? environment : new Map(environment);
    for (let i = 0; i < times; i++) {
      if (index !== undefined) (inner as Map<string, number>).set(index, i);
      if (step.steps.length === 0) this.count(step);
      this.run(step.steps, inner, thread);
    }
  }

  private range(step: Step, environment: Environment, thread: HostThreadBuilder): void {
    const { name } = this.group(step, RANGE, environment);
    this.count(step);
    thread.add('rangePush', { name }, { at: step.place });
    this.run(step.steps, environment, thread);
    thread.add('rangePop', {}, { at: step.place });
  }

  private group<T>(step: Step, schema: z.ZodType<T>, environment: Environment): T {
    return inside([...step.at, step.entry.name], () => {
      const { argument } = step.entry;
      if (!step.open) return check(schema, argument);
      const { calls, ...rest } = argument as { calls?: unknown };
      return check(schema, { ...(this.expressions.deep(rest, environment) as object), calls });
    });
  }

  private count(step: Step): void {
    this.made += 1;
    if (this.made > this.limit) throw this.tooMany(step);
  }

  private tooMany(step: Step): ProgramError {
    return new ProgramError(`the program expands to more than ${this.limit} calls`, {
      path: step.at,
      offending: step.entry.name,
    });
  }
}

interface Step {
  readonly entry: Entry;
  readonly at: Path;
  readonly place: { readonly line: number; readonly column: number } | undefined;
  readonly steps: readonly Step[];
  /** Whether its own arguments hold expressions. */
  readonly open: boolean;
  known: Arguments | undefined;
}
