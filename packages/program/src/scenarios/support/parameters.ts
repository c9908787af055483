import { ProgramError } from '../../errors.ts';
import { unknownName } from '../../names.ts';
import { nearestName } from '../../nearest-name.ts';
import { formatBytes, parseBytes } from '../../quantity.ts';

export type ParameterValue = number | string | boolean;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** What a scenario can be varied by. Numbers are whole; a `min` and `max` are allowed values themselves. */
export interface ScenarioParameter<T extends ParameterValue = ParameterValue> {
  readonly name: string;
  readonly default: T;
  readonly meaning: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** `bytes`: a size, which text may give with a unit. */
  readonly unit?: 'bytes';
}

/** A parameter whose name is the key it stands under. */
export type Unnamed<T extends ParameterValue> = Omit<ScenarioParameter<T>, 'name'>;

/** A whole number from `min` to `max`. */
export function count(value: number, meaning: string, min: number, max: number): Unnamed<number> {
  return { default: value, meaning, min, max };
}

/** A size in bytes from `min` to `max`. */
export function size(value: string, meaning: string, min: string, max: string): Unnamed<number> {
  return { default: parseBytes(value), meaning, min: parseBytes(min), max: parseBytes(max), unit: 'bytes' };
}

export function flag(value: boolean, meaning: string): Unnamed<boolean> {
  return { default: value, meaning };
}

export function choice<const C extends readonly string[]>(
  value: NoInfer<C[number]>,
  meaning: string,
  choices: C,
): Unnamed<C[number]> {
  return { default: value, meaning, choices };
}

/** A parameter's value as a person writes it. */
export function formatValue(parameter: ScenarioParameter, value: ParameterValue): string {
  return parameter.unit === 'bytes' && typeof value === 'number' ? String(formatBytes(value)) : String(value);
}

/**
 * All values of a scenario's parameters: `given` checked, the rest by default.
 *
 * @throws ProgramError on an unknown name (with the nearest), a wrong type, a value out of range or not among the choices.
 */
export function completeValues(parameters: readonly ScenarioParameter[], given: ParameterValues): ParameterValues {
  const names = parameters.map((p) => p.name);
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) throw unknownName('parameter', name, names, name);
  }
  return Object.fromEntries(
    parameters.map((p) => {
      const value = given[p.name] ?? p.default;
      checkValue(p, value);
      return [p.name, value];
    }),
  );
}

/**
 * Reads values given as text, such as those of `--set key=value`.
 *
 * @throws ProgramError as completeValues does.
 */
export function parseValues(
  parameters: readonly ScenarioParameter[],
  set: Readonly<Record<string, string>>,
): ParameterValues {
  const byName = new Map(parameters.map((p) => [p.name, p]));
  const parsed = Object.entries(set).map(([name, text]) => {
    const parameter = byName.get(name);
    if (parameter === undefined) throw unknownName('parameter', name, byName.keys(), name);
    return [name, parseValue(parameter, text.trim())];
  });
  return completeValues(parameters, Object.fromEntries(parsed));
}

function parseValue(parameter: ScenarioParameter, text: string): ParameterValue {
  switch (typeof parameter.default) {
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrong(parameter, text, 'must be true or false');
    case 'number':
      if (parameter.unit === 'bytes') return parseBytes(text);
      if (text === '' || Number.isNaN(Number(text))) throw wrong(parameter, text, rangeText(parameter));
      return Number(text);
    default:
      return text;
  }
}

function checkValue(parameter: ScenarioParameter, value: ParameterValue): void {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, choices } = parameter;
  if (typeof value !== typeof parameter.default) {
    throw wrong(parameter, value, `must be a ${typeof parameter.default}`);
  }
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= min && value <= max)) {
    throw wrong(parameter, value, rangeText(parameter));
  }
  if (typeof value === 'string' && choices !== undefined && !choices.includes(value)) {
    const nearest = nearestName(value, choices);
    const problem = `${parameter.name} must be one of ${choices.join(', ')}, got ${JSON.stringify(value)}`;
    throw new ProgramError(problem, {
      offending: value,
      path: [parameter.name],
      ...(nearest === undefined ? {} : { nearest }),
    });
  }
}

function rangeText(parameter: ScenarioParameter): string {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, unit } = parameter;
  const [least, most] = [formatValue(parameter, min), formatValue(parameter, max)];
  return `must be a ${unit === undefined ? 'whole number' : 'size'} from ${least} to ${most}`;
}

function wrong(parameter: ScenarioParameter, value: ParameterValue, problem: string): ProgramError {
  return new ProgramError(`${parameter.name} ${problem}, got ${JSON.stringify(formatValue(parameter, value))}`, {
    offending: String(value),
    path: [parameter.name],
  });
}
