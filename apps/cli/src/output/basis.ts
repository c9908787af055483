import type { Constant, Machine } from '@griddep/machine';
import type { BasisEntry, Timeline } from '@griddep/timeline';

const STATUSES = ['measured', 'documented', 'assumed'] as const;

/** How many constants of each standing: `rests on 21 measured, 2 documented, 3 assumed constants`. */
export function basisText(basis: readonly BasisEntry[]): string {
  const counts = statusCounts(basis.map(({ status }) => status));
  return counts === '' ? 'rests on no constants of the machine' : `rests on ${counts} constants`;
}

/** Names of the constants that are assumed, for the user to judge what they mean for the result. */
export function assumedConstants({ basis }: Timeline): string[] {
  return basis.filter(({ status }) => status === 'assumed').map(({ constant }) => constant);
}

/** A constant that two machines have with different values. */
export interface DifferingConstant {
  readonly constant: string;
  readonly a: Constant;
  readonly b: Constant;
}

/**
 * The constants that differ between two machines (their first devices, and hosts) and that one of two runs used. Without
 * the machines, which a saved timeline does not have, none are known.
 */
export function differingConstants(
  [a, b]: readonly [Machine | undefined, Machine | undefined],
  runs: readonly Timeline[],
): DifferingConstant[] {
  const [deviceA, deviceB] = [a?.devices[0], b?.devices[0]];
  if (a === undefined || b === undefined || deviceA === undefined || deviceB === undefined) return [];
  const used = new Set(runs.flatMap(({ basis }) => basis.map(({ constant }) => constant)));
  const prefixes = [...new Set([deviceA.name, deviceB.name])];
  const among = (
    own: Readonly<Record<string, Constant>>,
    other: Readonly<Record<string, Constant>>,
    isUsed: (name: string) => boolean,
  ) =>
    Object.entries(own).flatMap(([constant, value]): DifferingConstant[] => {
      const replaced = other[constant];
      if (replaced === undefined || replaced.value === value.value || !isUsed(constant)) return [];
      return [{ constant, a: value, b: replaced }];
    });
  return [
    ...among(deviceA.timing, deviceB.timing, (name) => prefixes.some((prefix) => used.has(`${prefix}.${name}`))),
    ...among(a.host.timing, b.host.timing, (name) => used.has(`host.${name}`)),
  ];
}

/** `60 measured, 8 assumed`. */
export function statusCounts(statuses: readonly BasisEntry['status'][]): string {
  const counts = STATUSES.map((status) => [status, statuses.filter((each) => each === status).length] as const);
  return counts.flatMap(([status, count]) => (count === 0 ? [] : [`${count} ${status}`])).join(', ');
}
