import { z } from 'zod';
import type { CallInputs, CallName } from '../inputs.ts';
import { CAPTURE_MODES, HOST_MEMORIES } from '../words.ts';
import { bytes, bytesOrZero, device, dim3, duration, event, index, name, range, stream } from './scalars.ts';

const label = name.optional().describe('A stable unique id of this call.');
const executable = name.describe('An executable graph by name.');
const graph = name.describe('A graph by name: declared, or captured by streamEndCapture.');
const kernel = name.describe('A kernel by name.');
const buffer = name.describe('A buffer by name.');
const hostMemory = z
  .enum(HOST_MEMORIES)
  .optional()
  .describe('Kind of the host side; default that of its buffer, else pageable.');
const copyKind = z.enum(['hostToDevice', 'deviceToHost', 'deviceToDevice', 'hostToHost']);

const copyOptions = { hostMemory, source: range.optional(), destination: range.optional(), label };
/** Of nothing, a copy or memset does nothing. */
const moved = bytesOrZero;
const peer = { destinationDevice: device, sourceDevice: device, bytes: moved, ...copyOptions };
const ofStream = z.strictObject({ stream, label });
const ofEvent = z.strictObject({ event, label });
const ofBuffer = z.strictObject({ buffer, label });
const eventOnStream = z.strictObject({ event, stream, external: z.boolean().optional(), label });
const flag = z.strictObject({ flag: name, value: index.optional().describe('Default 1.'), label });
export const collective = {
  operation: z.enum(['allReduce', 'allGather', 'reduceScatter', 'broadcast', 'allToAll', 'sendRecv']),
  group: name.describe('The group of ranks that take part.'),
  bytes,
};

const attributes = z
  .strictObject({
    programmaticStreamSerialization: z.boolean().optional().describe('Programmatic dependent launch.'),
    programmaticEvent: z
      .union([name, z.strictObject({ event, triggerAtBlockStart: z.boolean().optional() })])
      .optional(),
    launchCompletionEvent: z.union([name, z.strictObject({ event })]).optional(),
    cooperative: z.boolean().optional(),
    clusterDimension: dim3.optional(),
    priority: z.int().optional(),
  })
  .describe('Attributes of cudaLaunchKernelEx, without the prefix cudaLaunchAttribute.');

/** Arguments of each call, by its name in files. */
export const callSchemas: { readonly [K in CallName]: z.ZodType<CallInputs[K]> } = {
  launchKernel: z.strictObject({
    kernel,
    stream,
    attributes: attributes.optional(),
    args: z.record(z.string(), name).optional().describe('Buffers that replace the defaults, by parameter.'),
    label,
  }),
  memcpyAsync: z.strictObject({ copy: copyKind, bytes: moved, stream, ...copyOptions }),
  memcpy: z.strictObject({ copy: copyKind, bytes: moved, stream: stream.optional(), ...copyOptions }),
  memcpyPeerAsync: z.strictObject({ ...peer, stream }),
  memcpyPeer: z.strictObject({ ...peer, stream: stream.optional() }),
  memsetAsync: z.strictObject({ bytes: moved, stream, destination: range.optional(), label }),
  memset: z.strictObject({ bytes: moved, stream: stream.optional(), destination: range.optional(), label }),
  eventRecord: eventOnStream,
  streamWaitEvent: eventOnStream,
  streamSynchronize: ofStream,
  streamQuery: ofStream,
  eventSynchronize: ofEvent,
  eventQuery: ofEvent,
  deviceSynchronize: z.strictObject({ label }),
  eventElapsedTime: z.strictObject({ start: event, end: event, label }),
  launchHostFunc: z.strictObject({ stream, duration, label }),
  malloc: ofBuffer,
  free: ofBuffer,
  mallocAsync: z.strictObject({ buffer, stream, label }),
  freeAsync: z.strictObject({ buffer, stream, label }),
  mallocHost: ofBuffer,
  freeHost: ofBuffer,
  setDevice: z.strictObject({ device, label }),
  deviceEnablePeerAccess: z.strictObject({ peer: device, label }),
  deviceDisablePeerAccess: z.strictObject({ peer: device, label }),
  streamBeginCapture: z.strictObject({
    stream,
    mode: z.enum(CAPTURE_MODES).optional().describe('Default global.'),
    label,
  }),
  streamEndCapture: z.strictObject({ stream, graph: name.describe('The captured graph bears this name.'), label }),
  graphInstantiate: z.strictObject({ graph, executable: name, label }),
  graphUpload: z.strictObject({ executable, stream, label }),
  graphLaunch: z.strictObject({ executable, stream, label }),
  graphExecUpdate: z.strictObject({ executable, graph, label }),
  collective: z.strictObject({ ...collective, stream, label }),
  hostCompute: z.strictObject({ duration, label }),
  hostRead: z.strictObject({ range, label }),
  hostWrite: z.strictObject({ range, label }),
  hostSignal: flag,
  hostAwait: flag,
  hostSetenv: z.strictObject({ name, value: z.union([z.string(), z.number()]), label }),
  rangePush: z.strictObject({ name, label }),
  rangePop: z.strictObject({ label }),
};

/** Calls with one main argument may be written `name: argument`. */
export const SOLE_ARGUMENT: Readonly<Partial<Record<CallName, string>>> = {
  streamSynchronize: 'stream',
  streamQuery: 'stream',
  eventSynchronize: 'event',
  eventQuery: 'event',
  malloc: 'buffer',
  free: 'buffer',
  mallocHost: 'buffer',
  freeHost: 'buffer',
  setDevice: 'device',
  deviceEnablePeerAccess: 'peer',
  deviceDisablePeerAccess: 'peer',
  hostCompute: 'duration',
  hostRead: 'range',
  hostWrite: 'range',
  hostSignal: 'flag',
  hostAwait: 'flag',
  rangePush: 'name',
};

/** Calls that may stand as a bare word. */
export const BARE_CALLS: readonly CallName[] = ['deviceSynchronize', 'rangePop'];
