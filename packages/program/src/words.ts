/** The words that fields of a program take, for the schema of files and for the builder. */
export const STREAM_KINDS = ['blocking', 'nonBlocking', 'legacy', 'perThread'] as const;
export const BUFFER_SPACES = ['device', 'host'] as const;
export const HOST_MEMORIES = ['pinned', 'pageable'] as const;
export const CAPTURE_MODES = ['global', 'threadLocal', 'relaxed'] as const;
export const EDGE_PORTS = ['default', 'programmatic', 'launchCompletion'] as const;
export const EDGE_TYPES = ['full', 'programmatic'] as const;
export const FENCE_SCOPES = ['block', 'device', 'system'] as const;
export const OBSERVERS = ['blocks', 'profiler', 'events'] as const;
export const ACCESS_MODES = ['read', 'write', 'atomic'] as const;
export const ACCESS_PROXIES = ['generic', 'async', 'nonCoherent'] as const;
export const ACCESS_SCOPES = ['block', 'cluster', 'device', 'system'] as const;
