import { type ProgramBuilder, programBuilder } from '../../builder.ts';
import type { Program } from '../../program.ts';
import {
  completeValues,
  type ParameterValue,
  type ParameterValues,
  type ScenarioParameter,
  type Unnamed,
} from './parameters.ts';

/** A program with parameters, that stands for a situation. */
export interface Scenario {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly description: string;
  readonly params: readonly ScenarioParameter[];
  /** Name of the scenario that this one repeats with other defaults. */
  readonly aliasOf?: string;
  /**
   * Makes the program; parameters left out have their defaults.
   *
   * @throws ProgramError on an unknown parameter or a value that is not allowed.
   */
  build(params?: ParameterValues): Program;
}

type Specification = Readonly<Record<string, Unnamed<ParameterValue>>>;
type ValuesOf<S extends Specification> = { readonly [K in keyof S]: S[K]['default'] };

interface ScenarioInput<S extends Specification> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly params: S;
  /** Declares the program's objects and calls. */
  readonly declare: (program: ProgramBuilder, values: ValuesOf<S>) => void;
}

/** A scenario whose `declare` receives its parameters' values, typed as they were specified. */
export function defineScenario<S extends Specification>(input: ScenarioInput<S>): Scenario {
  const { name, summary, description, declare } = input;
  const params = Object.entries(input.params).map(([key, parameter]) => ({ name: key, ...parameter }));
  return {
    name,
    summary,
    description,
    params,
    build(given = {}) {
      const values = completeValues(params, given);
      const program = programBuilder(name, { description: summary, params: values });
      declare(program, values as ValuesOf<S>);
      return program.build();
    },
  };
}

/** The same scenario under another name and, where `defaults` says so, with other defaults. */
export function aliasScenario(
  name: string,
  of: Scenario,
  why: { readonly summary: string; readonly description?: string; readonly defaults?: ParameterValues },
): Scenario {
  const { defaults = {} } = why;
  completeValues(of.params, defaults);
  const params = of.params.map((p) => ({ ...p, default: defaults[p.name] ?? p.default }));
  return {
    name,
    summary: why.summary,
    description: why.description ?? of.description,
    params,
    aliasOf: of.name,
    build: (given = {}) => ({
      ...of.build(completeValues(params, given)),
      name,
      description: why.summary,
    }),
  };
}
