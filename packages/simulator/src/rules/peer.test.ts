import { type Machine, machineByName } from '@griddep/machine';
import { type HostThreadBuilder, load, type ProgramBuilder, programBuilder } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulateParallel } from '../parallel/simulate-parallel.ts';
import { simulate } from '../simulate.ts';
import { H200_X2, MIB, type Run, run, seen, takes } from './rules.fixture.ts';

type Make = (host: HostThreadBuilder, p: ProgramBuilder) => void;

/** Two devices with streams `s` and `t` on the first, `far` on the second, and kernels of 100 us. */
function pair(make: Make, machine: Machine = H200_X2): Run {
  return run((host, p) => {
    p.stream('far', { device: 1, kind: 'nonBlocking' });
    p.kernel('busy', takes(100));
    make(host, p);
  }, machine);
}

describe('copies between devices', () => {
  it('6.8 the blocking form runs after all work of both devices, and holds the host; the asynchronous form neither', () => {
    const copy = (blocking: boolean) =>
      pair((host) => {
        host.launchKernel('busy', 't', undefined, { label: 'here' });
        host.setDevice(1);
        host.launchKernel('busy', 'far', undefined, { label: 'there' });
        host.setDevice(0);
        if (blocking) host.memcpyPeer(1, 0, MIB, { stream: 's', label: 'copy' });
        else host.memcpyPeerAsync(1, 0, MIB, 's', { label: 'copy' });
        host.launchKernel('busy', 't', undefined, { label: 'next' });
      });
    const [sync, async] = [copy(true), copy(false)];
    for (const id of ['here', 'there']) {
      expect(sync.at('copy', 'start')).toBeGreaterThan(sync.at(id, 'completion'));
      expect(async.at('copy', 'start')).toBeLessThan(async.at(id, 'end'));
    }
    expect(sync.waits('copy').some((w) => w.startsWith('implicitSync'))).toBe(true);
    expect(sync.at('copy', 'callEnd')).toBeGreaterThan(sync.at('copy', 'end'));
    expect(async.at('copy', 'callEnd')).toBeLessThan(async.at('here', 'end'));
  });

  it('6.13 in a capturing stream the copy is refused (900), and the capture is lost (901)', () => {
    const { codes } = pair((host) => {
      host.streamBeginCapture('s');
      host.memcpyPeerAsync(1, 0, MIB, 's');
      host.streamEndCapture('s', 'g');
    });
    expect(codes).toEqual([900, 901]);
  });

  it('[peer-triton-server-824] 6.9 without access: a download and an upload, slower, until access is enabled', () => {
    const copy = (access: boolean) =>
      pair((host) => {
        if (access) host.deviceEnablePeerAccess(1);
        host.memcpyPeerAsync(1, 0, 64 * MIB, 's', { label: 'copy' });
      });
    const [staged, direct] = [copy(false), copy(true)];
    const [down, up] = [staged.of('copy/deviceToHost'), staged.of('copy/hostToDevice')];
    expect([down.device, down.unit, up.device, up.unit]).toEqual([0, 'copy engine down', 1, 'copy engine up']);
    const time = ({ at }: Run) => at('copy', 'end') - at('copy', 'start');
    expect(time(staged)).toBeGreaterThan(5 * time(direct));
    expect(direct.timeline.operations.map(({ id }) => id)).not.toContain('copy/deviceToHost');
  });

  it('[peer-cudajl-3112] a copy into stream-ordered memory of the other device succeeds, whoever has access to its pool', () => {
    const { codes, at } = pair((host, p) => {
      p.buffer('pooled', { bytes: MIB, device: 1 });
      p.event('ready', { device: 1, timing: false });
      host.setDevice(1);
      host.mallocAsync('pooled', 'far', { label: 'allocation' });
      host.eventRecord('ready', 'far');
      host.setDevice(0);
      host.deviceEnablePeerAccess(1);
      host.streamWaitEvent('s', 'ready');
      host.memcpyPeerAsync(1, 0, MIB, 's', { destination: 'pooled', label: 'copy' });
      host.streamSynchronize('s');
    });
    expect(codes).toEqual([]);
    expect(at('copy', 'start')).toBeGreaterThan(at('allocation', 'completion'));
  });
});

describe('access to the memory of another device', () => {
  /** A kernel of device 0 loads from memory of device 1, and then the host goes on. */
  const touching =
    (access: Make): Make =>
    (host, p) => {
      p.buffer('there', { bytes: MIB, device: 1 });
      p.kernel('touches', { grid: 1, block: 32, phases: [load(1024, 'there')] });
      access(host, p);
      host.launchKernel('touches', 's', undefined, { label: 'kernel' });
      host.streamSynchronize('s', { label: 'sync' });
      host.memcpyAsync('deviceToHost', 64, 's', { hostMemory: 'pinned', label: 'copy' });
      host.setDevice(1, { label: 'device' });
      host.launchKernel('busy', 'far', undefined, { label: 'elsewhere' });
    };

  it('6.10 a kernel without access leaves error 700, which every later call returns, on all devices', () => {
    const { codes, timeline, of } = pair(touching(() => {}));
    expect(codes).toEqual([700, 700, 700, 700]);
    expect(timeline.errors.map(({ operation }) => timeline.operations[operation]?.id)).toEqual([
      'sync',
      'copy',
      'device',
      'elsewhere',
    ]);
    expect(of('elsewhere').kind).toBe('hostCall');
  });

  it('6.10 access is where the topology allows it, per direction', () => {
    const enabled = touching((host) => host.deviceEnablePeerAccess(1));
    expect(pair(enabled).codes).toEqual([]);
    const consumer = machineByName('rtx4090x2');
    expect(pair(enabled, consumer).codes).toEqual([217, 700, 700, 700, 700]);
    const other = touching((host) => {
      host.setDevice(1);
      host.deviceEnablePeerAccess(0);
      host.setDevice(0);
    });
    expect(pair(other).codes).toEqual([700, 700, 700, 700]);
  });

  it('6.10 enabling twice is 704, disabling what is not enabled 705', () => {
    const { codes } = pair((host) => {
      host.deviceDisablePeerAccess(1);
      host.deviceEnablePeerAccess(1);
      host.deviceEnablePeerAccess(1);
    });
    expect(codes).toEqual([705, 704]);
  });

  it('6.10 errors are the same from threads', async () => {
    const program = programBuilder('rules');
    for (const name of ['s', 't']) program.stream(name, { kind: 'nonBlocking' });
    program.stream('far', { device: 1, kind: 'nonBlocking' });
    program.kernel('busy', takes(100));
    // The other thread has a device of its own, and loses the context all the same.
    const other = program.hostThread('other', { device: 1 });
    other.hostCompute('500us');
    other.launchKernel('busy', 'far', undefined, { label: 'after' });
    touching(() => {})(program.hostThread('main'), program);
    const built = program.build();
    const { timeline } = await simulateParallel(built, H200_X2, { workers: 'per-device' });
    const { codes } = seen(timeline);
    expect(codes).toEqual([700, 700, 700, 700, 700]);
    expect(timeline.operations).toEqual(simulate(built, H200_X2).operations);
  });
});
