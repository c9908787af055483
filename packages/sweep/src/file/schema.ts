import { z } from 'zod';

export const SWEEP_SCHEMA = 'griddep/sweep@1';

/** Most points of one sweep; a typing error in a range should not run for a year. */
export const MOST_POINTS = 1_000_000;

const value = z.union([z.number(), z.string(), z.boolean()]);
const quantity = z.union([z.number(), z.string()]);
const count = z.int().min(1).max(MOST_POINTS);
const seed = z.int().min(0);
const name = z.string().regex(/^[A-Za-z_]\w*$/);

const axis = z.union([
  z.array(value).min(1),
  z.strictObject({
    varies: z.string().optional(),
    values: z.array(value).min(1).optional(),
    from: quantity.optional(),
    to: quantity.optional(),
    step: quantity.optional(),
    count: count.optional(),
    scale: z.enum(['linear', 'log']).optional(),
    random: count.optional(),
    seed: seed.optional(),
    whole: z.boolean().optional(),
    relative: z.boolean().optional(),
  }),
]);

const record = z.union([z.string(), z.strictObject({ name, expression: z.string() })]);

/** The plain value of a sweep file. */
export const sweepDocument = z.strictObject({
  schema: z.literal(SWEEP_SCHEMA),
  name: z.string().min(1).max(200).optional(),
  description: z.string().optional(),
  input: z.union([z.string(), z.strictObject({ scenario: z.string() })]).optional(),
  machine: z.string().optional(),
  set: z.record(z.string(), value).optional(),
  axes: z.record(name, axis).optional(),
  sample: z
    .union([
      z.enum(['grid']),
      z.strictObject({ random: count.optional(), latinHypercube: count.optional(), seed: seed.optional() }),
    ])
    .optional(),
  constraints: z.array(z.string()).optional(),
  reference: z.record(z.string(), value).optional(),
  hazards: z.boolean().optional(),
  record: z.array(record).optional(),
  minimise: z
    .strictObject({
      of: z.string().optional(),
      budget: name,
      from: z.int().min(1),
      to: z.int().min(1),
      keep: z.number().gt(0).lt(1).optional(),
    })
    .optional(),
  sensitivity: z.strictObject({ samples: z.int().min(0).max(100_000).optional(), seed: seed.optional() }).optional(),
  plot: z
    .strictObject({
      kind: z.enum(['line', 'heatmap', 'pareto', 'tornado']).optional(),
      x: z.string().optional(),
      y: z.string().optional(),
      value: z.string().optional(),
      series: z.string().optional(),
      facet: z.string().optional(),
    })
    .optional(),
});

export type SweepDocument = z.infer<typeof sweepDocument>;
export type AxisDocument = z.infer<typeof axis>;

/** The schema for editors, JSON Schema 2020-12. */
export function sweepJsonSchema(): object {
  return z.toJSONSchema(sweepDocument, { target: 'draft-2020-12' });
}
