import * as z from 'zod';

const percentile = z.number().optional();
const operation = z.looseObject({
  label: z.string(),
  hostBegin: percentile,
  hostEnd: percentile,
  start: percentile,
  end: percentile,
  startLo: percentile,
  startHi: percentile,
  endLo: percentile,
  endHi: percentile,
  stale: percentile,
});
const kernel = z.object({
  grid: z.int().positive(),
  block: z.int().positive(),
  smem: z.int().nonnegative(),
  phases: z.array(z.tuple([z.string()]).rest(z.number())),
});
const op = z.looseObject({
  op: z.string(),
  label: z.string().optional(),
  kernel: z.string().optional(),
  stream: z.string().optional(),
  event: z.string().optional(),
  attrs: z.array(z.string()).optional(),
  kind: z.string().optional(),
  bytes: z.number().optional(),
  peer: z.number().nullish(),
  untimed: z.boolean().nullish(),
  ns: z.number().optional(),
  a: z.string().optional(),
  b: z.string().optional(),
  device: z.number().optional(),
  id: z.string().optional(),
});

/** One case of the measuring program: a small program and what was measured. */
const hwrunCase = z.object({
  name: z.string(),
  devices: z.int().positive(),
  mode: z.enum(['stream', 'graph']),
  gated: z.boolean(),
  peerAccess: z.boolean().optional(),
  kernels: z.record(z.string(), kernel),
  streams: z.array(
    z.object({
      id: z.string(),
      device: z.int().nonnegative(),
      kind: z.enum(['blocking', 'nonblocking', 'legacy', 'ptds']),
      priority: z.int(),
    }),
  ),
  events: z.array(z.object({ id: z.string(), device: z.int().nonnegative(), timing: z.boolean() })),
  ops: z.array(op),
  measured: z.looseObject({
    ops: z.array(operation),
    hostObservedTotal: z.number().optional(),
    apiMean: z.record(z.string(), z.number()).optional(),
  }),
});
export type HwrunCase = z.infer<typeof hwrunCase>;
export type HwrunOp = HwrunCase['ops'][number];

/** A file of cases. */
export const hwrunFile = z.object({
  device: z.looseObject({ gpu: z.string().optional(), driver: z.number().optional() }).optional(),
  cases: z.array(hwrunCase),
});
