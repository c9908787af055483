import { nearestName } from '@griddep/machine';
import {
  type Path,
  ProgramError,
  parseBytes,
  type ScenarioParameter,
  scenarioByName,
  type Value,
} from '@griddep/program';
import type { SweepInput } from './sweep.ts';

/**
 * Refuses a parameter that the input does not have, and a value that a scenario's parameter cannot be.
 *
 * @throws ProgramError at `path`, with the nearest valid name
 */
export function checkParameter(input: SweepInput, name: string, path: Path, atKey = true): void {
  const names = 'scenario' in input ? scenarioByName(input.scenario).params.map((each) => each.name) : input.parameters;
  if (names.includes(name)) return;
  const nearest = nearestName(name, names);
  const what = 'scenario' in input ? `scenario ${input.scenario}` : input.file;
  const known = nearest === undefined ? `; it has ${names.length === 0 ? 'none' : names.join(', ')}` : '';
  throw new ProgramError(`${what} has no parameter "${name}"${known}`, {
    path,
    atKey,
    offending: name,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** The same for one value. Texts with expressions are seen when a point is made. */
export function checkParameterValue(input: SweepInput, name: string, value: Value, path: Path): void {
  if (!('scenario' in input) || (typeof value === 'string' && value.includes('${'))) return;
  const parameter = scenarioByName(input.scenario).params.find((each) => each.name === name);
  const problem = parameter === undefined ? undefined : valueProblem(parameter, value);
  if (problem === undefined) return;
  const nearest = nearestName(String(value), parameter?.choices ?? []);
  throw new ProgramError(`${name} ${problem}, got ${JSON.stringify(value)}`, {
    path,
    offending: String(value),
    ...(nearest === undefined ? {} : { nearest }),
  });
}

function valueProblem(parameter: ScenarioParameter, value: Value): string | undefined {
  const { choices, min = 0, max = Number.MAX_SAFE_INTEGER, unit } = parameter;
  switch (typeof parameter.default) {
    case 'boolean':
      return value === 'true' || value === 'false' || typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'string':
      return choices === undefined || choices.includes(String(value))
        ? undefined
        : `must be one of ${choices.join(', ')}`;
    default: {
      const number = unit === 'bytes' ? bytesOf(value) : Number(value);
      const isWhole = Number.isSafeInteger(number) && number >= min && number <= max;
      return isWhole ? undefined : `must be a ${unit === 'bytes' ? 'size' : 'whole number'} from ${min} to ${max}`;
    }
  }
}

function bytesOf(value: Value): number {
  try {
    return typeof value === 'boolean' ? Number.NaN : parseBytes(value, 0);
  } catch {
    return Number.NaN;
  }
}
