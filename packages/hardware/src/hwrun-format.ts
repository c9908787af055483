import * as z from 'zod';

/** An hour in ns, as far as constants of a machine go: what lies beyond is no measurement. */
const MOST_NS = 3.6e12;
/** Devices that a machine can have. */
const MOST_DEVICES = 4096;

const instant = z.number().min(-MOST_NS).max(MOST_NS).optional();
const duration = z.number().min(0).max(MOST_NS);
const operation = z
  .looseObject({
    label: z.string(),
    hostBegin: instant,
    hostEnd: instant,
    start: instant,
    end: instant,
    startLo: instant,
    startHi: instant,
    endLo: instant,
    endHi: instant,
    stale: z.number().nonnegative().optional(),
  })
  .superRefine((measured, context) => {
    for (const [early, late] of ORDERED) {
      const [from, to] = [measured[early], measured[late]];
      if (from === undefined || to === undefined || from <= to) continue;
      context.addIssue({ code: 'custom', path: [late], message: `${to} ns is before the ${early}, ${from} ns` });
    }
  });
/** Instants of an operation of which the second is never before the first, in each run and so in each percentile. */
const ORDERED = [
  ['hostBegin', 'hostEnd'],
  ['start', 'end'],
  ['startLo', 'startHi'],
  ['startLo', 'start'],
  ['start', 'startHi'],
  ['endLo', 'endHi'],
  ['endLo', 'end'],
  ['end', 'endHi'],
  ['startLo', 'endLo'],
  ['startHi', 'endHi'],
] as const;
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
  devices: z.int().positive().max(MOST_DEVICES),
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
    hostObservedTotal: duration.optional(),
    apiMean: z.record(z.string(), duration).optional(),
  }),
});
export type HwrunCase = z.infer<typeof hwrunCase>;
export type HwrunOp = HwrunCase['ops'][number];

/** A file of cases, each of a name of its own. */
export const hwrunFile = z.object({
  device: z.looseObject({ gpu: z.string().optional(), driver: z.number().optional() }).optional(),
  cases: z.array(hwrunCase).superRefine((cases, context) => {
    const seen = new Map<string, number>();
    for (const [i, { name }] of cases.entries()) {
      const before = seen.get(name);
      if (before === undefined) seen.set(name, i);
      else context.addIssue({ code: 'custom', path: [i, 'name'], message: `cases[${before}] has the same name` });
    }
  }),
});
