import type { Call } from './calls.ts';
import type { CallName } from './inputs.ts';
import type { BufferRange } from './kernel.ts';
import { formatBytes, formatDuration } from './quantity.ts';

/** A range in its file form. */
export function writeRange(range: BufferRange): object {
  return {
    buffer: range.buffer,
    ...(range.offset === 0 ? {} : { offset: formatBytes(range.offset) }),
    bytes: formatBytes(range.bytes),
    ...(range.blockStride === 0 ? {} : { blockStride: formatBytes(range.blockStride) }),
    ...(range.wrap === undefined ? {} : { wrap: formatBytes(range.wrap) }),
  };
}

/** Name and arguments of a call in its file form. */
export function writeCall(call: Call): { readonly name: CallName; readonly argument: Record<string, unknown> } {
  const { kind, ...rest } = call;
  switch (call.kind) {
    case 'memcpy': {
      const peer = call.copy === 'peer';
      const name = `memcpy${peer ? 'Peer' : ''}${call.async ? 'Async' : ''}` as CallName;
      const argument = {
        ...(peer
          ? { destinationDevice: call.destinationDevice, sourceDevice: call.sourceDevice }
          : { copy: call.copy }),
        bytes: formatBytes(call.bytes),
        stream: call.stream,
        hostMemory: call.hostMemory,
        ...ranges(call),
      };
      return { name, argument };
    }
    case 'memset': {
      const name = call.async ? 'memsetAsync' : 'memset';
      return { name, argument: { bytes: formatBytes(call.bytes), stream: call.stream, ...ranges(call) } };
    }
    case 'launchKernel': {
      const { kernel, stream, attributes, args } = call;
      const used = Object.keys(attributes).length > 0;
      return {
        name: kind as CallName,
        argument: { kernel, stream, ...(used ? { attributes } : {}), ...(args ? { args } : {}) },
      };
    }
    case 'launchHostFunc': {
      const { stream, duration, calls } = call;
      const made = calls === undefined ? {} : { calls };
      return { name: call.kind, argument: { stream, duration: formatDuration(duration), ...made } };
    }
    case 'hostCompute':
      return { name: call.kind, argument: { duration: formatDuration(call.duration) } };
    case 'hostRead':
    case 'hostWrite':
      return { name: call.kind, argument: { range: writeRange(call.range) } };
    case 'collective': {
      const { collective, group, bytes, stream } = call;
      return { name: call.kind, argument: { operation: collective, group, bytes: formatBytes(bytes), stream } };
    }
    default:
      return { name: call.kind, argument: rest };
  }
}

function ranges(call: { readonly source?: BufferRange; readonly destination?: BufferRange }): object {
  return {
    ...(call.source === undefined ? {} : { source: writeRange(call.source) }),
    ...(call.destination === undefined ? {} : { destination: writeRange(call.destination) }),
  };
}
