/** Cases that isolate a mechanism, random programs, and applications. */
export type CaseKind = 'mechanism' | 'random program' | 'application';
export const CASE_KINDS: readonly CaseKind[] = ['mechanism', 'random program', 'application'];

/** Leading words whose second word is a variant (a direction, a kind of stream or event), not another mechanism. */
const VARIED = new Set(
  'between copies copy default elapsed event fma host launchrate load memset pair pipeline ramp store visibility'.split(
    ' ',
  ),
);
const RANDOM = /^(fuzz|mix)-/;
const APPLICATION = /^(decode|pack|layers)-/;

/**
 * The family of a case: the first word of its name, and the second unless it holds a digit, or the first holds one, or the
 * first is one whose second word is a variant. `gap-plain-stream-1x256` is of `gap-plain`, `chain32-pdl-500` of `chain32`,
 * `copy-h2d-4096` of `copy`, `mix-1dev-650` of `mix`.
 */
export function familyOf(name: string): string {
  const [first = '', second] = name.split('-');
  const alone = second === undefined || second === '' || /\d/.test(first + second) || VARIED.has(first);
  return alone ? first : `${first}-${second}`;
}

/** What kind of case a name says it is. */
export function kindOfCase(name: string): CaseKind {
  if (RANDOM.test(name)) return 'random program';
  return APPLICATION.test(name) ? 'application' : 'mechanism';
}
