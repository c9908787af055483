import type { Machine } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { linkProblem } from '../job/links.ts';
import type { Axis } from './axis.ts';

/**
 * Refuses an axis of links that none of the machines has: every run would be the same. Where some have them, a run with
 * another machine is a point that cannot be. `machines` are those of the points, drawn only until each axis has found one.
 *
 * @throws ProgramError at the axis
 */
export function checkLinks(axes: readonly Axis[], machines: Iterable<Machine>): void {
  const without = new Map(axes.flatMap(({ name, target }) => (target.kind === 'link' ? [[name, target.name]] : [])));
  if (without.size === 0) return;
  let last: Machine | undefined;
  for (const machine of machines) {
    if (machine === last) continue;
    last = machine;
    for (const [axis, link] of without) if (linkProblem(machine, link) === undefined) without.delete(axis);
    if (without.size === 0) return;
  }
  const [first] = without;
  const problem = last === undefined || first === undefined ? undefined : linkProblem(last, first[1]);
  if (first !== undefined && problem !== undefined)
    throw new ProgramError(problem, { path: ['axes', first[0], 'varies'], offending: `link.${first[1]}` });
}
