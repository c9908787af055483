import { nearestName } from '@griddep/machine';
import { type Expressions, type Path, ProgramError, type Value } from '@griddep/program';
import { STATISTICS } from '../job/statistics.ts';
import type { Axis } from './axis.ts';
import { inside } from './inside.ts';
import type { SweepDocument } from './schema.ts';
import type { Recorded } from './sweep.ts';

const DEFAULT_RECORD = ['makespan'];

/** Statistics that a run has only where the sweep asks for them. */
const ASKED_FOR: Readonly<Record<string, { readonly by: 'reference' | 'hazards'; readonly problem: string }>> = {
  referenceMakespan: { by: 'reference', problem: 'referenceMakespan needs a reference' },
  gain: { by: 'reference', problem: 'gain needs a reference' },
  hazards: { by: 'hazards', problem: 'hazards are recorded with `hazards: true`' },
};

/** The statistics that the runs of a sweep have. */
export function statisticsOf(document: SweepDocument): string[] {
  return Object.keys(STATISTICS).filter((name) => {
    const by = ASKED_FOR[name]?.by;
    return by === undefined || (document[by] !== undefined && document[by] !== false);
  });
}

/** The parameters that are the same in all runs. */
export function fixedParameters({ set = {} }: SweepDocument): [string, Value][] {
  return Object.entries(set).filter(([, value]) => !String(value).includes('${'));
}

/** An expression stands alone or within its marks. */
export function marked(text: string): string {
  return text.includes('${') ? text : `\${${text}}`;
}

/**
 * Reads what a sweep records.
 *
 * @throws ProgramError with the nearest valid name where an expression, in any branch, names what no run has
 */
export function readRecord(document: SweepDocument, axes: readonly Axis[], expressions: Expressions): Recorded[] {
  const { record = DEFAULT_RECORD, minimise } = document;
  const environment = new Map<string, Value>([
    ...fixedParameters(document),
    ...statisticsOf(document).map((name): [string, Value] => [name, 1]),
    ...(minimise === undefined ? [] : [[minimise.budget, minimise.from] as const]),
    ...axes.map(({ name, at }): [string, Value] => [name, at(0)]),
  ]);
  return record.map((each, i) => {
    const recorded = typeof each === 'string' ? { name: each, expression: each } : each;
    const text = marked(recorded.expression);
    inside(typeof each === 'string' ? ['record', i] : ['record', i, 'expression'], () => {
      for (const name of expressions.names(text))
        if (!environment.has(name)) throw unknown(`unknown parameter "${name}"`, name, [...environment.keys()]);
      expressions.text(text, environment);
    });
    return recorded;
  });
}

/** @throws ProgramError at `path` unless `names` has the name */
export function checkNamed(name: string, names: readonly string[], path: Path): void {
  if (!names.includes(name)) throw unknown(`nothing is recorded as "${name}"`, name, names, path);
}

function unknown(problem: string, name: string, names: readonly string[], path: Path = []): ProgramError {
  const asked = ASKED_FOR[name]?.problem;
  const nearest = asked === undefined ? nearestName(name, names) : undefined;
  return new ProgramError(asked ?? problem, {
    path,
    offending: name,
    ...(nearest === undefined ? {} : { nearest }),
  });
}
