import { H100, type Machine, machineByName, type Topology } from '@griddep/machine';
import type { HostThreadBuilder, ProgramBuilder } from '@griddep/program';
import { describe, expect, test } from 'vitest';
import { machineRules } from './launch-rules.ts';
import { command, HOST, play } from './runtime.fixture.ts';

type Calls = (host: HostThreadBuilder, program: ProgramBuilder) => void;

describe('peer access', () => {
  test('6.10 peer access is per direction, enabled once (704), disabled where enabled (705), and of other devices (101)', () => {
    const { codes, issued } = play((host) => {
      host.deviceDisablePeerAccess(1);
      host.deviceEnablePeerAccess(1);
      host.deviceEnablePeerAccess(1);
      host.deviceEnablePeerAccess(0);
      host.deviceEnablePeerAccess(2);
      host.deviceDisablePeerAccess(2);
      host.setDevice(1);
      host.deviceDisablePeerAccess(0);
      host.deviceEnablePeerAccess(0);
      host.setDevice(0);
      host.deviceDisablePeerAccess(1);
      host.deviceEnablePeerAccess(1);
    });
    expect(codes).toEqual([705, 0, 704, 101, 101, 101, 0, 705, 0, 0, 0, 0]);
    expect(issued[1]?.cost).toBe(HOST.peerAccess);
    expect(issued[2]?.error?.message).toBe('access from device 0 to device 1 is enabled already (rule 6.10)');
  });

  const of = (count: number, topology: Topology) => {
    const base = machineByName('h100');
    const machine: Machine = { ...base, devices: new Array(count).fill(H100), topology };
    return machineRules(machine);
  };

  test('6.10 where the topology gives none it is unsupported (217), and copies stay staged', () => {
    const calls: Calls = (host) => {
      host.deviceEnablePeerAccess(1);
      host.memcpyPeerAsync(1, 0, 64, 'a');
    };
    const consumer = play(calls, machineRules(machineByName('rtx4090x2')));
    expect(consumer.codes).toEqual([217, 0]);
    expect(command(consumer, 1, 'copy').staging).toBeDefined();
    const server = play(calls, of(2, { kind: 'pcie' }));
    expect(server.codes).toEqual([0, 0]);
    expect(command(server, 1, 'copy').staging).toBeUndefined();
  });

  test('6.10 a device has eight peers at a time without a switch (711)', () => {
    const { codes } = play(
      (host) => {
        for (let peer = 1; peer <= 9; peer++) host.deviceEnablePeerAccess(peer);
        host.deviceDisablePeerAccess(1);
        host.deviceEnablePeerAccess(9);
      },
      of(10, { kind: 'pcie' }),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 711, 0, 0]);
  });
});

describe('kernels that touch memory of another device', () => {
  /** Kernel `reads` loads from its parameter `x`, by default `here`; `there` is of device 1, `pinned` of the host. */
  const run = (calls: Calls, isComplete: (stream: number, op: number) => boolean = () => true) =>
    play(
      (host, program) => {
        program.buffer('here', { bytes: 4096 });
        program.buffer('there', { bytes: 4096, device: 1 });
        program.buffer('pinned', { bytes: 4096, space: 'host', hostMemory: 'pinned' });
        program.kernel('reads', {
          grid: 1,
          block: 32,
          parameters: [{ name: 'x', buffer: 'here' }],
          phases: [{ op: 'load', bytes: 64, range: '$x' }],
        });
        program.kernel('declares', {
          grid: 1,
          block: 32,
          phases: [{ op: 'spin', duration: '1us' }],
          accesses: [{ range: 'there', mode: 'write', phase: 0 }],
        });
        calls(host, program);
      },
      undefined,
      isComplete,
    );
  const far = (host: HostThreadBuilder) => host.launchKernel('reads', 'a', undefined, { args: { x: 'there' } });

  test('6.10 fail without access: the launch succeeds, the first call that can know returns 700, and all others do', () => {
    const { codes, issued } = run((host) => {
      far(host);
      host.hostCompute('1us');
      host.memsetAsync(64, 'b');
      host.setDevice(1);
      host.launchKernel('k', 'far');
    });
    expect(codes).toEqual([0, 0, 700, 700, 700]);
    expect(issued[2]?.commands).toEqual([]);
    expect(issued[2]?.error?.message).toBe(
      'kernel "reads" on device 0 touches memory of device 1, to which no access is enabled (rule 6.10)',
    );
  });

  test('6.10 until the kernel has failed, calls succeed but for those that wait for it', () => {
    const { codes, issued, runtime } = run(
      (host) => {
        host.launchKernel('declares', 'a');
        host.launchKernel('k', 'a');
        host.streamSynchronize('b');
        host.eventRecord('e', 'a');
        host.eventSynchronize('e');
        host.memcpy('deviceToHost', 64, { stream: 'a' });
      },
      () => false,
    );
    expect(codes).toEqual([0, 0, 0, 0, 700, 700]);
    expect(issued[4]?.block).toMatchObject({ until: [[runtime.stream(0, 'a').index, 3]] });
  });

  test('6.10 nothing fails with access in the direction of the kernel, nor by memory of its own device or of the host', () => {
    const { codes } = run((host) => {
      host.launchKernel('reads', 'a');
      host.launchKernel('reads', 'a', undefined, { args: { x: 'pinned' } });
      host.deviceEnablePeerAccess(1);
      far(host);
      host.deviceDisablePeerAccess(1);
      host.setDevice(1);
      host.launchKernel('declares', 'far');
      host.deviceEnablePeerAccess(0);
      host.launchKernel('reads', 'far');
      host.setDevice(0);
      host.streamSynchronize('a');
    });
    expect(codes).toEqual(codes.map(() => 0));
  });

  test('6.10 access of the other device to this one does not help', () => {
    const { codes } = run((host) => {
      host.setDevice(1);
      host.deviceEnablePeerAccess(0);
      host.setDevice(0);
      far(host);
      host.streamSynchronize('a');
    });
    expect(codes).toEqual([0, 0, 0, 0, 700]);
  });

  test('6.10 a kernel in a graph fails when the graph is launched, not when it is captured or instantiated', () => {
    const { codes } = run((host) => {
      host.streamBeginCapture('a');
      far(host);
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'x');
      host.streamSynchronize('a');
      host.graphLaunch('x', 'a');
      host.streamSynchronize('a');
    });
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 700]);
  });
});
