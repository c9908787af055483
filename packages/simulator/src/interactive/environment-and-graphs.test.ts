import {
  CudaGraph,
  CudaGraphExec,
  type CudaGraphNode,
  CudaStream,
  cudaGraphExecUpdateErrorTopologyChanged,
  cudaKernel,
  HostUseError,
  out,
} from '@griddep/cuda/host-api';
import { machineByName } from '@griddep/machine';
import { expect, it } from 'vitest';
import { simulateHostCode } from './simulate-host-code.ts';

const H200 = machineByName('h200');
const k = cudaKernel('k', { grid: 1, block: 64, phases: [{ op: 'spin', duration: '50us' }] });

it('5.11 the environment of the process sets the number of queues', async () => {
  const overlaps = async (connections?: number): Promise<boolean> => {
    const { operations } = await simulateHostCode((cuda) => {
      if (connections !== undefined) cuda.setenv('CUDA_DEVICE_MAX_CONNECTIONS', connections);
      cuda.hostThread((host) => {
        const [a, b] = [new CudaStream('a'), new CudaStream('b')];
        for (const stream of [a, b]) host.cudaStreamCreateWithFlags(stream, 1);
        for (const stream of [a, a, b]) host.launch(k, 1, 64, 0, stream)();
      });
    }, H200);
    const [first, , other] = operations.filter(({ kind }) => kind === 'kernel');
    return (other?.start ?? Number.NaN) < (first?.end ?? Number.NaN);
  };
  expect([await overlaps(), await overlaps(1)]).toEqual([true, false]);
});

it('5.11 a thread that would set it before the context is made is told to set it for the process', async () => {
  const set = (before: boolean) =>
    simulateHostCode((cuda) => {
      cuda.hostThread((host) => {
        if (before) host.cudaSetDevice(0);
        host.setenv('CUDA_DEVICE_MAX_CONNECTIONS', 1);
      });
    }, H200);
  await expect(set(false)).rejects.toThrow(HostUseError);
  await expect(set(true)).resolves.toMatchObject({ errors: [] });
});

it('4.5, 4.6, 4.10, 5.20 graphs that were captured tell of their nodes and edges, and change them', async () => {
  await simulateHostCode((cuda) => {
    cuda.hostThread((host) => {
      const [s, g, x] = [new CudaStream('s'), new CudaGraph('g'), new CudaGraphExec('x')];
      const mode = { value: 2 as number | undefined };
      expect([host.cudaThreadExchangeStreamCaptureMode(mode), mode.value]).toEqual([0, 0]);
      host.cudaStreamCreate(s);
      host.cudaStreamBeginCapture(s, 0);
      for (let i = 0; i < 2; i++) host.launch(k, 1, 64, 0, s)();
      const [status, dependencies] = [out<number>(), out<number>()];
      expect(host.cudaStreamGetCaptureInfo(s, status, dependencies)).toBe(0);
      expect([status.value, dependencies.value]).toEqual([1, 1]);
      host.cudaStreamEndCapture(s, g);
      host.cudaGraphInstantiate(x, g);
      const [count, nodes, result] = [out<number>(), out<readonly CudaGraphNode[]>(), out<number>()];
      host.cudaGraphGetNodes(g, count, nodes);
      const [a, b] = nodes.value as [CudaGraphNode, CudaGraphNode];
      expect(host.cudaGraphNodeGetDependencies(b, count, false, nodes)).toBe(0);
      expect([count.value, nodes.value]).toEqual([1, [a]]);
      expect(host.cudaGraphRemoveDependencies(g, [a], [b])).toBe(0);
      expect(host.cudaGraphAddDependencies(g, [a, a], [b, a])).toBe(1);
      expect([host.cudaGraphGetEdges(g, count), count.value]).toEqual([0, 0]);
      expect(host.cudaGraphExecUpdate(x, g, result)).toBe(910);
      expect(result.value).toBe(cudaGraphExecUpdateErrorTopologyChanged);
    });
  }, H200);
});
