import { z } from 'zod';
import type { ProgramError } from '../errors.ts';
import { nameProblem } from '../names.ts';
import type { BytesInput, DurationInput } from '../quantity.ts';
import { parseBytes, parseDuration } from '../quantity.ts';

const numberOrText = (error: string) => z.union([z.number(), z.string()], { error: () => error });

function quantity(error: string, parse: (input: number | string) => unknown, description: string) {
  return numberOrText(error)
    .superRefine((value, context) => {
      try {
        parse(value);
      } catch (thrown) {
        context.addIssue({ code: 'custom', message: (thrown as ProgramError).problem, input: value });
      }
    })
    .describe(description);
}

export const duration = quantity(
  'expected a duration such as "5us" or a number of picoseconds',
  (v: DurationInput) => parseDuration(v),
  'A duration: text with a unit (ps, ns, us, ms, s) or a number of picoseconds.',
);
export const bytes = quantity(
  'expected a size such as "64KiB" or a number of bytes',
  (v: BytesInput) => parseBytes(v),
  'A size greater than zero: text with a unit (B, KB, MB, GB of 1000; KiB, MiB, GiB of 1024) or a number of bytes.',
);
export const bytesOrZero = quantity(
  'expected a size such as "64KiB" or a number of bytes',
  (v: BytesInput) => parseBytes(v, 0),
  'A size of at least zero: text with a unit (B, KB, MB, GB of 1000; KiB, MiB, GiB of 1024) or a number of bytes.',
);

export const name = z.string().superRefine((value, context) => {
  const message = nameProblem(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message, input: value });
});
export const count = z.int().min(1);
export const index = z.int().min(0);
export const device = z.int().min(0).describe('Index of a device; default 0.');
export const stream = name.describe('A stream by name; `legacy` and `perThread` are the default streams of device 0.');
export const event = name.describe('An event by name.');

export const dim3 = z
  .union([count, z.array(count).min(1).max(3)], {
    error: () => 'expected a whole number of at least 1, or a list of up to three of them',
  })
  .describe('x alone, or [x, y, z].');

export const range = z
  .union([
    name,
    z.strictObject({
      buffer: name.describe('A buffer by name; in a kernel also a parameter, as `$name`.'),
      offset: bytesOrZero.optional(),
      bytes: bytesOrZero.optional().describe('Default: what the operation moves, or else the rest of the buffer.'),
      blockStride: bytesOrZero.optional().describe('Distance between the bytes of neighbouring blocks; default 0.'),
      wrap: bytes.optional().describe('Length after which the blocks start again at the offset.'),
    }),
  ])
  .describe('A buffer, or part of one.');
