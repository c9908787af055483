import {
  CudaEvent,
  CudaGraph,
  CudaGraphExec,
  CudaGraphNode,
  type CudaHost,
  CudaPointer,
  CudaStream,
  cudaKernel,
  cudaMemcpyDefault,
  out,
} from '@griddep/cuda/host-api';
import { machineByName } from '@griddep/machine';
import { CALL_NAMES, type CallName, type HostThreadBuilder, programBuilder } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { simulateHostCode } from './simulate-host-code.ts';

const BYTES = 1 << 16;
const MACHINE = machineByName('h200x2');
const SPIN = { grid: 8, block: 64, phases: [{ op: 'spin', duration: '5us' }] } as const;
const k = cudaKernel('k', SPIN);
const [s, t] = [new CudaStream('s'), new CudaStream('t')];
const [start, end] = [new CudaEvent('start'), new CudaEvent('end')];
const [g, captured, exec] = [new CudaGraph('g'), new CudaGraph('captured'), new CudaGraphExec('exec')];
const [x, y] = [new CudaGraphNode('x'), new CudaGraphNode('y')];
const [a, b, p] = [new CudaPointer('a'), new CudaPointer('b'), new CudaPointer('p')];
const memory: Record<'d' | 'far' | 'h', CudaPointer> = { d: a, far: a, h: a };

interface Both {
  readonly file: (host: HostThreadBuilder) => unknown;
  readonly code: (host: CudaHost) => unknown;
}
const at = (buffer: string) => ({ buffer, bytes: BYTES });

/** Each call of program files, in an order in which all but one query and the update succeed, and the same as host code. */
const CALLS: { readonly [K in CallName]: Both } = {
  hostSetenv: { file: (h) => h.hostSetenv('X', 1), code: (h) => h.setenv('X', 1) },
  setDevice: { file: (h) => h.setDevice(0), code: (h) => h.cudaSetDevice(0) },
  deviceEnablePeerAccess: {
    file: (h) => h.deviceEnablePeerAccess(1),
    code: (h) => h.cudaDeviceEnablePeerAccess(1),
  },
  malloc: { file: (h) => h.malloc('a'), code: (h) => h.cudaMalloc(a, BYTES) },
  mallocHost: { file: (h) => h.mallocHost('p'), code: (h) => h.cudaMallocHost(p, BYTES) },
  mallocAsync: { file: (h) => h.mallocAsync('b', 's'), code: (h) => h.cudaMallocAsync(b, BYTES, s) },
  rangePush: { file: (h) => h.rangePush('layer'), code: (h) => h.nvtxRangePush('layer') },
  hostWrite: { file: (h) => h.hostWrite(at('h')), code: (h) => h.write(memory.h, BYTES) },
  memcpyAsync: {
    file: (h) => h.memcpyAsync('hostToDevice', BYTES, 's', { source: at('h'), destination: at('d') }),
    code: (h) => h.cudaMemcpyAsync(memory.d, memory.h, BYTES, cudaMemcpyDefault, s),
  },
  rangePop: { file: (h) => h.rangePop(), code: (h) => h.nvtxRangePop() },
  eventRecord: { file: (h) => h.eventRecord('start', 's'), code: (h) => h.cudaEventRecord(start, s) },
  streamWaitEvent: { file: (h) => h.streamWaitEvent('t', 'start'), code: (h) => h.cudaStreamWaitEvent(t, start) },
  launchKernel: { file: (h) => h.launchKernel('k', 't'), code: (h) => h.launch(k, 8, 64, 0, t)() },
  streamWriteValue: {
    file: (h) => h.streamWriteValue('t', 'v', 2),
    code: (h) => h.cuStreamWriteValue32(t, 'v', 2),
  },
  streamWaitValue: { file: (h) => h.streamWaitValue('s', 'v', 2), code: (h) => h.cuStreamWaitValue32(s, 'v', 2) },
  memsetAsync: {
    file: (h) => h.memsetAsync(BYTES, 's', { destination: at('d') }),
    code: (h) => h.cudaMemsetAsync(memory.d, 0, BYTES, s),
  },
  memcpyPeerAsync: {
    file: (h) => h.memcpyPeerAsync(1, 0, BYTES, 's', { source: at('d'), destination: at('far') }),
    code: (h) => h.cudaMemcpyPeerAsync(memory.far, 1, memory.d, 0, BYTES, s),
  },
  launchHostFunc: { file: (h) => h.launchHostFunc('s', '3us'), code: (h) => h.cudaLaunchHostFunc(s, '3us') },
  collective: {
    file: (h) => h.collective('allReduce', 'own', BYTES, 's'),
    code: (h) => h.collective('allReduce', 'own', BYTES, s),
  },
  streamQuery: { file: (h) => h.streamQuery('s'), code: (h) => h.cudaStreamQuery(s) },
  eventQuery: { file: (h) => h.eventQuery('start'), code: (h) => h.cudaEventQuery(start) },
  hostCompute: { file: (h) => h.hostCompute('2us'), code: (h) => h.compute('2us') },
  threadExchangeStreamCaptureMode: {
    file: (h) => h.threadExchangeStreamCaptureMode('relaxed'),
    code: (h) => h.cudaThreadExchangeStreamCaptureMode({ value: 2 }),
  },
  streamBeginCapture: {
    file: (h) => h.streamBeginCapture('s', 'global'),
    code: (h) => h.cudaStreamBeginCapture(s, 0),
  },
  streamGetCaptureInfo: {
    file: (h) => h.streamGetCaptureInfo('s', { edgeData: true }),
    code: (h) => h.cudaStreamGetCaptureInfo(s, out(), out(), true),
  },
  streamEndCapture: {
    file: (h) => h.streamEndCapture('s', 'captured'),
    code: (h) => h.cudaStreamEndCapture(s, captured),
  },
  graphAddDependencies: {
    file: (h) => h.graphAddDependencies('g', 'x', 'y', { type: 'programmatic' }),
    code: (h) => h.cudaGraphAddDependencies(g, [x], [y], [{ from_port: 1, type: 1 }]),
  },
  graphGetEdges: {
    file: (h) => h.graphGetEdges('g', { edgeData: true }),
    code: (h) => h.cudaGraphGetEdges(g, out(), true),
  },
  graphNodeGetDependencies: {
    file: (h) => h.graphNodeGetDependencies('g', 'y'),
    code: (h) => h.cudaGraphNodeGetDependencies(y, out()),
  },
  graphNodeGetDependentNodes: {
    file: (h) => h.graphNodeGetDependentNodes('g', 'x', { edgeData: true }),
    code: (h) => h.cudaGraphNodeGetDependentNodes(x, out(), true),
  },
  graphInstantiate: { file: (h) => h.graphInstantiate('g', 'exec'), code: (h) => h.cudaGraphInstantiate(exec, g) },
  graphRemoveDependencies: {
    file: (h) => h.graphRemoveDependencies('g', 'x', 'y', { type: 'programmatic' }),
    code: (h) => h.cudaGraphRemoveDependencies(g, [x], [y], [{ from_port: 1, type: 1 }]),
  },
  graphExecUpdate: { file: (h) => h.graphExecUpdate('exec', 'g'), code: (h) => h.cudaGraphExecUpdate(exec, g) },
  graphUpload: { file: (h) => h.graphUpload('exec', 't'), code: (h) => h.cudaGraphUpload(exec, t) },
  graphLaunch: { file: (h) => h.graphLaunch('exec', 't'), code: (h) => h.cudaGraphLaunch(exec, t) },
  freeAsync: { file: (h) => h.freeAsync('b', 's'), code: (h) => h.cudaFreeAsync(b, s) },
  streamSynchronize: { file: (h) => h.streamSynchronize('s'), code: (h) => h.cudaStreamSynchronize(s) },
  eventSynchronize: { file: (h) => h.eventSynchronize('start'), code: (h) => h.cudaEventSynchronize(start) },
  eventElapsedTime: {
    file: (h) => [h.eventRecord('end', 's'), h.eventSynchronize('end'), h.eventElapsedTime('start', 'end')],
    code: async (h) => {
      h.cudaEventRecord(end, s);
      await h.cudaEventSynchronize(end);
      return h.cudaEventElapsedTime(out(), start, end);
    },
  },
  memcpy: {
    file: (h) => h.memcpy('deviceToHost', BYTES, { source: at('d'), destination: at('h') }),
    code: (h) => h.cudaMemcpy(memory.h, memory.d, BYTES, cudaMemcpyDefault),
  },
  hostRead: { file: (h) => h.hostRead(at('h')), code: (h) => h.read(memory.h, BYTES) },
  memcpyPeer: {
    file: (h) => h.memcpyPeer(1, 0, BYTES, { source: at('d'), destination: at('far') }),
    code: (h) => h.cudaMemcpyPeer(memory.far, 1, memory.d, 0, BYTES),
  },
  memset: {
    file: (h) => h.memset(BYTES, { destination: at('d') }),
    code: (h) => h.cudaMemset(memory.d, 0, BYTES),
  },
  hostSignal: { file: (h) => h.hostSignal('flag'), code: (h) => h.signal('flag') },
  hostAwait: { file: (h) => h.hostAwait('flag'), code: (h) => h.awaitFlag('flag') },
  deviceSynchronize: { file: (h) => h.deviceSynchronize(), code: (h) => h.cudaDeviceSynchronize() },
  free: { file: (h) => h.free('a'), code: (h) => h.cudaFree(a) },
  freeHost: { file: (h) => h.freeHost('p'), code: (h) => h.cudaFreeHost(p) },
  deviceDisablePeerAccess: {
    file: (h) => h.deviceDisablePeerAccess(1),
    code: (h) => h.cudaDeviceDisablePeerAccess(1),
  },
};

function asFile(names: readonly CallName[]): Timeline {
  const program = programBuilder('calls');
  program.kernel('k', SPIN);
  for (const name of ['s', 't']) program.stream(name, { kind: 'nonBlocking' });
  program.stream('legacy', { kind: 'legacy' });
  for (const name of ['start', 'end']) program.event(name);
  program.buffer('d', { bytes: BYTES });
  program.buffer('far', { bytes: BYTES, device: 1 });
  program.buffer('h', { bytes: BYTES, space: 'host', hostMemory: 'pinned' });
  program.buffer('a', { bytes: BYTES });
  program.buffer('b', { bytes: BYTES });
  program.buffer('p', { bytes: BYTES, space: 'host', hostMemory: 'pinned' });
  const node = { launchKernel: { kernel: 'k', stream: 'legacy' } };
  program.graph('g', [
    { id: 'x', call: node },
    { id: 'y', call: node },
  ]);
  const host = program.hostThread('main');
  for (const name of names) CALLS[name].file(host);
  return simulate(program.build(), MACHINE);
}

function asCode(names: readonly CallName[]): Promise<Timeline> {
  return simulateHostCode(
    (cuda) => {
      cuda.collectiveGroup('own', [0]);
      memory.d = cuda.deviceMemory('d', BYTES);
      memory.far = cuda.deviceMemory('far', BYTES, 1);
      memory.h = cuda.pinnedMemory('h', BYTES);
      cuda.hostThread(async (host) => {
        for (const stream of [s, t]) host.cudaStreamCreateWithFlags(stream, 1);
        for (const event of [start, end]) host.cudaEventCreate(event);
        host.cudaGraphCreate(g);
        for (const node of [x, y]) host.cudaGraphAddKernelNode(node, g, [], { func: k });
        for (const name of names) await CALLS[name].code(host);
      });
    },
    MACHINE,
    { name: 'calls' },
  );
}

/** What a timeline tells of the calls: their places are in other code. */
function told({ operations, errors, stuck }: Timeline) {
  return {
    operations: operations.map((operation) => ({ ...operation, origin: '' })),
    errors,
    stuck,
  };
}

/** What a call needs that there is before it. */
const NEEDS: { readonly [K in CallName]?: readonly CallName[] } = {
  rangePop: ['rangePush'],
  streamWaitValue: ['streamWriteValue'],
  graphRemoveDependencies: ['graphAddDependencies'],
  graphExecUpdate: ['graphInstantiate'],
  graphUpload: ['graphInstantiate'],
  graphLaunch: ['graphInstantiate'],
  freeAsync: ['mallocAsync'],
  hostAwait: ['hostSignal'],
  free: ['malloc'],
  freeHost: ['mallocHost'],
};

const NAMES = Object.keys(CALLS) as readonly CallName[];

it('every call of program files can be made by host code', () => {
  expect([...NAMES].sort()).toEqual([...CALL_NAMES].sort());
});

it('all calls in a row are the same as a file and as host code', async () => {
  const [file, code] = [asFile(NAMES), await asCode(NAMES)];
  expect(file.errors.map(({ name }) => name)).toEqual(['cudaErrorLossyQuery', 'cudaErrorGraphExecUpdateFailure']);
  expect(told(code)).toEqual(told(file));
});

it.each(NAMES.filter((name) => name !== 'rangePush'))(
  '%s by itself is the same as a file and as host code',
  async (name) => {
    const names = [...(NEEDS[name] ?? []), name];
    expect(told(await asCode(names))).toEqual(told(asFile(names)));
  },
);
