import { describe, expect, test } from 'vitest';
import { command, HOST, play } from './runtime.fixture.ts';

const LARGE = 64 << 20;

describe('copies that keep the host waiting', () => {
  const blocks = (calls: Parameters<typeof play>[0]) => play(calls).issued.map((i) => i.block !== undefined);

  test('6.1 blocking uploads do, pageable and pinned', () => {
    expect(
      blocks((host) => {
        host.memcpy('hostToDevice', LARGE, { stream: 'a', hostMemory: 'pageable' });
        host.memcpy('hostToDevice', LARGE, { stream: 'a', hostMemory: 'pinned' });
      }),
    ).toEqual([true, true]);
  });

  test('6.1 one of at most 64 KiB from pageable memory returns when it is staged, after the earlier work of its stream', () => {
    const { issued, runtime } = play((host) => {
      host.memcpy('hostToDevice', 64, { stream: 'b', hostMemory: 'pageable' });
      host.launchKernel('k', 'a');
      host.memcpy('hostToDevice', HOST.pageableAsync, { stream: 'a', hostMemory: 'pageable' });
      host.memcpy('hostToDevice', HOST.pageableAsync + 1, { stream: 'a', hostMemory: 'pageable' });
      host.memcpy('hostToDevice', 64, { stream: 'a', hostMemory: 'pinned' });
    });
    const { index } = runtime.stream(0, 'a');
    expect(issued.map(({ block }) => block)).toEqual([
      { on: 'streams', until: [], cause: 'staging' },
      undefined,
      { on: 'streams', until: [[index, 1]], cause: 'staging' },
      { on: 'streams', until: [[index, 3]], cause: 'staging' },
      { on: 'streams', until: [[index, 4]] },
    ]);
  });

  test('6.2 blocking downloads do, and wait for their own end', () => {
    const { issued, runtime } = play((host) => {
      host.launchKernel('k', 'a');
      host.memcpy('deviceToHost', 64, { stream: 'a', hostMemory: 'pinned' });
      host.memcpy('deviceToHost', 64, { stream: 'a', hostMemory: 'pageable' });
    });
    const { index } = runtime.stream(0, 'a');
    expect(issued.slice(1).map((i) => i.block)).toEqual([
      { on: 'streams', until: [[index, 1]] },
      { on: 'streams', until: [[index, 2]], cause: 'staging' },
    ]);
  });

  test('6.3 a blocking copy within a device does not; one from host to host is synchronous and no work of a device', () => {
    const { issued, runtime } = play((host) => {
      host.memcpy('deviceToDevice', LARGE, { stream: 'a' });
      host.memcpy('hostToHost', 1 << 20, { stream: 'a' });
    });
    expect(issued[0]?.block).toBeUndefined();
    expect(issued[1]).toMatchObject({ commands: [], block: { until: [[runtime.stream(0, 'a').index, 0]] } });
    expect(issued[1]).toMatchObject({ cost: 0, afterwards: Math.round(((1 << 20) / HOST.pageableUp) * 1e12) });
  });

  test('6.4 asynchronous ones do not with pinned memory; with pageable memory small uploads alone do not', () => {
    expect(
      blocks((host) => {
        host.memcpyAsync('hostToDevice', LARGE, 'a', { hostMemory: 'pinned' });
        host.memcpyAsync('deviceToHost', LARGE, 'a', { hostMemory: 'pinned' });
        host.memcpyAsync('hostToDevice', HOST.pageableAsync, 'a', { hostMemory: 'pageable' });
        host.memcpyAsync('hostToDevice', HOST.pageableAsync + 1, 'a', { hostMemory: 'pageable' });
        host.memcpyAsync('deviceToHost', 64, 'a', { hostMemory: 'pageable' });
      }),
    ).toEqual([false, false, false, true, true]);
  });

  test('6.4 pageable memory is staged, pinned memory and copies within a device are not', () => {
    const played = play((host) => {
      host.memcpyAsync('hostToDevice', 64, 'a', { hostMemory: 'pageable' });
      host.memcpyAsync('deviceToHost', 64, 'a', { hostMemory: 'pageable' });
      host.memcpyAsync('hostToDevice', 64, 'a', { hostMemory: 'pinned' });
      host.memcpyAsync('deviceToDevice', 64, 'a', { hostMemory: 'pageable' });
    });
    const rates = [0, 1, 2, 3].map((i) => command(played, i, 'copy').stagingRate);
    expect(rates).toEqual([HOST.pageableUp, HOST.pageableDown, 0, 0]);
  });

  test('6.5 a memset does not, except of pinned host memory', () => {
    expect(
      blocks((host, program) => {
        program.buffer('device', { bytes: 4096 });
        program.buffer('pinned', { bytes: 4096, space: 'host', hostMemory: 'pinned' });
        host.memset(64, { stream: 'a' });
        host.memset(64, { stream: 'a', destination: 'device' });
        host.memset(64, { stream: 'a', destination: 'pinned' });
        host.memsetAsync(64, 'a', { destination: 'pinned' });
      }),
    ).toEqual([false, false, true, false]);
  });

  test('6.8 the blocking form of a peer copy does, the asynchronous one does not', () => {
    const played = play((host) => {
      host.memcpyPeer(1, 0, LARGE, { stream: 'a' });
      host.memcpyPeerAsync(1, 0, LARGE, 'a');
    });
    expect(played.issued.map((i) => i.block !== undefined)).toEqual([true, false]);
    expect(command(played, 1, 'copy')).toMatchObject({ copy: 'peer', sourceDevice: 0, destinationDevice: 1 });
  });

  test('a peer copy costs by the side whose stream it is in, per-thread default streams included', () => {
    const { issued } = play((host) => {
      host.deviceEnablePeerAccess(1);
      host.memcpyPeerAsync(1, 0, 64, 'a');
      host.memcpyPeerAsync(0, 1, 64, 'a');
      host.memcpyPeerAsync(1, 0, 64, 'own');
      host.memcpyPeerAsync(0, 0, 64, 'own');
    });
    const costs = [HOST.memcpyPeerWrite, HOST.memcpyPeerRead, HOST.memcpyPeerWrite, HOST.memcpyWithin];
    expect(issued.slice(1).map((i) => i.cost)).toEqual(costs);
  });
});

test('a copy or memset of nothing is a call that costs its time and no work', () => {
  const { issued, codes, runtime } = play((host, program) => {
    const nothing = { memsetAsync: { bytes: 0, stream: 'a' } };
    program.graph('g', [{ id: 'n', call: nothing }]);
    host.memcpyAsync('hostToDevice', 0, 'a', { hostMemory: 'pinned' });
    host.memcpy('deviceToHost', 0, { stream: 'a' });
    host.memsetAsync(0, 'a');
    host.streamBeginCapture('b');
    host.memcpyAsync('deviceToDevice', 0, 'b');
    host.streamEndCapture('b', 'captured');
    host.graphInstantiate('g', 'x');
  });
  expect(codes).toEqual(codes.map(() => 0));
  expect(issued.slice(0, 3).map(({ cost, commands, block }) => [cost, commands, block])).toEqual([
    [HOST.memcpyUp, [], undefined],
    [HOST.memcpyDown, [], undefined],
    [HOST.memset, [], undefined],
  ]);
  expect(runtime.stream(0, 'a').last).toBe(-1);
});
