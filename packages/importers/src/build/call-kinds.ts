/** What a call of the host means for the program, by its name. */
export type CallRole =
  | 'launch'
  | 'copy'
  | 'syncCopy'
  | 'memset'
  | 'graphLaunch'
  | 'record'
  | 'streamWait'
  | 'eventSync'
  | 'streamSync'
  | 'deviceSync'
  | 'hostFunction'
  | 'memory'
  | 'other';

const ROLES: readonly (readonly [RegExp, CallRole])[] = [
  [/^GraphLaunch$/, 'graphLaunch'],
  [/^Launch(Cooperative)?Kernel/, 'launch'],
  [/^LaunchHostFunc$|^StreamAddCallback$/, 'hostFunction'],
  [/^(DeviceSynchronize|CtxSynchronize|ThreadSynchronize)$/, 'deviceSync'],
  [/^StreamSynchronize$/, 'streamSync'],
  [/^EventSynchronize$/, 'eventSync'],
  [/^StreamWaitEvent$/, 'streamWait'],
  [/^EventRecord/, 'record'],
  [/^Memcpy.*Async/, 'copy'],
  [/^Memcpy/, 'syncCopy'],
  [/^Memset/, 'memset'],
  [/^(Malloc|Free|MemAlloc|MemFree|HostAlloc|HostRegister)/, 'memory'],
];

/** Suffixes of per-thread default streams and of versions, as profilers spell them. */
const SUFFIX = /(_ptsz|_ptds|_v\d+)+$/;

/** The role of a call such as `cudaLaunchKernelExC` or `cuLaunchKernelEx`. */
export function roleOf(name: string): CallRole {
  const bare = name.replace(SUFFIX, '').replace(/^cuda|^cu/, '');
  return ROLES.find(([pattern]) => pattern.test(bare))?.[1] ?? 'other';
}
