import { A100, H100 } from '@griddep/machine';
import { describe, expect, test } from 'vitest';
import { deviceRules } from './launch-rules.ts';
import { command, HOST, play, type RULES } from './runtime.fixture.ts';

const SMS = H100.limits.sms;

describe('launches', () => {
  test('5.9 into a stream of another device than the current one fails (400); copies into it do not', () => {
    const { codes } = play((host) => {
      host.launchKernel('k', 'far');
      host.memcpyAsync('hostToDevice', 64, 'far', { hostMemory: 'pinned' });
      host.memsetAsync(64, 'far');
      host.setDevice(1);
      host.launchKernel('k', 'far');
      host.launchKernel('k', 'a');
    });
    expect(codes).toEqual([400, 0, 0, 0, 0, 400]);
  });

  test('a device that is not there cannot be made current (101)', () => {
    const { codes } = play((host) => {
      host.setDevice(2);
      host.launchKernel('k', 'a');
    });
    expect(codes).toEqual([101, 0]);
  });

  test('5.10 priorities are clamped silently to the range of the device, of streams and of launches', () => {
    const { priorityHighest, priorityLowest } = H100.limits;
    const played = play((host, program) => {
      program.stream('high', { priority: -1000 });
      program.stream('low', { priority: 1000 });
      host.launchKernel('k', 'high');
      host.launchKernel('k', 'low');
      host.launchKernel('k', 'a', { priority: -1000 });
      host.launchKernel('k', 'a', { priority: 1000 });
      host.launchKernel('k', 'a');
    });
    const priorities = [0, 1, 2, 3, 4].map((i) => command(played, i, 'kernel').priority);
    expect(priorities).toEqual([priorityHighest, priorityLowest, priorityHighest, priorityLowest, 0]);
    expect(played.codes).toEqual([0, 0, 0, 0, 0]);
  });

  test('5.14 a cooperative grid must be resident at once, or the launch fails (720)', () => {
    const { codes } = play((host, program) => {
      for (const [name, grid] of [
        ['fits', 2 * SMS],
        ['large', 2 * SMS + 1],
      ] as const) {
        program.kernel(name, { grid, block: 1024, phases: [{ op: 'spin', duration: '1us' }] });
        host.launchKernel(name, 'a', { cooperative: true });
        host.launchKernel(name, 'a');
      }
    });
    expect(codes).toEqual([0, 0, 720, 0]);
  });

  test('a launch that cannot run is an error and no command, and later work does not wait for it', () => {
    const { codes, issued, runtime } = play((host, program) => {
      const phases = [{ op: 'spin', duration: '1us' }] as const;
      program.kernel('wide', { grid: 1, block: 1024, registersPerThread: 255, phases });
      host.launchKernel('wide', 'a');
      host.streamSynchronize('a');
    });
    expect(codes).toEqual([701, 0]);
    expect(issued[0]?.commands).toEqual([]);
    expect(issued[1]?.block).toEqual({ on: 'streams', until: [] });
    expect(runtime.stream(0, 'a').last).toBe(-1);
  });

  test('7.2 more static shared memory than a device gives without asking is an invalid value (1)', () => {
    const { codes } = play((host, program) => {
      for (const staticSharedMemory of [48 * 1024, 48 * 1024 + 1]) {
        program.kernel(`k${staticSharedMemory}`, { grid: 1, block: 32, staticSharedMemory, phases: [] });
        host.launchKernel(`k${staticSharedMemory}`, 'a');
      }
    });
    expect(codes).toEqual([0, 1]);
  });

  test('7.7 a grid is whole clusters of at most the opted-in size, of the kernel or the launch (912)', () => {
    const played = play((host, program) => {
      const phases = [{ op: 'spin', duration: '1us' }] as const;
      program.kernel('plain', { grid: [32, 3], block: 64, phases });
      program.kernel('clustered', { grid: [32, 3], block: 64, cluster: 5, phases });
      host.launchKernel('plain', 'a', { clusterDimension: [4, 3] });
      host.launchKernel('plain', 'a', { clusterDimension: [2, 2] });
      host.launchKernel('plain', 'a', { clusterDimension: 16 });
      host.launchKernel('plain', 'a', { clusterDimension: [16, 3] });
      host.launchKernel('clustered', 'a');
      host.launchKernel('clustered', 'a', { clusterDimension: 8 });
    });
    expect(played.codes).toEqual([0, 912, 0, 912, 912, 0]);
    expect(command(played, 0, 'kernel').cluster).toEqual([4, 3, 1]);
    expect(played.issued[3]?.error?.message).toBe(
      'kernel "plain": a cluster of 48 blocks, at most 16; above 8 a kernel counts as opted in to sizes that are not portable',
    );
    expect(played.issued[4]?.error?.message).toContain('a grid of 32 x 3 x 1 blocks is no whole number of clusters');
  });

  test('1.1, 7.10 the PDL attribute is ignored below compute capability 9.0 and below CUDA 12.0', () => {
    const pdl = (rules: typeof RULES) => {
      const played = play((host) => host.launchKernel('k', 'a', { programmaticStreamSerialization: true }), rules);
      expect(played.codes).toEqual([0]);
      return command(played, 0, 'kernel').programmatic;
    };
    expect(pdl([deviceRules(H100, 12000)])).toBe(true);
    expect(pdl([deviceRules(H100, 11080)])).toBe(false);
    expect(pdl([deviceRules(A100, 12030)])).toBe(false);
  });

  test('1.1 the attribute is on the secondary alone', () => {
    const played = play((host) => {
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'a', { programmaticStreamSerialization: true });
      host.launchKernel('k', 'a');
    });
    expect([0, 1, 2].map((i) => command(played, i, 'kernel').programmatic)).toEqual([false, true, false]);
    expect(played.issued.map((i) => i.cost)).toEqual([
      HOST.launchKernel,
      HOST.launchKernelProgrammatic,
      HOST.launchKernel,
    ]);
  });

  test('launches cost more once a thread has used several devices', () => {
    const { issued } = play((host) => {
      host.launchKernel('k', 'a');
      host.memsetAsync(64, 'far');
      host.launchKernel('k', 'a');
    });
    expect(issued.map((i) => i.cost)).toEqual([
      HOST.launchKernel,
      HOST.memset,
      HOST.launchKernel + HOST.severalDevices,
    ]);
  });
});
