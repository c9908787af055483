import * as z from 'zod';

/** An hour in ns: what lies beyond is no measurement. */
const MOST_NS = 3.6e12;

const instant = z.number().min(-MOST_NS).max(MOST_NS);
const operation = z.looseObject({
  label: z.string(),
  start: instant,
  end: instant,
  startLo: instant.optional(),
  startHi: instant.optional(),
  endLo: instant.optional(),
  endHi: instant.optional(),
  stale: z.number().nonnegative().optional(),
});
const around = z.object({ before: z.string(), after: z.string(), base: z.string(), baseEnd: z.string() });

/** A case of an exported program: the program as it ran, and what was measured. */
const programCase = z.looseObject({
  name: z.string(),
  gated: z.boolean(),
  program: z.record(z.string(), z.unknown()),
  observation: z.object({
    zero: z.object({ operation: z.string(), at: z.enum(['end', 'callBegin']) }),
    prefix: z.string(),
    events: z.record(z.string(), around),
  }),
  /** What the compiler made of each kernel. */
  kernels: z.record(
    z.string(),
    z.object({ registersPerThread: z.int().positive(), staticSharedMemory: z.int().nonnegative() }),
  ),
  reps: z.int().nonnegative().optional(),
  measured: z.looseObject({
    ops: z.array(operation),
    /** By thread, begin and end of each call. */
    calls: z.array(z.array(z.tuple([instant, instant]))),
    hostObservedTotal: z.number().min(0).max(MOST_NS).optional(),
  }),
});
export type ProgramCase = z.infer<typeof programCase>;

export const CASES_SCHEMA = 'griddep/cases@1';

/** The file that an exported program writes. */
export const programCaseFile = z.object({
  schema: z.literal(CASES_SCHEMA),
  device: z.looseObject({
    gpu: z.string().optional(),
    driver: z.number().optional(),
    driverVersion: z.string().optional(),
    date: z.string().optional(),
  }),
  cases: z.array(programCase).superRefine((cases, context) => {
    const seen = new Map<string, number>();
    for (const [i, { name }] of cases.entries()) {
      const before = seen.get(name);
      if (before === undefined) seen.set(name, i);
      else context.addIssue({ code: 'custom', path: [i, 'name'], message: `cases[${before}] has the same name` });
    }
  }),
});
export type ProgramCaseFile = z.infer<typeof programCaseFile>;
