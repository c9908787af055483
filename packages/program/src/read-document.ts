import { z } from 'zod';
import { type ProgramBuilder, programBuilder } from './builder.ts';
import { inside, ProgramError } from './errors.ts';
import { type Environment, Expressions, type Value } from './expression.ts';
import type { CallInput, CallName, EventInput, GraphEdgeInput, GraphNodeInput, KernelInput } from './inputs.ts';
import { CALL_NAMES } from './make-call.ts';
import { unknownName } from './names.ts';
import { oneKey } from './one-key.ts';
import type { Program } from './program.ts';
import { type CallPlace, CallReader } from './read-calls.ts';
import { readPhases } from './read-phases.ts';
import { callSchemas } from './schema/calls.ts';
import { documentSchema } from './schema/document.ts';
import { check, describe } from './schema/problem.ts';

export interface DocumentOptions {
  /** File that the places of calls refer to. */
  readonly file?: string | undefined;
  /** Replaces values of `params`, as `--set name=value` does. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Most calls after `repeat` is expanded; default 1 million. */
  readonly maxCalls?: number | undefined;
}

export const MOST_CALLS = 1_000_000;
const MOST_VALUES = 50_000_000;
const schema = documentSchema({ phase: z.unknown(), call: z.unknown(), node: z.unknown() });
type Document = z.infer<typeof schema>;

/**
 * Makes a program of a document, the plain value of a program file. Throws ProgramError with the path in the document
 * (and `file:line:column` only where `place` or validation knows it).
 */
export function programFromDocument(value: unknown, options: DocumentOptions = {}, place?: CallPlace): Program {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ProgramError(`a program is a map with the keys schema, kernels, calls ...; got ${describe(value)}`);
  }
  checkSchema(value);
  checkKeys(value, { left: MOST_VALUES });
  const { params, calls, threads, ...rest } = value as Record<string, unknown>;
  const expressions = new Expressions();
  const environment = readParams(params, options.set ?? {}, expressions);
  const bodies = Array.isArray(threads) ? threads.map((t) => (t as { calls?: unknown } | null)?.calls) : [];
  const heads = Array.isArray(threads) ? threads.map(withoutCalls) : threads;
  const head = expressions.deep({ ...rest, threads: heads }, environment) as Record<string, unknown>;
  const whole: Record<string, unknown> = { ...head, calls };
  if (Array.isArray(head.threads)) whole.threads = head.threads.map((t, i) => withCalls(t, bodies[i]));
  for (const key of ['calls', 'threads']) if (whole[key] === undefined) delete whole[key];
  const document = check(schema, whole);
  if (document.calls !== undefined && document.threads !== undefined) {
    throw new ProgramError('give calls or threads, not both', { path: ['threads'], atKey: true });
  }
  const builder = programBuilder(document.name ?? 'program', {
    description: document.description,
    file: options.file,
    params: Object.fromEntries(environment),
  });
  declare(builder, document);
  const reader = new CallReader(expressions, options.maxCalls ?? MOST_CALLS, place);
  if (document.calls !== undefined) reader.read(document.calls, ['calls'], environment, builder.hostThread('main'));
  document.threads?.forEach((thread, i) => {
    const { name, device, callGap } = thread;
    const host = inside(['threads', i], () => builder.hostThread(name, { device, callGap }));
    reader.read(thread.calls, ['threads', i, 'calls'], environment, host);
  });
  return builder.build();
}

/** A file of another kind or version would otherwise be reported by whatever key this version does not know. */
function checkSchema(value: object): void {
  if (Object.hasOwn(value, 'schema')) check(schema.pick({ schema: true }).loose(), value);
}

function withoutCalls(thread: unknown): unknown {
  if (typeof thread !== 'object' || thread === null || Array.isArray(thread)) return thread;
  const { calls: _, ...head } = thread as Record<string, unknown>;
  return head;
}

function withCalls(thread: unknown, calls: unknown): unknown {
  return typeof thread === 'object' && thread !== null && calls !== undefined ? { ...thread, calls } : thread;
}

/** Refuses keys that JavaScript treats specially, and documents that aliases blow up. */
function checkKeys(value: unknown, budget: { left: number }): void {
  if (typeof value !== 'object' || value === null) return;
  budget.left -= 1;
  if (budget.left < 0) throw new ProgramError(`the document expands to more than ${MOST_VALUES} values`);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) checkInner(value[i], i, budget);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') {
      throw new ProgramError('the name "__proto__" is not allowed', { offending: key, path: [key], atKey: true });
    }
    checkInner((value as Record<string, unknown>)[key], key, budget);
  }
}

function checkInner(value: unknown, key: string | number, budget: { left: number }): void {
  if (typeof value === 'object' && value !== null) inside([key], () => checkKeys(value, budget));
}

function readParams(given: unknown, set: Readonly<Record<string, string>>, expressions: Expressions): Environment {
  const declared = given === undefined || given === null ? {} : check(schema.shape.params.unwrap(), given);
  const inside_ = (name: string, body: () => Value) => inside(['params', name], body);
  const environment = new Map<string, Value>();
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(declared, name)) throw unknownName('parameter', name, Object.keys(declared)).within(['params']);
  }
  for (const [name, value] of Object.entries(declared)) {
    inside(['params', name], () => refuseWordForBoolean(name, value));
    const usual = inside_(name, () => (typeof value === 'string' ? expressions.text(value, environment) : value));
    const replaced = Object.hasOwn(set, name) ? inside_(name, () => parseAs(usual, set[name] ?? '', name)) : usual;
    environment.set(name, replaced);
  }
  return environment;
}

/** Words that YAML 1.1 took as booleans are texts in YAML 1.2, and would be refused only where an expression uses them. */
function refuseWordForBoolean(name: string, value: unknown): void {
  if (typeof value !== 'string' || !/^(yes|no|on|off)$/i.test(value)) return;
  const meant = /^(yes|on)$/i.test(value) ? 'true' : 'false';
  throw new ProgramError(`parameter ${name}: ${JSON.stringify(value)} is a text, not true or false`, {
    offending: value,
    nearest: meant,
  });
}

function parseAs(usual: Value, text: string, name: string): Value {
  if (typeof usual === 'string') return text;
  if (typeof usual === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new ProgramError(`parameter ${name} is true or false, got ${JSON.stringify(text)}`, { offending: text });
  }
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(usual) && Number.isFinite(value) && !Number.isInteger(value)) {
    throw new ProgramError(
      `parameter ${name} is a whole number, as its default ${usual} is, got ${JSON.stringify(text)}`,
      {
        offending: text,
      },
    );
  }
  if (Number.isFinite(value)) return value;
  throw new ProgramError(`parameter ${name} is a number, got ${JSON.stringify(text)}`, { offending: text });
}

function declare(builder: ProgramBuilder, document: Document): void {
  for (const [name, buffer] of Object.entries(document.buffers ?? {})) {
    inside(['buffers', name], () => builder.buffer(name, buffer));
  }
  for (const [key, name, stream] of namedItems(document.streams)) {
    inside(['streams', key], () => builder.stream(name, stream));
  }
  for (const [key, name, event] of namedItems<EventInput>(document.events)) {
    inside(['events', key], () => builder.event(name, event));
  }
  for (const [name, kernel] of Object.entries(document.kernels ?? {})) {
    inside(['kernels', name], () => builder.kernel(name, readKernel(kernel)));
  }
  for (const [name, graph] of Object.entries(document.graphs ?? {})) {
    inside(['graphs', name], () => {
      const nodes = graph.nodes.map((node, i) => inside(['nodes', i], () => readNode(node)));
      try {
        builder.graph(name, nodes, (graph.edges ?? []) as GraphEdgeInput[]);
      } catch (error) {
        if (!(error instanceof ProgramError) || error.path[2] !== 'call') throw error;
        throw error.withPath(error.path.filter((_, i) => i !== 2));
      }
    });
  }
}

type Named<T> = Readonly<Record<string, T | null>> | readonly (string | (T & { readonly name?: unknown }))[];

/** Key in the document, name and properties of streams or events, given as a map or as a list. */
function namedItems<T extends object>(given: Named<T> | undefined): [string | number, string, T][] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return Object.entries(given).map(([name, item]) => [name, name, (item ?? {}) as T]);
  return given.map((item, i) => {
    if (typeof item === 'string') return [i, item, {} as T];
    const { name, ...properties } = item;
    return [i, String(name), properties as T];
  });
}

type KernelDocument = NonNullable<Document['kernels']>[string];

function readKernel(kernel: KernelDocument): KernelInput {
  const { phases, roles, ...rest } = kernel;
  return {
    ...rest,
    ...(phases === undefined ? {} : { phases: inside(['phases'], () => readPhases(phases)) }),
    ...(roles === undefined
      ? {}
      : {
          roles: roles.map((role, i) => ({
            ...role,
            phases: inside(['roles', i, 'phases'], () => readPhases(role.phases)),
          })),
        }),
  };
}

function readNode(value: unknown): GraphNodeInput {
  const { name, argument } = oneKey(value, 'call', CALL_NAMES, [], 'id');
  const id = (value as { id?: unknown }).id;
  if (typeof id !== 'string' || id === '') throw new ProgramError('a node needs an id, a text', { path: ['id'] });
  const input = inside([name], () => check(callSchemas[name as CallName] as z.ZodType<object>, argument));
  return { id, call: { [name]: input } as unknown as CallInput };
}
