import type { CauseKind, OperationKind, Slowdown } from './operation.ts';

/** A record has to name every member of the union, so the compiler finds a kind that is missing here. */
function names<T extends string>(record: Record<T, true>): ReadonlySet<T> {
  return new Set(Object.keys(record) as T[]);
}

export const OPERATION_KINDS = names<OperationKind>({
  kernel: true,
  copy: true,
  memset: true,
  eventRecord: true,
  eventWait: true,
  hostFunction: true,
  allocation: true,
  graph: true,
  collective: true,
  hostCall: true,
});

export const CAUSE_KINDS = names<CauseKind>({
  host: true,
  stream: true,
  trigger: true,
  event: true,
  programmaticEvent: true,
  launchCompletion: true,
  legacyStream: true,
  hardwareQueue: true,
  launchProcessing: true,
  resources: true,
  carveOut: true,
  residentGrids: true,
  priority: true,
  engine: true,
  staging: true,
  implicitSync: true,
  graphEdge: true,
  queueFull: true,
  synchronize: true,
  flag: true,
  collective: true,
});

export const SLOWDOWN_RESOURCES = names<Slowdown['resource']>({
  arithmetic: true,
  deviceMemory: true,
  link: true,
  engine: true,
});
