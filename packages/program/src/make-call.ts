import { argumentKeys } from './call-arguments.ts';
import type { Call, CopyKind, HostMemory, LaunchAttributes } from './calls.ts';
import { oneOf } from './choice.ts';
import { COPY_KINDS, checkCopySides } from './copy-sides.ts';
import { inside, ProgramError } from './errors.ts';
import type { CallInput, CallInputs, CallName, CopyOptions, RangeInput } from './inputs.ts';
import type { BufferRange } from './kernel.ts';
import { makeAttributes } from './make-attributes.ts';
import { checkedName, nameOf, type Ref, unknownName } from './names.ts';
import { nearestName } from './nearest-name.ts';
import { whole } from './numbers.ts';
import { describeArgument, onlyKeys } from './option-keys.ts';
import { type BytesInput, type DurationInput, parseBytes, parseDuration } from './quantity.ts';
import type { Scope } from './scope.ts';
import { CAPTURE_MODES, HOST_MEMORIES } from './words.ts';

type Maker<K extends CallName> = (input: CallInputs[K], scope: Scope, device: number) => Call;

const NO_ATTRIBUTES: LaunchAttributes = Object.freeze({});
const bytes = (input: BytesInput, least: 0 | 1 = 1) => inside(['bytes'], () => parseBytes(input, least));
const duration = (input: DurationInput) => inside(['duration'], () => parseDuration(input));

const makers: { readonly [K in CallName]: Maker<K> } = {
  launchKernel: (c, scope) => {
    const kernel = scope.kernels.get(nameOf(c.kernel, 'kernel'));
    const call = {
      kind: 'launchKernel',
      kernel: kernel.name,
      stream: scope.stream(c.stream),
      attributes:
        c.attributes === undefined
          ? NO_ATTRIBUTES
          : inside(['attributes'], () => makeAttributes(c.attributes ?? {}, scope)),
    } as const;
    if (c.args === undefined) return call;
    const names = kernel.parameters.map((p) => p.name);
    const args = Object.entries(c.args).map(([parameter, buffer]) => {
      if (!names.includes(parameter)) throw unknownName('parameter', parameter, names, 'args');
      return [parameter, inside(['args'], () => scope.buffer(buffer, parameter))] as const;
    });
    return { ...call, args: Object.fromEntries(args) };
  },
  memcpyAsync: (c, scope) => copy(c.copy, c.bytes, scope.stream(c.stream), true, c, scope),
  memcpy: (c, scope, device) => copy(c.copy, c.bytes, streamOrLegacy(c.stream, scope, device), false, c, scope),
  memcpyPeerAsync: (c, scope) => ({ ...copy('peer', c.bytes, scope.stream(c.stream), true, c, scope), ...peers(c) }),
  memcpyPeer: (c, scope, device) => ({
    ...copy('peer', c.bytes, streamOrLegacy(c.stream, scope, device), false, c, scope),
    ...peers(c),
  }),
  memsetAsync: (c, scope) => set(c.bytes, scope.stream(c.stream), true, c.destination, scope),
  memset: (c, scope, device) => set(c.bytes, streamOrLegacy(c.stream, scope, device), false, c.destination, scope),
  eventRecord: (c, scope) => ({
    kind: 'eventRecord',
    event: scope.event(c.event),
    stream: scope.stream(c.stream),
    ...(c.external === undefined ? {} : { external: c.external }),
  }),
  streamWaitEvent: (c, scope) => ({
    kind: 'streamWaitEvent',
    stream: scope.stream(c.stream),
    event: scope.event(c.event),
    ...(c.external === undefined ? {} : { external: c.external }),
  }),
  streamSynchronize: (c, scope) => ({ kind: 'streamSynchronize', stream: scope.stream(c.stream) }),
  streamQuery: (c, scope) => ({ kind: 'streamQuery', stream: scope.stream(c.stream) }),
  eventSynchronize: (c, scope) => ({ kind: 'eventSynchronize', event: scope.event(c.event) }),
  eventQuery: (c, scope) => ({ kind: 'eventQuery', event: scope.event(c.event) }),
  deviceSynchronize: () => ({ kind: 'deviceSynchronize' }),
  eventElapsedTime: (c, scope) => ({
    kind: 'eventElapsedTime',
    start: scope.event(c.start, 'start'),
    end: scope.event(c.end, 'end'),
  }),
  launchHostFunc: (c, scope) => ({
    kind: 'launchHostFunc',
    stream: scope.stream(c.stream),
    duration: duration(c.duration),
  }),
  malloc: (c, scope) => ({ kind: 'malloc', buffer: scope.buffer(c.buffer) }),
  free: (c, scope) => ({ kind: 'free', buffer: scope.buffer(c.buffer) }),
  mallocAsync: (c, scope) => ({ kind: 'mallocAsync', buffer: scope.buffer(c.buffer), stream: scope.stream(c.stream) }),
  freeAsync: (c, scope) => ({ kind: 'freeAsync', buffer: scope.buffer(c.buffer), stream: scope.stream(c.stream) }),
  mallocHost: (c, scope) => ({ kind: 'mallocHost', buffer: scope.buffer(c.buffer) }),
  freeHost: (c, scope) => ({ kind: 'freeHost', buffer: scope.buffer(c.buffer) }),
  setDevice: (c) => ({ kind: 'setDevice', device: whole(c.device, 'device') }),
  deviceEnablePeerAccess: (c) => ({ kind: 'deviceEnablePeerAccess', peer: whole(c.peer, 'peer') }),
  deviceDisablePeerAccess: (c) => ({ kind: 'deviceDisablePeerAccess', peer: whole(c.peer, 'peer') }),
  streamBeginCapture: (c, scope) => ({
    kind: 'streamBeginCapture',
    stream: scope.stream(c.stream),
    mode: oneOf(c.mode, CAPTURE_MODES, 'global', 'mode'),
  }),
  streamEndCapture: (c, scope) => ({
    kind: 'streamEndCapture',
    stream: scope.stream(c.stream),
    graph: checkedName(nameOf(c.graph, 'graph'), 'graph', ['graph']),
  }),
  graphInstantiate: (c) => ({
    kind: 'graphInstantiate',
    graph: nameOf(c.graph, 'graph'),
    executable: checkedName(c.executable, 'executable', ['executable']),
  }),
  graphUpload: (c, scope) => ({ kind: 'graphUpload', executable: c.executable, stream: scope.stream(c.stream) }),
  graphLaunch: (c, scope) => ({ kind: 'graphLaunch', executable: c.executable, stream: scope.stream(c.stream) }),
  graphExecUpdate: (c) => ({ kind: 'graphExecUpdate', executable: c.executable, graph: nameOf(c.graph, 'graph') }),
  collective: (c, scope) => ({
    kind: 'collective',
    collective: c.operation,
    group: c.group,
    bytes: bytes(c.bytes),
    stream: scope.stream(c.stream),
  }),
  hostCompute: (c) => ({ kind: 'hostCompute', duration: duration(c.duration) }),
  hostRead: (c, scope) => ({ kind: 'hostRead', range: inside(['range'], () => scope.range(c.range)) }),
  hostWrite: (c, scope) => ({ kind: 'hostWrite', range: inside(['range'], () => scope.range(c.range)) }),
  hostSignal: (c) => ({ kind: 'hostSignal', flag: c.flag, value: whole(c.value ?? 1, 'value') }),
  hostAwait: (c) => ({ kind: 'hostAwait', flag: c.flag, value: whole(c.value ?? 1, 'value') }),
  hostSetenv: (c) => ({ kind: 'hostSetenv', name: checkedName(c.name, 'variable', ['name']), value: String(c.value) }),
  rangePush: (c) => ({ kind: 'rangePush', name: checkedName(c.name, 'range', ['name']) }),
  rangePop: () => ({ kind: 'rangePop' }),
};

/** Every call name, as in files. */
export const CALL_NAMES: readonly CallName[] = Object.keys(makers) as CallName[];

/**
 * Makes a call from its arguments: resolves names, parses quantities, fills in defaults. `device` is the host thread's
 * current device. Throws ProgramError, with the argument in its path.
 */
export function makeCall<K extends CallName>(name: K, input: CallInputs[K], scope: Scope, device: number): Call {
  if (name === 'memcpy' || name === 'memcpyAsync') checkKind((input as { readonly copy?: unknown }).copy);
  onlyKeys(input, argumentKeys(name), name);
  return makers[name](input, scope, device);
}

/** The same for the one-key form `{ eventRecord: { ... } }`. */
export function makeCallOf(input: CallInput, scope: Scope, device: number): Call {
  const [name, ...more] = Object.keys(input) as CallName[];
  if (name === undefined || more.length > 0) throw new ProgramError('a call is an object with one key, its name');
  if (!Object.hasOwn(makers, name)) throw unknownName('call', name, CALL_NAMES);
  return inside([name], () => makeCall(name, (input as Record<CallName, CallInputs[CallName]>)[name], scope, device));
}

function streamOrLegacy(stream: Ref | undefined, scope: Scope, device: number): string {
  return stream === undefined ? scope.legacyStream(device) : scope.stream(stream);
}

function copy(
  kind: CopyKind,
  size: BytesInput,
  stream: string,
  async: boolean,
  options: CopyOptions,
  scope: Scope,
): Extract<Call, { kind: 'memcpy' }> {
  const moved = bytes(size, 0);
  const source = rangeOf(options.source, 'source', moved, scope);
  const destination = rangeOf(options.destination, 'destination', moved, scope);
  const hostSide = [source, destination]
    .map((r) => r && scope.buffers.map.get(r.buffer))
    .find((b) => b?.space === 'host');
  const hostMemory: HostMemory = oneOf(
    options.hostMemory,
    HOST_MEMORIES,
    hostSide?.hostMemory ?? 'pageable',
    'hostMemory',
  );
  const call = {
    kind: 'memcpy',
    copy: kind,
    bytes: moved,
    stream,
    async,
    hostMemory,
    ...(source === undefined ? {} : { source }),
    ...(destination === undefined ? {} : { destination }),
  } as const;
  checkCopySides(call, scope.buffers.map);
  return call;
}

/** CUDA's functions begin with the destination, and so do programs of those who know them. */
function checkKind(kind: unknown): void {
  if (COPY_KINDS.some((known) => known === kind)) return;
  const nearest = typeof kind === 'string' ? nearestName(kind, COPY_KINDS) : undefined;
  throw new ProgramError(
    `copy kind expected first, one of ${COPY_KINDS.filter((known) => known !== 'peer').join(', ')}, got ${describeArgument(kind)}; ` +
      'the order is (copy, bytes, stream, { source, destination }), not that of cudaMemcpyAsync',
    { path: ['copy'], offending: String(kind), ...(nearest === undefined ? {} : { nearest }) },
  );
}

function peers(c: { readonly sourceDevice: number; readonly destinationDevice: number }) {
  return {
    sourceDevice: whole(c.sourceDevice, 'sourceDevice'),
    destinationDevice: whole(c.destinationDevice, 'destinationDevice'),
  };
}

function set(size: BytesInput, stream: string, async: boolean, to: RangeInput | undefined, scope: Scope): Call {
  const moved = bytes(size, 0);
  const destination = rangeOf(to, 'destination', moved, scope);
  return { kind: 'memset', bytes: moved, stream, async, ...(destination === undefined ? {} : { destination }) };
}

function rangeOf(input: RangeInput | undefined, field: string, moved: number, scope: Scope): BufferRange | undefined {
  return input === undefined ? undefined : inside([field], () => scope.range(input, moved));
}
