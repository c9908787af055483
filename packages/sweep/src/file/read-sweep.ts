import { machineByName } from '@griddep/machine';
import {
  checkBySchema,
  type Environment,
  Expressions,
  ProgramError,
  parseSource,
  scenarioByName,
  type Value,
} from '@griddep/program';
import { type Job, sha256, type Text } from '../job/job.ts';
import { JobRunner } from '../job/run-job.ts';
import { SweepError } from '../sweep-error.ts';
import { type Axis, readAxis } from './axis.ts';
import { effectsOf } from './effects.ts';
import { inside } from './inside.ts';
import { checkLinks } from './link-check.ts';
import { checkParameter, checkParameterValue } from './parameter-check.ts';
import { checkNamed, fixedParameters, marked, readRecord, statisticsOf } from './record.ts';
import { type Parameters, sampleOf } from './sample.ts';
import { SWEEP_SCHEMA, type SweepDocument, sweepDocument } from './schema.ts';
import type { Recorded, Sweep, SweepInput } from './sweep.ts';

export interface ReadSweepOptions {
  /** Name for messages; its ending decides between JSON and YAML. */
  readonly file: string;
  /** Reads a program file that the sweep names. */
  readonly program: (path: string) => SweepInput;
  /** Reads a machine file that the sweep names. */
  readonly machine: (path: string) => Text;
  /** In place of what the file says, as the command line asks. */
  readonly input?: SweepInput | undefined;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly machineName?: string | undefined;
}

const MACHINE_FILE = /\.(json|ya?ml)$/i;

/**
 * Reads a sweep file, YAML or JSON, of schema griddep/sweep@1.
 *
 * @throws ProgramError whose message begins with `file:line:column`
 */
export function readSweep(text: string, options: ReadSweepOptions): Sweep {
  const { file } = options;
  const source = parseSource(text, file);
  try {
    checkKind(source.value);
    return new Reader(checkBySchema(sweepDocument, source.value), options).sweep();
  } catch (error) {
    if (!(error instanceof ProgramError) || error.line > 0 || error.file !== '') throw error;
    const place = source.locate(error.path, error.atKey);
    throw error.located(file, place.line, place.column, error.offending === '' ? place.text : error.offending);
  }
}

function checkKind(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProgramError('a sweep is a map with the keys schema, input, axes ...');
  const { schema } = value as { schema?: unknown };
  if (typeof schema === 'string' && schema !== SWEEP_SCHEMA)
    throw new ProgramError(`is ${schema}, expected ${SWEEP_SCHEMA}`, { path: ['schema'], offending: schema });
  if (schema === undefined) throw new ProgramError(`missing "schema"; a sweep begins with schema: ${SWEEP_SCHEMA}`);
}

class Reader {
  readonly #document: SweepDocument;
  readonly #options: ReadSweepOptions;
  readonly #expressions = new Expressions();
  readonly #texts = new Map<string, Text>();

  constructor(document: SweepDocument, options: ReadSweepOptions) {
    this.#document = document;
    this.#options = options;
  }

  sweep() {
    const {
      name = 'sweep',
      description = '',
      minimise,
      sensitivity,
      plot = {},
      sample,
      constraints = [],
    } = this.#document;
    const input = this.#input();
    const axes = this.#axes(input);
    this.#checkSet('set', input);
    this.#checkSet('reference', input);
    this.#checkGiven(input);
    const record = readRecord(this.#document, axes, this.#expressions);
    const measures = [...new Set([...record.map((each) => each.name), ...statisticsOf(this.#document)])];
    if (sensitivity !== undefined && minimise !== undefined)
      throw new ProgramError('give minimise or sensitivity, not both', { path: ['minimise'], atKey: true });
    if (minimise !== undefined) {
      inside(['minimise', 'budget'], () => checkParameter(input, minimise.budget, [], false));
      if (axes.some(({ name }) => name === minimise.budget))
        throw new ProgramError(`"${minimise.budget}" is an axis too`, { path: ['minimise', 'budget'] });
      checkNamed(minimise.of ?? 'makespan', measures, ['minimise', 'of']);
      if (minimise.to < minimise.from)
        throw new ProgramError('the budget ends before it begins', { path: ['minimise', 'to'] });
    }
    if (sensitivity === undefined) this.#checkPlot([...measures, ...this.#parameters(axes)]);
    const machine = this.#machine();
    const result = {
      name,
      description,
      file: this.#options.file,
      input,
      axes,
      sample: sampleOf(axes, sample),
      record,
      measures,
      plot,
      minimise:
        minimise === undefined
          ? undefined
          : {
              of: minimise.of ?? 'makespan',
              budget: minimise.budget,
              from: minimise.from,
              to: minimise.to,
              keep: minimise.keep ?? 1 / 3,
            },
      sensitivity:
        sensitivity === undefined ? undefined : { samples: sensitivity.samples ?? 100, seed: sensitivity.seed ?? 0 },
      texts: this.#texts,
      job: (parameters: Parameters) => this.#job(input, axes, machine, parameters),
      allows: (parameters: Parameters) =>
        constraints.every((text, i) =>
          inside(['constraints', i], () => this.#isTrue(text, new Map(Object.entries(parameters)))),
        ),
      recorded: (row: Ran) => this.#recorded(record, row),
    };
    this.#tryFirst(result, axes);
    checkLinks(axes, machinesOf(result));
    return result;
  }

  #input(): SweepInput {
    const { input } = this.#document;
    const given = this.#options.input ?? inside(['input'], () => this.#inputOf(input));
    if ('text' in given) this.#texts.set(sha256(given.text), { file: given.file, text: given.text });
    return given;
  }

  #inputOf(input: SweepDocument['input']): SweepInput {
    if (input === undefined)
      throw new ProgramError('missing "input": a program file, or { scenario: NAME }', { path: [] });
    if (typeof input === 'string') return this.#options.program(input);
    inside(['scenario'], () => scenarioByName(input.scenario));
    return input;
  }

  #axes(input: SweepInput): Axis[] {
    const { axes = {} } = this.#document;
    return Object.entries(axes).map(([name, document]) =>
      inside(['axes', name], () => {
        const axis = readAxis(name, document);
        if (axis.target.kind !== 'parameter') return axis;
        const named = !Array.isArray(document) && (document as { varies?: string }).varies !== undefined;
        checkParameter(input, axis.target.name, named ? ['varies'] : [], !named);
        const values = Array.isArray(document) ? document : ((document as { values?: Value[] }).values ?? []);
        const path = Array.isArray(document) ? [] : ['values'];
        for (const [i, value] of values.entries()) checkParameterValue(input, axis.target.name, value, [...path, i]);
        return axis;
      }),
    );
  }

  #checkSet(key: 'set' | 'reference', input: SweepInput): void {
    for (const [name, value] of Object.entries(this.#document[key] ?? {})) {
      checkParameter(input, name, [key, name]);
      checkParameterValue(input, name, value, [key, name]);
    }
  }

  /** What the command line sets has no place in the file. */
  #checkGiven(input: SweepInput): void {
    for (const [name, value] of Object.entries(this.#options.set ?? {})) {
      try {
        checkParameter(input, name, []);
        checkParameterValue(input, name, value, []);
      } catch (error) {
        throw error instanceof ProgramError ? new SweepError(`--set ${name}: ${error.message}`) : error;
      }
    }
  }

  /** What the rows have as parameters. */
  #parameters(axes: readonly Axis[]): string[] {
    const { minimise } = this.#document;
    return [...axes.map(({ name }) => name), ...(minimise === undefined ? [] : [minimise.budget])];
  }

  #checkPlot(names: readonly string[]): void {
    for (const [key, name] of Object.entries(this.#document.plot ?? {}))
      if (key !== 'kind' && name !== undefined) checkNamed(name, names, ['plot', key]);
  }

  #machine(): (environment: Environment) => Job['machine'] {
    const given = this.#options.machineName ?? this.#document.machine ?? 'h200';
    if (MACHINE_FILE.test(given)) {
      const text = this.#options.machine(given);
      const key = sha256(text.text);
      this.#texts.set(key, text);
      return () => ({ text: key });
    }
    return (environment) => {
      const name = inside(['machine'], () => String(this.#expressions.text(given, environment)));
      try {
        machineByName(name);
      } catch (error) {
        const { reason, nearest } = error as { reason?: string; nearest?: string };
        throw new ProgramError(reason ?? String(error), {
          path: ['machine'],
          ...(nearest === undefined ? {} : { nearest }),
        });
      }
      return { name };
    };
  }

  #job(
    input: SweepInput,
    axes: readonly Axis[],
    machine: (environment: Environment) => Job['machine'],
    parameters: Parameters,
  ): Job {
    const environment = new Map(Object.entries(parameters));
    const { settings, machineChanges, changes, machine: named, workers } = effectsOf(axes, parameters);
    const { reference, hazards = false } = this.#document;
    return {
      input: 'scenario' in input ? { scenario: input.scenario } : { text: sha256(input.text) },
      settings: { ...this.#settings('set', environment), ...this.#options.set, ...settings },
      ...(reference === undefined ? {} : { reference: this.#settings('reference', environment) }),
      machine: named ?? machine(environment),
      machineChanges,
      changes,
      workers,
      hazards,
    };
  }

  #settings(key: 'set' | 'reference', environment: Environment): Record<string, string> {
    const entries = Object.entries(this.#document[key] ?? {}).map(([name, value]) => {
      const evaluate = () => String(typeof value === 'string' ? this.#expressions.text(value, environment) : value);
      return [name, inside([key, name], evaluate)] as const;
    });
    return Object.fromEntries(entries);
  }

  #recorded(record: readonly Recorded[], { parameters, statistics = {} }: Ran): Record<string, Value> {
    const own = [...Object.entries(statistics), ...Object.entries(parameters)];
    const environment = new Map<string, Value>([
      ...fixedParameters(this.#document),
      ...Object.entries(this.#options.set ?? {}),
      ...own,
    ]);
    return Object.fromEntries(
      record.map(({ name, expression }, i) => {
        const value = inside(['record', i], () => this.#expressions.text(marked(expression), environment));
        return [name, typeof value === 'number' && !Number.isFinite(value) ? '' : value];
      }),
    );
  }

  #isTrue(text: string, environment: Environment): boolean {
    return this.#expressions.text(marked(text), environment) === true;
  }

  /** What only a point shows (an expression with a wrong name, a machine that is none) is seen at the first. */
  #tryFirst(sweep: Pick<Sweep, 'job' | 'allows'>, axes: readonly Axis[]): void {
    const first = Object.fromEntries(axes.map(({ name, at }) => [name, at(0)]));
    sweep.allows(first);
    sweep.job(first);
  }
}

/** The machines of the points, before anything of them is changed. */
function* machinesOf({ texts, sample, allows, job }: Pick<Sweep, 'texts' | 'sample' | 'allows' | 'job'>) {
  const runner = new JobRunner(texts);
  for (const parameters of sample.points())
    if (allows(parameters)) yield runner.machineOf({ ...job(parameters), machineChanges: [] });
}

/** A point and what it came to. */
interface Ran {
  readonly parameters: Parameters;
  readonly statistics: Readonly<Record<string, number>> | undefined;
}
