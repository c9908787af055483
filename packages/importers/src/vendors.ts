/** Prefixes of the calls of other makers' runtimes. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^hip[A-Z]|^hsa_|^roctx/, 'AMD devices (ROCm)'],
  [/^ze[A-Z]|^ur[A-Z]|^sycl/, 'Intel devices (Level Zero)'],
  [/^acl[A-Z]|^aclrt|^Ascend/, 'Ascend devices (CANN)'],
  [/^mtl|^MTL/, 'Apple devices (Metal)'],
];

/** Whose runtime a call belongs to, if not CUDA. */
export function foreignMaker(call: string): string | undefined {
  return FOREIGN.find(([pattern]) => pattern.test(call))?.[1];
}
