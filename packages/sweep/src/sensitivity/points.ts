import type { Constant, Machine } from '@griddep/machine';
import type { Sweep } from '../file/sweep.ts';
import type { Point } from '../job/job.ts';
import { linkConstants } from '../job/links.ts';
import { constantRule, type MachineChange } from '../job/machine-change.ts';
import { JobRunner } from '../job/run-job.ts';
import { latinHypercube } from '../latin-hypercube.ts';
import { pointOf } from '../points.ts';
import { generator } from '../random.ts';
import { SweepError } from '../sweep-error.ts';

/** A constant that a simulation uses, and how far it may be off. */
export interface UncertainConstant {
  readonly kind: 'constant' | 'link';
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The runs that tell what a prediction's uncertainty is: as the machine is, each constant that the program uses at both
 * ends of its spread, and samples (a Latin hypercube) of all at once. Their parameters are `constant` and `at`.
 */
export async function sensitivityPoints(
  sweep: Sweep,
  { samples, seed }: NonNullable<Sweep['sensitivity']>,
): Promise<Point[]> {
  if (sweep.axes.length > 0) throw new SweepError(`${sweep.file}: a sensitivity has no axes; set the parameters`);
  const base = sweep.job({});
  const runner = new JobRunner(sweep.texts);
  const constants = uncertain(runner.machineOf(base), await runner.constantsUsed(base));
  const points: Point[] = [];
  const add = (constant: string, at: string | number, changes: readonly MachineChange[]) =>
    points.push(
      pointOf(points.length, { constant, at }, { ...base, machineChanges: [...base.machineChanges, ...changes] }),
    );
  add('none', 'value', []);
  for (const { kind, name, low, high } of constants) {
    add(name, 'low', [{ kind, name, value: low }]);
    add(name, 'high', [{ kind, name, value: high }]);
  }
  let i = 0;
  for (const shares of latinHypercube(generator(seed, 'sensitivity'), constants.length, samples)) {
    const changes = constants.map((constant, k) => ({
      kind: constant.kind,
      name: constant.name,
      value: between(constant, shares[k] as number),
    }));
    add('all', i++, changes);
  }
  return points;
}

/** Half of the draws lie below the value and half above, so that the median stays what the machine says. */
function between({ name, low, value, high }: UncertainConstant, share: number): number {
  const drawn = share < 0.5 ? low + 2 * share * (value - low) : value + (2 * share - 1) * (high - value);
  return constantRule(name)?.range.whole === true ? Math.round(drawn) : drawn;
}

/** The constants that a run used and whose spread is known, by name. Devices of other kinds than the first keep theirs. */
export function uncertain(machine: Machine, used: readonly string[]): UncertainConstant[] {
  const timing: Readonly<Record<string, Constant>> = { ...machine.devices[0]?.timing, ...machine.host.timing };
  const links: Readonly<Record<string, Constant>> = linkConstants(machine.topology);
  const names = [...new Set(used.map(nameInSweeps))].sort();
  return names.flatMap((name) => {
    const [kind, constant] =
      links[name] === undefined ? (['constant', timing[name]] as const) : (['link', links[name]] as const);
    if (constant === undefined) return [];
    const { value, low = value, high = value } = constant;
    return low === high ? [] : [{ kind, name, value, low, high }];
  });
}

/** The last part of a constant's path; those of networks have the names of links otherwise. */
function nameInSweeps(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return path.startsWith('network.') ? `network${name[0]?.toUpperCase()}${name.slice(1)}` : name;
}
