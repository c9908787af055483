import { z } from 'zod';
import { FENCE_SCOPES } from '../words.ts';
import { bytes, count, duration, index, name, range } from './scalars.ts';

const flagValue = z.strictObject({ flag: name, value: index.optional().describe('Default 1.') });
const transfer = z.union([
  bytes,
  z.strictObject({
    bytes,
    range: range.optional().describe('The bytes that block 0 touches, and how they move on.'),
    threadRate: count.optional().describe('The most that one thread moves, bytes per second, below that of streaming.'),
    evictFirst: z
      .boolean()
      .optional()
      .describe('Streaming hint (__ldcs): only the same block finds the lines in the cache again.'),
  }),
]);

/** What each phase takes, by its name in files. */
export const phaseSchemas = {
  spin: duration.describe('Busy-waits.'),
  ramp: z.strictObject({ duration, modulus: count }).describe('Busy-waits duration x (1 + block index mod modulus).'),
  fma: index.describe('Iterations of four independent fused multiply-adds per thread.'),
  load: transfer.describe('Streams that many bytes per block from device memory.'),
  store: transfer.describe('Streams that many bytes per block to device memory.'),
  fence: z.enum(FENCE_SCOPES).optional().describe('Memory fence of a scope; default device.'),
  trigger: z
    .strictObject({ modulus: count, residue: index })
    .optional()
    .describe('griddepcontrol.launch_dependents, in all blocks or where block index mod modulus equals residue.'),
  wait: z.undefined().describe('griddepcontrol.wait.'),
  blockBarrier: z.undefined().describe('All warps of the block meet.'),
  gridBarrier: z.undefined().describe('All blocks of the grid meet; wants a cooperative launch.'),
  signal: z.union([name, flagValue]).describe('Raises a flag.'),
  await: z.union([name, flagValue]).describe('Spins until a flag holds at least a value.'),
} as const;
export type PhaseName = keyof typeof phaseSchemas;

/** Phases that may stand as a bare word. */
export const BARE_PHASES: readonly PhaseName[] = ['trigger', 'wait', 'fence', 'blockBarrier', 'gridBarrier'];
