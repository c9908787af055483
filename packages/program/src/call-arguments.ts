import type { CallName } from './inputs.ts';

/**
 * The builder's methods of calls: their arguments in order, those with `?` may be left out, and what the object of
 * options that comes last may hold beside `label` (and `at`, the place in a file). Their order is that of CUDA's
 * functions but for copies, which begin with what a simulation needs: kind and size.
 */
export const CALL_ARGUMENTS: { readonly [K in CallName]: CallArguments } = {
  launchKernel: { arguments: ['kernel', 'stream', 'attributes?'], options: ['args'] },
  memcpyAsync: { arguments: ['copy', 'bytes', 'stream'], options: ['hostMemory', 'source', 'destination'] },
  memcpy: { arguments: ['copy', 'bytes'], options: ['hostMemory', 'source', 'destination', 'stream'] },
  memcpyPeerAsync: {
    arguments: ['destinationDevice', 'sourceDevice', 'bytes', 'stream'],
    options: ['hostMemory', 'source', 'destination'],
  },
  memcpyPeer: {
    arguments: ['destinationDevice', 'sourceDevice', 'bytes'],
    options: ['hostMemory', 'source', 'destination', 'stream'],
  },
  memsetAsync: { arguments: ['bytes', 'stream'], options: ['destination'] },
  memset: { arguments: ['bytes'], options: ['destination', 'stream'] },
  eventRecord: { arguments: ['event', 'stream'], options: ['external'] },
  streamWaitEvent: { arguments: ['stream', 'event'], options: ['external'] },
  streamSynchronize: { arguments: ['stream'], options: [] },
  streamQuery: { arguments: ['stream'], options: [] },
  eventSynchronize: { arguments: ['event'], options: [] },
  eventQuery: { arguments: ['event'], options: [] },
  eventElapsedTime: { arguments: ['start', 'end'], options: [] },
  deviceSynchronize: { arguments: [], options: [] },
  launchHostFunc: { arguments: ['stream', 'duration'], options: [] },
  malloc: { arguments: ['buffer'], options: [] },
  free: { arguments: ['buffer'], options: [] },
  mallocAsync: { arguments: ['buffer', 'stream'], options: [] },
  freeAsync: { arguments: ['buffer', 'stream'], options: [] },
  mallocHost: { arguments: ['buffer'], options: [] },
  freeHost: { arguments: ['buffer'], options: [] },
  setDevice: { arguments: ['device'], options: [] },
  deviceEnablePeerAccess: { arguments: ['peer'], options: [] },
  deviceDisablePeerAccess: { arguments: ['peer'], options: [] },
  streamBeginCapture: { arguments: ['stream', 'mode?'], options: [] },
  streamEndCapture: { arguments: ['stream', 'graph'], options: [] },
  graphInstantiate: { arguments: ['graph', 'executable'], options: [] },
  graphUpload: { arguments: ['executable', 'stream'], options: [] },
  graphLaunch: { arguments: ['executable', 'stream'], options: [] },
  graphExecUpdate: { arguments: ['executable', 'graph'], options: [] },
  collective: { arguments: ['operation', 'group', 'bytes', 'stream'], options: [] },
  hostCompute: { arguments: ['duration'], options: [] },
  hostRead: { arguments: ['range'], options: [] },
  hostWrite: { arguments: ['range'], options: [] },
  hostSignal: { arguments: ['flag', 'value?'], options: [] },
  hostAwait: { arguments: ['flag', 'value?'], options: [] },
  hostSetenv: { arguments: ['name', 'value'], options: [] },
  rangePush: { arguments: ['name'], options: [] },
  rangePop: { arguments: [], options: [] },
};

interface CallArguments {
  readonly arguments: readonly string[];
  readonly options: readonly string[];
}

/** Keys of the options object of a call's method. */
export function optionKeys(name: CallName): readonly string[] {
  return OPTION_KEYS.get(name) ?? [];
}

/** Keys of a call's arguments as one object, as `add` and files take them. */
export function argumentKeys(name: CallName): readonly string[] {
  return ARGUMENT_KEYS.get(name) ?? [];
}

const TABLE = Object.entries(CALL_ARGUMENTS) as [CallName, CallArguments][];
const OPTION_KEYS = new Map(TABLE.map(([name, { options }]) => [name, ['label', 'at', ...options]]));
const ARGUMENT_KEYS = new Map(
  TABLE.map(([name, { arguments: given, options }]) => [
    name,
    [...given.map((argument) => argument.replace('?', '')), ...options, 'label', 'at'],
  ]),
);
