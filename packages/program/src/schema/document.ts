import { z } from 'zod';
import { PROGRAM_SCHEMA } from '../program.ts';
import {
  ACCESS_MODES,
  ACCESS_PROXIES,
  ACCESS_SCOPES,
  BUFFER_SPACES,
  EDGE_PORTS,
  EDGE_TYPES,
  HOST_MEMORIES,
  OBSERVERS,
  STREAM_KINDS,
} from '../words.ts';
import { collective } from './calls.ts';
import { bytes, bytesOrZero, count, device, dim3, duration, index, name, range } from './scalars.ts';

/** The parts whose element schema differs between reading (checked one by one) and the JSON Schema. */
export interface Elements {
  readonly phase: z.ZodType;
  readonly call: z.ZodType;
  readonly node: z.ZodType;
}

const access = z.strictObject({
  range,
  mode: z.enum(ACCESS_MODES),
  proxy: z.enum(ACCESS_PROXIES).optional().describe('Default generic.'),
  scope: z.enum(ACCESS_SCOPES).optional().describe('Default device.'),
  role: name.optional().describe('Default: the first role.'),
  phase: index.describe('Index among the phases of the role.'),
});

const kernelSchema = (phase: z.ZodType) =>
  z
    .strictObject({
      grid: dim3,
      block: dim3.describe('Threads per block, at most 1024 in all.'),
      cluster: dim3.optional(),
      registersPerThread: count.optional().describe('Default 32.'),
      staticSharedMemory: bytesOrZero.optional(),
      dynamicSharedMemory: bytesOrZero.optional(),
      launchBounds: z.strictObject({ maxThreadsPerBlock: count, minBlocksPerSm: count.optional() }).optional(),
      parameters: z
        .array(z.union([name, z.strictObject({ name, buffer: name.optional() })]))
        .optional()
        .describe('Formal parameters in order and, for pointers, the buffer passed by default.'),
      target: name.optional().describe('Target of the loaded image, such as sm_90.'),
      griddepcontrol: z
        .boolean()
        .optional()
        .describe(
          'Whether the loaded code contains trigger and wait; default: whether the phases do, true for PTX, false for a target below sm_90.',
        ),
      instrumented: z.boolean().optional().describe('Whether it writes a time stamp at every phase boundary.'),
      accesses: z.array(access).optional(),
      phases: z.array(phase).optional().describe('What every warp of a block does.'),
      roles: z
        .array(z.strictObject({ name, warps: count.optional(), phases: z.array(phase) }))
        .optional()
        .describe('What the warps do in warp-specialised code.'),
      duration: duration.optional().describe('A measured duration of the whole grid.'),
      observer: z.enum(OBSERVERS).optional().describe('Who measured duration; default blocks.'),
      ptx: z.strictObject({ file: name, entry: name, duration: duration.optional() }).optional(),
      collective: z.strictObject(collective).optional(),
    })
    .describe('A kernel; its body is exactly one of phases, roles, duration, ptx and collective.');

const streamSchema = {
  device: device.optional(),
  kind: z.enum(STREAM_KINDS).optional().describe('Default blocking.'),
  priority: z.int().optional().describe('Smaller is higher; default 0.'),
};
const eventSchema = {
  device: device.optional(),
  timing: z.boolean().optional().describe('Default true; false for cudaEventDisableTiming.'),
  interprocess: z.boolean().optional(),
};
const bufferSchema = z.strictObject({
  bytes,
  space: z.enum(BUFFER_SPACES).optional().describe('Default device.'),
  device: device.optional(),
  hostMemory: z.enum(HOST_MEMORIES).optional().describe('Default pageable.'),
  allocation: name.optional().describe('Buffers of one allocation overlap where their ranges do; default its name.'),
  offset: bytesOrZero.optional().describe('Within the allocation; default 0.'),
});
const edge = z.union([
  z.array(name).min(2).max(2),
  z.strictObject({
    from: name,
    to: name,
    fromPort: z.enum(EDGE_PORTS).optional(),
    type: z.enum(EDGE_TYPES).optional(),
  }),
]);

/** A stream or event may be null in the map form (all defaults), or an item of a list that keeps the order. */
const named = (shape: z.core.$ZodShape) =>
  z.union([
    z.record(name, z.strictObject(shape).nullable()),
    z.array(z.union([name, z.strictObject({ name, ...shape })])),
  ]);

const callList = (call: z.ZodType) => z.array(call).describe('Calls in order.');

/** Schema of a whole file, with given schemas for phases, calls and graph nodes. */
export function documentSchema(elements: Elements) {
  return z.strictObject({
    schema: z.literal(PROGRAM_SCHEMA).describe('Version of this format.'),
    name: name.optional().describe('Default: program.'),
    description: z.string().optional(),
    params: z
      .record(name, z.union([z.number(), z.string(), z.boolean()]))
      .optional()
      .describe('Values that expressions (text within a dollar sign and braces) may use and --set replaces.'),
    kernels: z.record(name, kernelSchema(elements.phase)).optional(),
    streams: named(streamSchema).optional().describe('Streams in order of creation, as a map or a list.'),
    events: named(eventSchema).optional(),
    buffers: z.record(name, bufferSchema).optional(),
    graphs: z
      .record(name, z.strictObject({ nodes: z.array(elements.node), edges: z.array(edge).optional() }))
      .optional()
      .describe('Graphs made by hand; captured ones come from calls.'),
    calls: callList(elements.call).optional().describe('Calls of the one host thread, main.'),
    threads: z
      .array(
        z.strictObject({
          name,
          device: device.optional(),
          callGap: duration.optional().describe('Time between two calls; default 0.'),
          calls: callList(elements.call),
        }),
      )
      .optional()
      .describe('Host threads, instead of calls.'),
  });
}

/** A repetition or a range around calls. */
export const groupSchemas = {
  repeat: (call: z.ZodType) =>
    z
      .strictObject({
        times: index,
        index: z
          .string()
          .regex(/^[A-Za-z_]\w*$/)
          .optional()
          .describe('Name of the index, from 0, for expressions in the calls.'),
        calls: callList(call),
      })
      .describe('Repeats calls.'),
  range: (call: z.ZodType) =>
    z.strictObject({ name, calls: callList(call) }).describe('Puts calls into an NVTX range.'),
};
