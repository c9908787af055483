import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import {
  type CudaHost,
  cudaErrorIllegalAddress,
  cudaErrorInvalidValue,
  cudaErrorNotReady,
  cudaEvent,
  cudaEventDisableTiming,
  cudaGraph,
  cudaGraphExec,
  cudaGraphNode,
  cudaKernel,
  cudaMemcpyDeviceToHost,
  cudaStream,
  cudaStreamNonBlocking,
  out,
  pointer,
  simulateHostCode,
} from './index.ts';

const kernel = cudaKernel('k', {
  parameters: ['x'],
  phases: [
    { op: 'load', bytes: 1024, range: '$x' },
    { op: 'spin', duration: '30us' },
  ],
});
const greedy = cudaKernel('greedy', { registersPerThread: 255, phases: [{ op: 'spin', duration: '1us' }] });

/** A stream of the current device that does not wait for the legacy one. */
function created(host: CudaHost) {
  const stream = cudaStream();
  host.cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  return stream;
}

function event(host: CudaHost, flags = 0) {
  const made = cudaEvent();
  host.cudaEventCreateWithFlags(made, flags);
  return made;
}

/** What a piece of host code returns. */
async function codeOf(body: (host: CudaHost) => number | Promise<number>, machine = 'h200x2'): Promise<number> {
  let code = -1;
  const { stuck } = await simulateHostCode((cuda) => {
    cuda.hostThread(async (host) => {
      code = await body(host);
    });
  }, machineByName(machine));
  expect(stuck).toEqual([]);
  return code;
}

describe('errors have the numbers of CUDA', () => {
  it.each<[number, string, (host: CudaHost) => number | Promise<number>, string?]>([
    [
      1,
      '4.6 adding an edge twice',
      (host) => {
        const [graph, a, b] = [cudaGraph(), cudaGraphNode(), cudaGraphNode()];
        host.cudaGraphCreate(graph);
        host.cudaGraphAddEmptyNode(a, graph, []);
        host.cudaGraphAddEmptyNode(b, graph, [a]);
        return host.cudaGraphAddDependencies(graph, [a], [b]);
      },
    ],
    [
      1,
      '4.2 a programmatic edge from a node that is no kernel',
      (host) => {
        const [graph, a, b] = [cudaGraph(), cudaGraphNode(), cudaGraphNode()];
        host.cudaGraphCreate(graph);
        host.cudaGraphAddEmptyNode(a, graph, []);
        host.cudaGraphAddKernelNode(b, graph, [], { func: kernel, gridDim: 1, blockDim: 32 });
        return host.cudaGraphAddDependencies(graph, [a], [b], [{ from_port: 1, type: 1 }]);
      },
    ],
    [
      1,
      '3.3 a programmatic event with timing',
      (host) => {
        const attrs = { programmaticEvent: { event: event(host) } };
        return host.cudaLaunchKernelEx({ gridDim: 1, blockDim: 32, attrs }, kernel);
      },
    ],
    [1, '5.8 an interprocess event with timing', (host) => host.cudaEventCreateWithFlags(cudaEvent(), 4)],
    [
      1,
      'a copy beyond its memory',
      async (host) => {
        const [from, to] = [pointer(), pointer()];
        await host.cudaMalloc(from, 1024);
        await host.cudaMallocHost(to, 4096);
        return host.cudaMemcpyAsync(to, from.at(1), 1024, cudaMemcpyDeviceToHost);
      },
    ],
    [
      1,
      'freeing twice',
      async (host) => {
        const memory = pointer();
        await host.cudaMalloc(memory, 1024);
        await host.cudaFree(memory);
        return host.cudaFree(memory);
      },
    ],
    [2, 'more memory than there is', (host) => host.cudaMalloc(pointer(), 2 ** 40)],
    [2, '6.7 a pool that cannot grow', (host) => host.cudaMallocAsync(pointer(), 2 ** 40)],
    [9, 'a grid without blocks', (host) => host.launch(kernel, 0, 32)()],
    [9, 'more than 1024 threads in a block', (host) => host.launch(kernel, 1, 2048)()],
    [21, 'a kind of copies that is none', (host) => host.cudaMemcpyAsync(pointer(), pointer(), 0, 5)],
    [101, 'a device that is not there', (host) => host.cudaSetDevice(2)],
    [217, '6.10 access to a device of another node', (host) => host.cudaDeviceEnablePeerAccess(1), 'h200x2x1'],
    [
      400,
      'a stream that was destroyed',
      (host) => {
        const stream = created(host);
        host.cudaStreamDestroy(stream);
        return host.launch(kernel, 1, 32, 0, stream)();
      },
    ],
    [
      400,
      '5.9 a launch into a stream of another device',
      (host) => {
        const stream = created(host);
        host.cudaSetDevice(1);
        return host.launch(kernel, 1, 32, 0, stream)();
      },
    ],
    [
      400,
      '5.4 a record of another device',
      (host) => {
        const recorded = event(host);
        host.cudaSetDevice(1);
        return host.cudaEventRecord(recorded, created(host));
      },
    ],
    [
      400,
      '5.7 the time to an event that was never recorded',
      (host) => host.cudaEventElapsedTime(out(), event(host), event(host)),
    ],
    [
      400,
      '5.7 the time to an event without timing',
      async (host) => {
        const [start, end] = [event(host), event(host, cudaEventDisableTiming)];
        host.cudaEventRecord(start);
        host.cudaEventRecord(end);
        await host.cudaDeviceSynchronize();
        return host.cudaEventElapsedTime(out(), start, end);
      },
    ],
    [
      402,
      '4.5 edges without their data',
      (host) => {
        const graph = cudaGraph();
        const stream = created(host);
        host.cudaStreamBeginCapture(stream, 0);
        host.launch(kernel, 1, 32, 0, stream)();
        const attrs = { programmaticStreamSerialization: true };
        host.cudaLaunchKernelEx({ gridDim: 1, blockDim: 32, stream, attrs }, kernel);
        host.cudaStreamEndCapture(stream, graph);
        const count = out<number>();
        expect(host.cudaGraphGetEdges(graph, count, true)).toBe(0);
        expect(count.value).toBe(1);
        return host.cudaGraphGetEdges(graph, count);
      },
    ],
    [
      600,
      '5.7 the time to an event that is not complete',
      (host) => {
        const [start, end] = [event(host), event(host)];
        host.cudaEventRecord(start);
        host.launch(kernel, 1, 32)();
        host.cudaEventRecord(end);
        return host.cudaEventElapsedTime(out(), start, end);
      },
    ],
    [701, 'more registers than an SM has', (host) => host.launch(greedy, 1, 1024)()],
    [
      704,
      '6.10 access that is enabled',
      (host) => {
        host.cudaDeviceEnablePeerAccess(1);
        return host.cudaDeviceEnablePeerAccess(1);
      },
    ],
    [705, '6.10 taking away access that is not there', (host) => host.cudaDeviceDisablePeerAccess(1)],
    [
      720,
      '5.14 a cooperative launch that is too large',
      (host) => host.cudaLaunchCooperativeKernel(kernel, 100_000, 1024),
    ],
    [
      900,
      '5.20 an allocation while a stream captures',
      (host) => {
        host.cudaStreamBeginCapture(created(host), 0);
        return host.cudaMalloc(pointer(), 1024);
      },
    ],
    [
      901,
      '5.21 the end of a capture that was invalidated',
      async (host) => {
        const stream = created(host);
        host.cudaStreamBeginCapture(stream, 0);
        await host.cudaMalloc(pointer(), 1024);
        return host.cudaStreamEndCapture(stream, cudaGraph());
      },
    ],
    [
      902,
      '5.21 a merge of two captures',
      (host) => {
        const [one, other, mark] = [created(host), created(host), event(host)];
        host.cudaStreamBeginCapture(one, 0);
        host.cudaStreamBeginCapture(other, 0);
        host.cudaEventRecord(mark, one);
        return host.cudaStreamWaitEvent(other, mark);
      },
    ],
    [
      903,
      '5.21 the end of a capture that never began',
      (host) => host.cudaStreamEndCapture(created(host), cudaGraph()),
    ],
    [
      904,
      '5.21 the end of a capture with a fork that is not joined',
      (host) => {
        const [one, other, mark] = [created(host), created(host), event(host)];
        host.cudaStreamBeginCapture(one, 0);
        host.cudaEventRecord(mark, one);
        host.cudaStreamWaitEvent(other, mark);
        host.launch(kernel, 1, 32, 0, other)();
        return host.cudaStreamEndCapture(one, cudaGraph());
      },
    ],
    [
      905,
      '5.23 a wait, in a capture, for an event from outside',
      (host) => {
        const [stream, mark] = [created(host), event(host)];
        host.cudaEventRecord(mark, stream);
        host.cudaStreamBeginCapture(stream, 0);
        return host.cudaStreamWaitEvent(stream, mark);
      },
    ],
    [
      906,
      '5.22 a launch into the legacy stream while a blocking stream captures',
      (host) => {
        const stream = cudaStream();
        host.cudaStreamCreate(stream);
        host.cudaStreamBeginCapture(stream, 2);
        return host.launch(kernel, 1, 32)();
      },
    ],
    [
      907,
      '5.21 a query of a captured event',
      (host) => {
        const [stream, mark] = [created(host), event(host)];
        host.cudaStreamBeginCapture(stream, 2);
        host.cudaEventRecord(mark, stream);
        return host.cudaEventQuery(mark);
      },
    ],
    [
      910,
      '4.10 an update by a graph of another shape',
      (host) => {
        const [graph, executable] = [cudaGraph(), cudaGraphExec()];
        host.cudaGraphCreate(graph);
        host.cudaGraphAddEmptyNode(cudaGraphNode(), graph, []);
        host.cudaGraphInstantiate(executable, graph);
        host.cudaGraphAddEmptyNode(cudaGraphNode(), graph, []);
        return host.cudaGraphExecUpdate(executable, graph);
      },
    ],
    [
      912,
      '7.7 clusters that do not divide the grid',
      (host) => {
        const attrs = { clusterDimension: 4 };
        return host.cudaLaunchKernelEx({ gridDim: 10, blockDim: 32, attrs }, kernel);
      },
    ],
  ])('%i: %s', async (expected, _, body, machine) => {
    expect(await codeOf(body, machine)).toBe(expected);
  });

  it('908: 5.21 the end of a capture that another thread began', async () => {
    const codes: number[] = [];
    await simulateHostCode((cuda) => {
      const stream = cudaStream();
      cuda.hostThread((host) => {
        host.cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        codes.push(host.cudaStreamBeginCapture(stream, 0));
      });
      cuda.hostThread((host) => {
        host.compute('10us');
        codes.push(host.cudaStreamEndCapture(stream, cudaGraph()));
      });
    }, machineByName('h200'));
    expect(codes).toEqual([0, 908]);
  });
});

describe('errors stay', () => {
  it('until cudaGetLastError has told of them, and not for cudaPeekAtLastError', async () => {
    const seen: number[] = [];
    await codeOf(async (host) => {
      host.launch(kernel, 0, 32)();
      expect(host.launch(kernel, 1, 32)()).toBe(0);
      seen.push(host.cudaPeekAtLastError(), host.cudaGetLastError(), host.cudaGetLastError());
      await host.cudaDeviceSynchronize();
      seen.push(await host.cudaFree(pointer()), host.cudaGetLastError());
      return 0;
    });
    expect(seen).toEqual([9, 9, 0, 0, 0]);
  });

  it('6.10 for good after a kernel that touched memory of a device without access (700), and show when it has ended', async () => {
    const seen: [string, number][] = [];
    const timeline = await simulateHostCode((cuda) => {
      const far = cuda.deviceMemory('far', 1024, 1);
      cuda.hostThread(async (host) => {
        const note = (name: string, code: number) => seen.push([name, code]);
        note('launch', host.launch(kernel, 1, 32)(far));
        note('behind it', host.launch(kernel, 1, 32)());
        note('query', await host.cudaStreamQuery(0));
        note('last error', host.cudaGetLastError());
        note('synchronize', await host.cudaStreamSynchronize(0));
        note('launch after it', host.launch(kernel, 1, 32)());
        note('malloc', await host.cudaMalloc(pointer(), 64));
        note('create', host.cudaStreamCreate(cudaStream()));
        note('last error', host.cudaGetLastError());
        note('last error', host.cudaGetLastError());
      });
    }, machineByName('h200x2'));
    const bad = cudaErrorIllegalAddress;
    expect(seen).toEqual([
      ['launch', 0],
      ['behind it', 0],
      ['query', cudaErrorNotReady],
      ['last error', cudaErrorNotReady],
      ['synchronize', bad],
      ['launch after it', bad],
      ['malloc', bad],
      ['create', bad],
      ['last error', bad],
      ['last error', bad],
    ]);
    expect(timeline.operations.filter(({ kind }) => kind === 'kernel').length).toBe(2);
    expect(timeline.errors.map(({ code, message }) => [code, message])).toContainEqual([
      bad,
      expect.stringMatching(/^kernel "k" on device 0 touches memory of device 1, .*\(rule 6\.10\)$/),
    ]);
  });

  it('6.10 with access the same kernel runs, and without it one whose memory has been freed does not', async () => {
    const last = async (prepare: (host: CudaHost) => Promise<unknown> | unknown): Promise<number> => {
      let code = -1;
      await simulateHostCode((cuda) => {
        const far = cuda.deviceMemory('far', 1024, 1);
        cuda.hostThread(async (host) => {
          const memory = (await prepare(host)) as typeof far | undefined;
          host.launch(kernel, 1, 32)(memory ?? far);
          code = await host.cudaDeviceSynchronize();
        });
      }, machineByName('h200x2'));
      return code;
    };
    expect(await last((host) => void host.cudaDeviceEnablePeerAccess(1))).toBe(0);
    const freed = await last(async (host) => {
      const memory = pointer();
      await host.cudaMalloc(memory, 1024);
      await host.cudaFree(memory);
      return memory;
    });
    expect(freed).toBe(cudaErrorIllegalAddress);
  });

  it('a failed call leaves its variable as it was', async () => {
    expect(
      await codeOf(async (host) => {
        const memory = pointer();
        await host.cudaMalloc(memory, 1024);
        expect(await host.cudaMalloc(memory, 2 ** 40)).toBe(2);
        expect(host.cudaMallocAsync(memory, 2 ** 40)).toBe(2);
        const executable = cudaGraphExec();
        expect(host.cudaGraphInstantiate(executable, cudaGraph())).toBe(cudaErrorInvalidValue);
        expect(host.cudaGraphLaunch(executable, 0)).toBe(cudaErrorInvalidValue);
        return host.cudaMemsetAsync(memory, 0, 1024);
      }),
    ).toBe(0);
  });
});
