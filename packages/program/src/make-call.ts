import { argumentKeys } from './call-arguments.ts';
import type { Call, CopyKind, HostMemory, LaunchAttributes } from './calls.ts';
import { oneOf, trueOrFalse } from './choice.ts';
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
import { CAPTURE_MODES, EDGE_PORTS, EDGE_TYPES, HOST_MEMORIES } from './words.ts';

type Maker<K extends CallName> = (input: CallInputs[K], scope: Scope, device: number) => Call;

const NO_ATTRIBUTES: LaunchAttributes = Object.freeze({});
const bytes = (input: BytesInput, least: 0 | 1 = 1) => inside(['bytes'], () => parseBytes(input, least));
const duration = (input: DurationInput) => inside(['duration'], () => parseDuration(input));

const makers: { readonly [K in CallName]: Maker<K> } = {
  launchKernel: (c, scope, device) => {
    const kernel = scope.kernels.get(nameOf(c.kernel, 'kernel'));
    const call = {
      kind: 'launchKernel',
      kernel: kernel.name,
      stream: scope.stream(c.stream, device),
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
  memcpyAsync: (c, scope, device) => copy(c.copy, c.bytes, scope.stream(c.stream, device), true, c, scope),
  memcpy: (c, scope, device) => copy(c.copy, c.bytes, streamOrLegacy(c.stream, scope, device), false, c, scope),
  memcpyPeerAsync: (c, scope, device) => ({
    ...copy('peer', c.bytes, scope.stream(c.stream, device), true, c, scope),
    ...peers(c),
  }),
  memcpyPeer: (c, scope, device) => ({
    ...copy('peer', c.bytes, streamOrLegacy(c.stream, scope, device), false, c, scope),
    ...peers(c),
  }),
  memsetAsync: (c, scope, device) => set(c.bytes, scope.stream(c.stream, device), true, c.destination, scope),
  memset: (c, scope, device) => set(c.bytes, streamOrLegacy(c.stream, scope, device), false, c.destination, scope),
  eventRecord: (c, scope, device) => ({
    kind: 'eventRecord',
    event: scope.event(c.event),
    stream: scope.stream(c.stream, device),
    ...(c.external === undefined ? {} : { external: c.external }),
  }),
  streamWaitEvent: (c, scope, device) => ({
    kind: 'streamWaitEvent',
    stream: scope.stream(c.stream, device),
    event: scope.event(c.event),
    ...(c.external === undefined ? {} : { external: c.external }),
  }),
  streamSynchronize: (c, scope, device) => ({ kind: 'streamSynchronize', stream: scope.stream(c.stream, device) }),
  streamQuery: (c, scope, device) => ({ kind: 'streamQuery', stream: scope.stream(c.stream, device) }),
  eventSynchronize: (c, scope) => ({ kind: 'eventSynchronize', event: scope.event(c.event) }),
  eventQuery: (c, scope) => ({ kind: 'eventQuery', event: scope.event(c.event) }),
  deviceSynchronize: () => ({ kind: 'deviceSynchronize' }),
  eventElapsedTime: (c, scope) => ({
    kind: 'eventElapsedTime',
    start: scope.event(c.start, 'start'),
    end: scope.event(c.end, 'end'),
  }),
  launchHostFunc: (c, scope, device) => ({
    kind: 'launchHostFunc',
    stream: scope.stream(c.stream, device),
    duration: duration(c.duration),
    ...(c.calls === undefined ? {} : { calls: checkedName(c.calls, 'function', ['calls']) }),
  }),
  streamWaitValue: (c, scope, device) => ({
    kind: 'streamWaitValue',
    stream: scope.stream(c.stream, device),
    ...flagValue(c),
  }),
  streamWriteValue: (c, scope, device) => ({
    kind: 'streamWriteValue',
    stream: scope.stream(c.stream, device),
    ...flagValue(c),
  }),
  malloc: (c, scope) => ({ kind: 'malloc', buffer: scope.buffer(c.buffer) }),
  free: (c, scope) => ({ kind: 'free', buffer: scope.buffer(c.buffer) }),
  mallocAsync: (c, scope, device) => ({
    kind: 'mallocAsync',
    buffer: scope.buffer(c.buffer),
    stream: scope.stream(c.stream, device),
  }),
  freeAsync: (c, scope, device) => ({
    kind: 'freeAsync',
    buffer: scope.buffer(c.buffer),
    stream: scope.stream(c.stream, device),
  }),
  mallocHost: (c, scope) => ({ kind: 'mallocHost', buffer: scope.buffer(c.buffer) }),
  freeHost: (c, scope) => ({ kind: 'freeHost', buffer: scope.buffer(c.buffer) }),
  setDevice: (c) => ({ kind: 'setDevice', device: whole(c.device, 'device') }),
  deviceEnablePeerAccess: (c) => ({ kind: 'deviceEnablePeerAccess', peer: whole(c.peer, 'peer') }),
  deviceDisablePeerAccess: (c) => ({ kind: 'deviceDisablePeerAccess', peer: whole(c.peer, 'peer') }),
  streamBeginCapture: (c, scope, device) => ({
    kind: 'streamBeginCapture',
    stream: scope.stream(c.stream, device),
    mode: oneOf(c.mode, CAPTURE_MODES, 'global', 'mode'),
  }),
  threadExchangeStreamCaptureMode: (c) => ({
    kind: 'threadExchangeStreamCaptureMode',
    mode: oneOf(c.mode, CAPTURE_MODES, 'global', 'mode'),
  }),
  streamEndCapture: (c, scope, device) => ({
    kind: 'streamEndCapture',
    stream: scope.stream(c.stream, device),
    graph: checkedName(nameOf(c.graph, 'graph'), 'graph', ['graph']),
  }),
  streamGetCaptureInfo: (c, scope, device) => ({
    kind: 'streamGetCaptureInfo',
    stream: scope.stream(c.stream, device),
    edgeData: edgeData(c),
  }),
  graphGetEdges: (c) => ({ kind: 'graphGetEdges', graph: nameOf(c.graph, 'graph'), edgeData: edgeData(c) }),
  graphNodeGetDependencies: (c) => ({ kind: 'graphNodeGetDependencies', ...nodeOf(c) }),
  graphNodeGetDependentNodes: (c) => ({ kind: 'graphNodeGetDependentNodes', ...nodeOf(c) }),
  graphAddDependencies: (c) => ({ kind: 'graphAddDependencies', ...edgeOf(c) }),
  graphRemoveDependencies: (c) => ({ kind: 'graphRemoveDependencies', ...edgeOf(c) }),
  graphInstantiate: (c) => ({
    kind: 'graphInstantiate',
    graph: nameOf(c.graph, 'graph'),
    executable: checkedName(c.executable, 'executable', ['executable']),
  }),
  graphUpload: (c, scope, device) => ({
    kind: 'graphUpload',
    executable: c.executable,
    stream: scope.stream(c.stream, device),
  }),
  graphLaunch: (c, scope, device) => ({
    kind: 'graphLaunch',
    executable: c.executable,
    stream: scope.stream(c.stream, device),
  }),
  graphExecUpdate: (c) => ({ kind: 'graphExecUpdate', executable: c.executable, graph: nameOf(c.graph, 'graph') }),
  collective: (c, scope, device) => ({
    kind: 'collective',
    collective: c.operation,
    group: c.group,
    bytes: bytes(c.bytes),
    stream: scope.stream(c.stream, device),
  }),
  hostCompute: (c) => ({ kind: 'hostCompute', duration: duration(c.duration) }),
  hostRead: (c, scope) => ({ kind: 'hostRead', range: inside(['range'], () => scope.range(c.range)) }),
  hostWrite: (c, scope) => ({ kind: 'hostWrite', range: inside(['range'], () => scope.range(c.range)) }),
  hostSignal: (c) => ({ kind: 'hostSignal', ...flagValue(c) }),
  hostAwait: (c) => ({ kind: 'hostAwait', ...flagValue(c) }),
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

function flagValue({ flag, value }: CallInputs['hostSignal']) {
  return { flag, value: whole(value ?? 1, 'value') };
}

function edgeData(c: { readonly edgeData?: boolean | undefined }): boolean {
  return trueOrFalse(c.edgeData, false, 'edgeData');
}

function nodeOf(c: CallInputs['graphNodeGetDependencies']) {
  return { graph: nameOf(c.graph, 'graph'), node: checkedName(c.node, 'node', ['node']), edgeData: edgeData(c) };
}

function edgeOf(c: CallInputs['graphAddDependencies']) {
  const type = oneOf(c.type, EDGE_TYPES, 'full', 'type');
  return {
    graph: nameOf(c.graph, 'graph'),
    from: checkedName(c.from, 'node', ['from']),
    to: checkedName(c.to, 'node', ['to']),
    fromPort: oneOf(c.fromPort, EDGE_PORTS, type === 'programmatic' ? 'programmatic' : 'default', 'fromPort'),
    type,
    toPort: whole(c.toPort ?? 0, 'toPort'),
  };
}

function streamOrLegacy(stream: Ref | undefined, scope: Scope, device: number): string {
  return stream === undefined ? scope.defaultStream('legacy', device) : scope.stream(stream, device);
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
