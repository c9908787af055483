import type { CopyKind, HostMemory } from '@griddep/program';

const SHORT: ReadonlyMap<string, CopyKind> = new Map([
  ['HtoD', 'hostToDevice'],
  ['DtoH', 'deviceToHost'],
  ['DtoD', 'deviceToDevice'],
  ['HtoH', 'hostToHost'],
  ['PtoP', 'peer'],
]);

/** What a copy's name tells: `Memcpy HtoD (Pinned -> Device)`. */
export function copyOfName(name: string): { copy: CopyKind | undefined; hostMemory: HostMemory | undefined } {
  const direction = /\b([HDP]to[HDP])\b/.exec(name)?.[1] ?? '';
  const hostMemory = /pageable/i.test(name) ? 'pageable' : /pinned/i.test(name) ? 'pinned' : undefined;
  return { copy: SHORT.get(direction), hostMemory };
}
