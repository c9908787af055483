import { DEVICE_TIMING, HOST_TIMING, machineByName } from '@griddep/machine';
import {
  await_,
  fence,
  fma,
  gridBarrier,
  type HostThreadBuilder,
  load,
  type ProgramBuilder,
  programBuilder,
  ramp,
  signal,
  spin,
  store,
  trigger,
  wait,
} from '@griddep/program';
import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const MIB = 2 ** 20;

function declare(p: ProgramBuilder): void {
  p.buffer('data', { bytes: 64 * MIB });
  p.buffer('pool', { bytes: 64 * MIB });
  p.buffer('more', { bytes: 64 * MIB });
  p.buffer('own', { bytes: MIB });
  p.buffer('pinned', { bytes: MIB, space: 'host' });
  for (let i = 0; i < 6; i++) p.stream(`s${i}`, { kind: 'nonBlocking' });
  p.stream('other', { device: 1, kind: 'nonBlocking' });
  p.event('timed', { timing: true });
  p.event('later', { timing: true });
  p.event('plain', { timing: false });
  p.event('started', { timing: false });
  p.event('far', { device: 1, timing: false });
  const l2 = { buffer: 'data', bytes: 4096, blockStride: 4096 };
  p.kernel('plain', { grid: 1056, block: 256, phases: [spin('2us'), load(4096, l2), store(4096), fma(500)] });
  p.kernel('again', { grid: 1056, block: 256, phases: [load(4096, l2), { op: 'blockBarrier' }, ramp('100ns', 3)] });
  p.kernel('early', { grid: 132, block: 512, phases: [trigger(), wait(), spin('3us'), { op: 'fence' }] });
  p.kernel('meeting', {
    grid: 2,
    block: 64,
    phases: [gridBarrier(), fence('system'), signal('raised', 1), await_('raised', 1)],
  });
  p.kernel('stamped', {
    grid: 264,
    block: 512,
    instrumented: true,
    phases: [trigger(), spin('1us'), wait(), load(16384), fma(1000)],
  });
}

/** Every kind of work and call that one device takes, in streams. */
function eager(host: HostThreadBuilder): void {
  const pdl = { programmaticStreamSerialization: true };
  host.malloc('own');
  host.free('own');
  host.mallocHost('pinned');
  host.mallocAsync('pool', 's0');
  host.mallocAsync('more', 's0');
  host.freeAsync('pool', 's0');
  for (let i = 0; i < 6; i++) host.launchKernel('plain', `s${i}`);
  for (let i = 0; i < 6; i++) host.launchKernel('again', `s${i}`);
  host.launchKernel('meeting', 's0', { cooperative: true });
  host.launchKernel('stamped', 's1');
  host.launchKernel('early', 's1', pdl);
  host.launchKernel('stamped', 's1', pdl);
  host.launchKernel('plain', 's1', pdl);
  host.launchKernel('early', 's1', { launchCompletionEvent: { event: 'started' } });
  host.streamWaitEvent('s2', 'started');
  host.launchKernel('again', 's2');
  host.eventRecord('plain', 's2');
  host.streamWaitEvent('s3', 'plain');
  host.eventRecord('timed', 's3');
  host.memcpyAsync('hostToDevice', 16, 's3');
  host.memcpyAsync('hostToDevice', MIB, 's3');
  host.memcpyAsync('deviceToHost', MIB, 's4');
  host.memcpyAsync('hostToDevice', MIB, 's5', { hostMemory: 'pageable' });
  host.memcpyAsync('deviceToHost', MIB, 's5', { hostMemory: 'pageable' });
  host.memcpyAsync('deviceToDevice', MIB, 's3');
  host.memcpyAsync('deviceToDevice', 64 * MIB, 's3');
  host.memsetAsync(MIB, 's3');
  host.launchHostFunc('s3', '1us');
  host.eventRecord('later', 's3');
  host.deviceSynchronize();
  host.memcpyAsync('hostToDevice', 64 * MIB, 's3', { hostMemory: 'pinned' });
  host.memcpyAsync('deviceToHost', 64 * MIB, 's4', { hostMemory: 'pinned' });
  host.streamWaitEvent('s3', 'plain');
  host.eventElapsedTime('timed', 'later');
  host.setDevice(1);
  host.launchKernel('early', 'other');
  host.memcpyPeerAsync(0, 1, 4 * MIB, 'other');
  host.deviceEnablePeerAccess(0);
  host.memcpyPeerAsync(0, 1, MIB, 'other');
  host.launchKernel('plain', 'other');
  host.eventRecord('far', 'other');
  host.memcpyPeerAsync(1, 0, MIB, 'other');
  host.collective('allReduce', 'both', MIB, 'other');
  host.setDevice(0);
  host.streamWaitEvent('s0', 'far');
  host.launchKernel('plain', 's0');
  host.collective('allReduce', 'both', MIB, 's0');
}

/** The same in a graph that is captured and replayed. */
function captured(host: HostThreadBuilder): void {
  host.streamBeginCapture('s0');
  host.launchKernel('early', 's0');
  host.launchKernel('early', 's0', {
    programmaticStreamSerialization: true,
    launchCompletionEvent: { event: 'started' },
  });
  host.streamWaitEvent('s1', 'started');
  host.launchKernel('early', 's1');
  host.memsetAsync(MIB, 's1');
  host.eventRecord('plain', 's1');
  host.streamWaitEvent('s0', 'plain');
  host.launchKernel('stamped', 's0');
  host.streamEndCapture('s0', 'graph');
  host.graphInstantiate('graph', 'executable');
  host.graphUpload('executable', 's0');
  host.graphLaunch('executable', 's0');
  host.deviceSynchronize();
}

it('every timing constant decides something', () => {
  const p = programBuilder('constants');
  declare(p);
  const host = p.hostThread('main');
  eager(host);
  captured(host);
  const { basis, stuck, errors } = simulate(p.build(), machineByName('h200x2'));
  expect({ stuck, errors }).toEqual({ stuck: [], errors: [] });
  const read = new Set(basis.map((entry) => entry.constant));
  const all = [
    ...Object.keys(DEVICE_TIMING).map((name) => `h200.${name}`),
    ...Object.keys(HOST_TIMING).map((name) => `host.${name}`),
  ];
  expect(all.filter((name) => !read.has(name))).toEqual([]);
});
