import {
  CudaEvent,
  CudaGraph,
  CudaGraphExec,
  CudaGraphNode,
  type CudaHost,
  type CudaKernel,
  CudaPointer,
  CudaStream,
  cudaKernel,
  cudaStreamLegacy,
  cudaStreamPerThread,
  out,
  type StreamRef,
} from '@griddep/cuda/host-api';
import fc from 'fast-check';
import type { CudaProgram } from './cuda-program.ts';

/** A call as numbers: which, and what its arguments are drawn from. */
export interface RandomApiCall {
  readonly name: CallName;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

const SIZES = [1, 4096, 4096, 1 << 16, 1 << 16, 1 << 18, 1 << 20, 1 << 20, 3 << 20, 0, -1, 0.5, 2 ** 40];
const GRIDS = [1, 8, 40, 132, 132, 300, 300, [4, 2], [2, 2, 2], 0, -3, [1, 70_000], 2 ** 31];
const BLOCKS = [32, 64, 128, 128, 256, 256, 512, 1024, 2048, 0, 1.5];
const SHARED = [0, 0, 0, 0, 0, 1 << 14, 1 << 17, 1 << 20, -1];
const POOL = 4;

/** Handles that calls use: some created, some never, some of the wrong kind, some missing. */
export class Handles {
  readonly streams = pool((i) => new CudaStream(`s${i}`));
  readonly events = pool((i) => new CudaEvent(`e${i}`));
  readonly graphs = pool((i) => new CudaGraph(`g${i}`));
  readonly executables = pool((i) => new CudaGraphExec(`x${i}`));
  readonly nodes = pool((i) => new CudaGraphNode(`n${i}`));
  /** Nodes of the graph that is captured at first. */
  captured: readonly CudaGraphNode[] = [];
  readonly pointers: readonly CudaPointer[];
  readonly kernels: readonly CudaKernel[];

  constructor(cuda: CudaProgram) {
    const initial = [
      cuda.deviceMemory('device0', 4 << 20),
      cuda.deviceMemory('device1', 4 << 20, 1),
      cuda.pinnedMemory('pinned', 4 << 20),
      cuda.pageableMemory('pageable', 4 << 20),
    ];
    this.pointers = [...initial, ...pool((i) => new CudaPointer(`p${i}`)), (initial[0] as CudaPointer).at(1 << 20)];
    const parameters = ['x'];
    this.kernels = [
      cudaKernel('spin', { parameters, phases: [{ op: 'spin', duration: '7us' }] }),
      cudaKernel('pdl', {
        parameters,
        grid: 40,
        block: 64,
        phases: [{ op: 'wait' }, { op: 'fma', iterations: 99 }, { op: 'trigger' }],
      }),
      cudaKernel('greedy', { parameters, registersPerThread: 255, phases: [{ op: 'spin', duration: '1us' }] }),
    ];
  }

  stream(n: number): StreamRef {
    const special = [0, cudaStreamLegacy, cudaStreamPerThread, undefined, this.events[0]];
    return pick([...this.streams, ...this.streams, ...this.streams, ...special], n) as StreamRef;
  }
  event(n: number): CudaEvent {
    return pick([...this.events, ...this.events, ...this.events, undefined, this.streams[0]], n) as CudaEvent;
  }
  graph(n: number): CudaGraph {
    return pick([...this.graphs, ...this.graphs, undefined], n) as CudaGraph;
  }
  executable(n: number): CudaGraphExec {
    return pick([...this.executables, ...this.executables, undefined], n) as CudaGraphExec;
  }
  node(n: number): CudaGraphNode {
    return pick([...this.nodes, ...this.nodes, undefined], n) as CudaGraphNode;
  }
  pointer(n: number): CudaPointer {
    return pick([...this.pointers, ...this.pointers, undefined], n) as CudaPointer;
  }
  kernel(n: number): CudaKernel {
    return pick(this.kernels, n);
  }
}

/** What there is before the random calls, so that many of them are valid. */
export async function prologue(host: CudaHost, handles: Handles): Promise<void> {
  const [s0, s1, s2] = handles.streams as [CudaStream, CudaStream, CudaStream];
  const [e0, e1, e2, e3] = handles.events as [CudaEvent, CudaEvent, CudaEvent, CudaEvent];
  host.cudaStreamCreate(s0);
  host.cudaStreamCreateWithFlags(s1, 1);
  host.cudaEventCreateWithFlags(e1, 2);
  for (const device of [1, 0]) {
    host.cudaSetDevice(device);
    if (device === 1) {
      host.cudaStreamCreateWithFlags(s2, 1);
      host.cudaEventCreateWithFlags(e2, 2);
    }
    // Default streams come into being, and take their queues, when they are first used.
    for (const stream of [0, cudaStreamPerThread] as const) await host.cudaStreamQuery(stream);
  }
  for (const event of [e0, e3]) {
    host.cudaEventCreate(event);
    host.cudaEventRecord(event, s0);
  }
  const [g0, g1] = handles.graphs as [CudaGraph, CudaGraph];
  const [n0, n1, n2] = handles.nodes as [CudaGraphNode, CudaGraphNode, CudaGraphNode];
  const params = { func: handles.kernel(0), gridDim: 20, blockDim: 64 };
  host.cudaGraphCreate(g0);
  host.cudaGraphAddKernelNode(n0, g0, [], params);
  host.cudaGraphAddKernelNode(n1, g0, [], params);
  host.cudaGraphAddKernelNode(n2, g0, [n0], params);
  host.cudaGraphInstantiate(handles.executables[0] as CudaGraphExec, g0);
  host.cudaStreamBeginCapture(s1, 0);
  for (let i = 0; i < 2; i++) host.launch(handles.kernel(0), 20, 64, 0, s1)();
  host.cudaStreamEndCapture(s1, g1);
  const captured = out<readonly CudaGraphNode[]>();
  host.cudaGraphGetNodes(g1, out(), captured);
  handles.captured = captured.value ?? [];
}

type Perform = (host: CudaHost, h: Handles, call: RandomApiCall) => number | Promise<number>;

/** All calls of the API. */
const CALLS = {
  cudaStreamCreate: (host, h, { a }) => host.cudaStreamCreate(h.stream(a) as CudaStream),
  cudaStreamCreateWithPriority: (host, h, { a, b, c }) =>
    host.cudaStreamCreateWithPriority(h.stream(a) as CudaStream, b % 3, (c % 12) - 8),
  cudaStreamDestroy: (host, h, { a }) => host.cudaStreamDestroy(h.stream(a) as CudaStream),
  cudaStreamGetPriority: (host, h, { a }) => host.cudaStreamGetPriority(h.stream(a), out()),
  cudaStreamWaitEvent: (host, h, { a, b, c }) => host.cudaStreamWaitEvent(h.stream(a), h.event(b), c % 9 === 0 ? 1 : 0),
  cudaLaunchHostFunc: (host, h, { a, b }) => host.cudaLaunchHostFunc(h.stream(a), `${b % 20}us`),
  cudaStreamSynchronize: (host, h, { a }) => host.cudaStreamSynchronize(h.stream(a)),
  cudaStreamQuery: (host, h, { a }) => host.cudaStreamQuery(h.stream(a)),
  cudaStreamBeginCapture: (host, h, { a, b }) => host.cudaStreamBeginCapture(h.stream(a), b % 4),
  cudaStreamEndCapture: (host, h, { a, b }) => host.cudaStreamEndCapture(h.stream(a), h.graph(b)),
  cudaStreamIsCapturing: (host, h, { a }) => host.cudaStreamIsCapturing(h.stream(a), out()),
  cudaEventCreateWithFlags: (host, h, { a, b }) => host.cudaEventCreateWithFlags(h.event(a), b % 9),
  cudaEventDestroy: (host, h, { a }) => host.cudaEventDestroy(h.event(a)),
  cudaEventRecord: (host, h, { a, b }) => host.cudaEventRecord(h.event(a), h.stream(b)),
  cudaEventRecordWithFlags: (host, h, { a, b, c }) => host.cudaEventRecordWithFlags(h.event(a), h.stream(b), c % 3),
  cudaEventSynchronize: (host, h, { a }) => host.cudaEventSynchronize(h.event(a)),
  cudaEventQuery: (host, h, { a }) => host.cudaEventQuery(h.event(a)),
  cudaEventElapsedTime: (host, h, { a, b }) => host.cudaEventElapsedTime(out(), h.event(a), h.event(b)),
  cudaMalloc: (host, h, { a, b }) => host.cudaMalloc(h.pointer(a), pick(SIZES, b)),
  cudaFree: (host, h, { a }) => host.cudaFree(h.pointer(a)),
  cudaMallocHost: (host, h, { a, b }) => host.cudaMallocHost(h.pointer(a), pick(SIZES, b)),
  cudaFreeHost: (host, h, { a }) => host.cudaFreeHost(h.pointer(a)),
  cudaMallocAsync: (host, h, { a, b, c }) => host.cudaMallocAsync(h.pointer(a), pick(SIZES, b), h.stream(c)),
  cudaFreeAsync: (host, h, { a, b }) => host.cudaFreeAsync(h.pointer(a), h.stream(b)),
  cudaMemcpy: (host, h, { a, b, c, d }) =>
    host.cudaMemcpy(h.pointer(a), h.pointer(b), pick(SIZES, c), d % 2 === 0 ? 4 : c % 6),
  cudaMemcpyAsync: (host, h, { a, b, c, d }) =>
    host.cudaMemcpyAsync(h.pointer(a), h.pointer(b), pick(SIZES, c), d % 8 === 0 ? c % 6 : 4, h.stream(d)),
  cudaMemcpyPeer: (host, h, { a, b, c, d }) =>
    host.cudaMemcpyPeer(h.pointer(a), a % 3, h.pointer(b), b % 2, pick(SIZES, c + d)),
  cudaMemcpyPeerAsync: (host, h, { a, b, c, d }) =>
    host.cudaMemcpyPeerAsync(h.pointer(a), a % 2, h.pointer(b), b % 2, pick(SIZES, c), h.stream(d)),
  cudaMemset: (host, h, { a, b, c }) => host.cudaMemset(h.pointer(a), b, pick(SIZES, c)),
  cudaMemsetAsync: (host, h, { a, b, c, d }) => host.cudaMemsetAsync(h.pointer(a), b, pick(SIZES, c), h.stream(d)),
  launch: (host, h, { a, b, c, d }) =>
    host.launch(
      h.kernel(a),
      pick(GRIDS, b),
      pick(BLOCKS, c),
      pick(SHARED, a + b),
      h.stream(d),
    )(...(c % 8 === 0 ? [h.pointer(a + c)] : [h.pointers[0]]).filter((each) => each !== undefined)),
  cudaLaunchKernelEx: (host, h, { a, b, c, d }) =>
    host.cudaLaunchKernelEx(
      {
        ...{ gridDim: pick(GRIDS, b), blockDim: pick(BLOCKS, c), stream: h.stream(d) },
        attrs: {
          programmaticStreamSerialization: a % 2 === 0,
          ...(a % 5 === 0
            ? { programmaticEvent: { event: h.event(b), triggerAtBlockStart: c % 2 === 0, flags: d % 9 === 0 ? 1 : 0 } }
            : {}),
          ...(a % 7 === 0 ? { launchCompletionEvent: { event: h.event(c) } } : {}),
          ...(b % 11 === 0 ? { deviceUpdatableKernelNode: { deviceUpdatable: true } } : {}),
          ...(b % 5 === 0 ? { cooperative: true } : {}),
          ...(c % 6 === 0 ? { clusterDimension: pick([1, 2, 4, 32, 0], a) } : {}),
          ...(d % 4 === 0 ? { priority: (a % 9) - 6 } : {}),
        },
      },
      h.kernel(a),
    ),
  cudaLaunchCooperativeKernel: (host, h, { a, b, c }) =>
    host.cudaLaunchCooperativeKernel(h.kernel(a), pick(GRIDS, b), pick(BLOCKS, c), [], 0, h.stream(c)),
  cuStreamWaitValue32: (host, h, { a, b, c }) =>
    host.cuStreamWaitValue32(h.stream(a), 'always', pick([0, 0, 0, 1.5, -1], b), c % 9 === 0 ? 1 : 0),
  cuStreamWriteValue32: (host, h, { a, b }) =>
    host.cuStreamWriteValue32(h.stream(a), pick(['x', 'y'], b), pick([0, 1, 2, 2 ** 32], b)),
  cudaStreamGetCaptureInfo: (host, h, { a, b }) =>
    host.cudaStreamGetCaptureInfo(h.stream(a), out(), out(), b % 2 === 0),
  cudaThreadExchangeStreamCaptureMode: (host, _, { a }) => host.cudaThreadExchangeStreamCaptureMode({ value: a % 4 }),
  cudaGraphAddEventRecordNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddEventRecordNode(h.node(a), h.graph(b), before(h, c, d), h.event(d)),
  cudaGraphAddEventWaitNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddEventWaitNode(h.node(a), h.graph(b), before(h, c, d), h.event(d)),
  cudaGraphNodeGetDependencies: (host, h, { a, b }) =>
    host.cudaGraphNodeGetDependencies(h.node(a), out(), b % 2 === 0, out()),
  cudaGraphNodeGetDependentNodes: (host, h, { a, b }) =>
    host.cudaGraphNodeGetDependentNodes(h.node(a), out(), b % 2 === 0, out()),
  'cudaGraphAddDependencies, captured': (host, h, { b, c, d }) =>
    host.cudaGraphAddDependencies(h.graph(1), [pick(h.captured, b)], [pick(h.captured, c)], edge(d)),
  'cudaGraphRemoveDependencies, captured': (host, h, { b, c, d }) =>
    host.cudaGraphRemoveDependencies(h.graph(1), [pick(h.captured, b)], [pick(h.captured, c)], edge(d)),
  collective: (host, h, { a, b }) =>
    host.collective('allReduce', 'own', pick(SIZES, a), h.streams[b % 2] as CudaStream),
  cudaSetDevice: (host, _, { a }) => host.cudaSetDevice(pick([0, 0, 1, 2, -1], a)),
  cudaDeviceSynchronize: (host) => host.cudaDeviceSynchronize(),
  cudaDeviceCanAccessPeer: (host, _, { a, b }) => host.cudaDeviceCanAccessPeer(out(), a % 3, b % 2),
  cudaDeviceEnablePeerAccess: (host, _, { a, b }) =>
    host.cudaDeviceEnablePeerAccess(pick([0, 1, 2, -1], a), b % 5 === 0 ? 1 : 0),
  cudaDeviceDisablePeerAccess: (host, _, { a }) => host.cudaDeviceDisablePeerAccess(pick([0, 1, 2], a)),
  cudaGraphCreate: (host, h, { a, b }) => host.cudaGraphCreate(h.graph(a), b % 7 === 0 ? 1 : 0),
  cudaGraphDestroy: (host, h, { a }) => host.cudaGraphDestroy(h.graph(a)),
  cudaGraphAddKernelNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddKernelNode(h.node(a), h.graph(b), before(h, c, d), {
      ...{ func: h.kernel(d), gridDim: pick(GRIDS, c), blockDim: pick(BLOCKS, a), kernelParams: [7] },
    }),
  cudaGraphAddMemcpyNode1D: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddMemcpyNode1D(
      h.node(a),
      h.graph(b),
      before(h, c, d),
      h.pointer(c),
      h.pointer(d),
      pick(SIZES, a),
      4,
    ),
  cudaGraphAddMemsetNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddMemsetNode(h.node(a), h.graph(b), before(h, c, d), {
      dst: h.pointer(d),
      value: 0,
      width: pick(SIZES, c),
    }),
  cudaGraphAddHostNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddHostNode(h.node(a), h.graph(b), before(h, c, d), '2us'),
  cudaGraphAddEmptyNode: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddEmptyNode(h.node(a), h.graph(b), before(h, c, d)),
  cudaGraphAddDependencies: (host, h, { a, b, c, d }) =>
    host.cudaGraphAddDependencies(h.graph(a % 2), [h.node(b % 2)], [h.node(1 + (c % 2))], edge(d)),
  cudaGraphRemoveDependencies: (host, h, { a, b, c, d }) =>
    host.cudaGraphRemoveDependencies(h.graph(a % 2), [h.node(b % 2)], [h.node(1 + (c % 2))], edge(d)),
  cudaGraphDestroyNode: (host, h, { a, b }) => host.cudaGraphDestroyNode(h.graph(a), h.node(b)),
  cudaGraphGetNodes: (host, h, { a }) => host.cudaGraphGetNodes(h.graph(a), out(), out()),
  cudaGraphGetEdges: (host, h, { a, b }) => host.cudaGraphGetEdges(h.graph(a), out(), b % 2 === 0, out()),
  cudaGraphInstantiate: (host, h, { a, b }) => host.cudaGraphInstantiate(h.executable(a), h.graph(b)),
  cudaGraphExecUpdate: (host, h, { a, b }) => host.cudaGraphExecUpdate(h.executable(a), h.graph(b), out()),
  cudaGraphUpload: (host, h, { a, b }) => host.cudaGraphUpload(h.executable(a), h.stream(b)),
  cudaGraphLaunch: (host, h, { a, b }) => host.cudaGraphLaunch(h.executable(a), h.stream(b)),
  cudaGraphExecDestroy: (host, h, { a }) => host.cudaGraphExecDestroy(h.executable(a)),
  cudaGetLastError: (host) => host.cudaGetLastError(),
  cudaPeekAtLastError: (host) => host.cudaPeekAtLastError(),
} satisfies Record<string, Perform>;

export type CallName = keyof typeof CALLS;
export const CALL_NAMES = Object.keys(CALLS) as readonly CallName[];

/** Makes a call; its code. */
export function performCall(host: CudaHost, handles: Handles, call: RandomApiCall): number | Promise<number> {
  return (CALLS[call.name] as Perform)(host, handles, call);
}

/** Calls that others mean something by. */
const OFTEN: readonly CallName[] = [
  ...(['launch', 'cudaLaunchKernelEx', 'cudaEventRecord', 'cudaStreamWaitEvent', 'cudaMemcpyAsync'] as const),
  ...(['cudaStreamEndCapture', 'cudaGraphLaunch', 'cudaGraphInstantiate', 'cudaEventElapsedTime'] as const),
];
/** Calls of which one needs the other before it. */
const PAIRED: readonly CallName[] = ['cudaDeviceEnablePeerAccess', 'cudaDeviceDisablePeerAccess'];
const n = fc.nat(1000);
export const randomCalls: fc.Arbitrary<readonly RandomApiCall[]> = fc.array(
  fc.record({ name: fc.constantFrom(...CALL_NAMES, ...OFTEN, ...OFTEN, ...OFTEN, ...PAIRED), a: n, b: n, c: n, d: n }),
  { minLength: 1, maxLength: 80, size: 'max' },
);

function pool<T>(make: (i: number) => T): readonly T[] {
  return Array.from({ length: POOL }, (_, i) => make(i));
}

function pick<T>(from: readonly T[], i: number): T {
  return from[i % from.length] as T;
}

function before(h: Handles, c: number, d: number): readonly CudaGraphNode[] {
  return c % 2 === 0 ? [] : [h.node(d)];
}

function edge(d: number) {
  return d % 2 === 0 ? [] : [{ from_port: d % 4, to_port: d % 11 === 0 ? 1 : 0, type: d % 3 }];
}
