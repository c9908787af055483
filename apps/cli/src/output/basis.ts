import type { BasisEntry, Timeline } from '@griddep/timeline';

const STATUSES = ['measured', 'documented', 'assumed'] as const;

/** How many constants of each standing: `rests on 21 measured, 2 documented, 3 assumed constants`. */
export function basisText(basis: readonly BasisEntry[]): string {
  const parts = STATUSES.flatMap((status) => {
    const count = basis.filter((entry) => entry.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return parts.length === 0 ? 'rests on no constants of the machine' : `rests on ${parts.join(', ')} constants`;
}

/** Names of the constants that are assumed, for the user to judge what they mean for the result. */
export function assumedConstants({ basis }: Timeline): string[] {
  return basis.filter(({ status }) => status === 'assumed').map(({ constant }) => constant);
}
