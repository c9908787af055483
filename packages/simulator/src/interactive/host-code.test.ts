import { machineByName } from '@griddep/machine';
import { hashTimeline } from '@griddep/timeline';
import { expect, it } from 'vitest';
import { programBuilder } from '@griddep/program';
import { simulate } from '../simulate.ts';
import {
  cudaEvent,
  cudaEventDisableTiming,
  cudaKernel,
  cudaMemcpyDeviceToHost,
  cudaMemcpyHostToDevice,
  cudaStream,
  out,
  simulateHostCode,
} from './index.ts';

const H200 = machineByName('h200');

it('one program as a file and as host code has one timeline', async () => {
  const p = programBuilder('host code');
  p.stream('a');
  p.stream('b');
  p.event('copied', { timing: false });
  p.event('done');
  p.buffer('h_in', { space: 'host', hostMemory: 'pinned', bytes: '4MiB' });
  p.buffer('d_in', { bytes: '4MiB' });
  p.kernel('compute', { grid: 200, block: 256, phases: [{ op: 'spin', duration: '20us' }] });
  const t = p.hostThread();
  t.memcpyAsync('hostToDevice', '4MiB', 'a', { source: 'h_in', destination: 'd_in' });
  t.eventRecord('copied', 'a');
  t.streamWaitEvent('b', 'copied');
  t.launchKernel('compute', 'b');
  t.eventRecord('done', 'b');
  t.eventSynchronize('done');
  t.memcpyAsync('deviceToHost', '4MiB', 'a', { source: 'd_in', destination: 'h_in' });
  const expected = simulate(p.build(), H200);

  const compute = cudaKernel('compute', { phases: [{ op: 'spin', duration: '20us' }], parameters: ['in'] });
  const codes: number[] = [];
  const timeline = await simulateHostCode(async (cuda) => {
    const hIn = cuda.pinnedMemory('h_in', '4MiB');
    const dIn = cuda.deviceMemory('d_in', '4MiB');
    await cuda.hostThread(async (host) => {
      const a = cudaStream('a');
      const b = cudaStream('b');
      const copied = cudaEvent('copied');
      const done = cudaEvent('done');
      host.cudaStreamCreate(a);
      host.cudaStreamCreate(b);
      host.cudaEventCreateWithFlags(copied, cudaEventDisableTiming);
      host.cudaEventCreate(done);
      codes.push(host.cudaMemcpyAsync(dIn, hIn, 4 << 20, cudaMemcpyHostToDevice, a));
      codes.push(host.cudaEventRecord(copied, a));
      codes.push(host.cudaStreamWaitEvent(b, copied, 0));
      codes.push(host.launch(compute, 200, 256, 0, b)(dIn));
      codes.push(host.cudaEventRecord(done, b));
      codes.push(await host.cudaEventSynchronize(done));
      codes.push(host.cudaMemcpyAsync(hIn, dIn, 4 << 20, cudaMemcpyDeviceToHost, a));
    });
  }, H200);
  expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(timeline.operations.map(({ origin }) => origin)).toEqual([]);
  expect(timeline).toEqual(expected);
  expect(hashTimeline(timeline)).toBe(hashTimeline(expected));
});

it('elapsed', async () => {
  const ms = out<number>();
  await simulateHostCode(async (cuda) => {
    await cuda.hostThread(async (host) => {
      const e = cudaEvent();
      host.cudaEventCreate(e);
      host.cudaEventRecord(e);
      await new Promise((resolve) => setTimeout(resolve, 1));
    });
  }, H200);
  expect(ms.value).toBe(3);
});
