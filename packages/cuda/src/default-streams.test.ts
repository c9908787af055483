import { describe, expect, test } from 'vitest';
import { after, play, RULES } from './runtime.fixture.ts';

describe('legacy default stream', () => {
  test('5.1 its work comes after all earlier work of blocking streams, and later work of those after it', () => {
    const played = play((host) => {
      for (const stream of ['a', 'a', 'b', 'legacy', 'a', 'b', 'a']) host.launchKernel('k', stream);
    });
    expect([0, 1, 2, 3, 4, 5, 6].map((i) => after(played, i))).toEqual([[], [], [], [1, 2], [3], [3], []]);
  });

  test('5.1 non-blocking streams take no part', () => {
    const played = play((host) => {
      for (const stream of ['n', 'legacy', 'n', 'legacy']) host.launchKernel('k', stream);
    });
    expect([0, 1, 2, 3].map((i) => after(played, i))).toEqual([[], [], [], []]);
  });

  test('5.1 one after another in it follow only what came between', () => {
    const played = play((host) => {
      for (const stream of ['a', 'legacy', 'legacy', 'b', 'legacy', 'a']) host.launchKernel('k', stream);
    });
    expect([1, 2, 3, 4, 5].map((i) => after(played, i))).toEqual([[0], [], [2], [3], [4]]);
  });

  test('5.1 copies, memsets, records, waits, host functions and graph launches order like kernels', () => {
    const played = play((host, program) => {
      program.graph('g', [{ id: 'x', call: { launchKernel: { kernel: 'k', stream: 'a' } } }]);
      host.graphInstantiate('g', 'x');
      host.launchKernel('k', 'a');
      host.memcpyAsync('deviceToDevice', 64, 'legacy');
      host.memsetAsync(64, 'a');
      host.eventRecord('e', 'legacy');
      host.launchHostFunc('a', '1us');
      host.streamWaitEvent('legacy', 'e');
      host.graphLaunch('x', 'a');
    });
    expect([2, 3, 4, 5, 6, 7].map((i) => after(played, i))).toEqual([[1], [2], [3], [4], [5], [6]]);
  });

  test('5.1 the order is called by its name', () => {
    const played = play((host) => {
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'legacy');
    });
    expect(played.issued[1]?.commands[0]?.command.after).toMatchObject([{ op: 0, cause: 'legacyStream' }]);
  });

  test('5.2 the per-thread default stream is another blocking one, of its thread alone', () => {
    const played = play((host, program) => {
      host.launchKernel('k', 'own');
      host.launchKernel('k', 'legacy');
      host.launchKernel('k', 'own');
      program.hostThread('second').launchKernel('k', 'own');
    });
    expect([1, 2, 3].map((i) => after(played, i))).toEqual([[0], [1], [1]]);
    const streams = played.issued.map((i) => i.commands[0]?.command.stream);
    expect(streams[0]).toBe(streams[2]);
    expect(streams[3]).not.toBe(streams[0]);
  });

  test('5.3 each device has its own', () => {
    const played = play((host, program) => {
      program.stream('farLegacy', { device: 1, kind: 'legacy' });
      host.launchKernel('k', 'a');
      host.memsetAsync(64, 'far');
      host.launchKernel('k', 'legacy');
      host.memsetAsync(64, 'farLegacy');
      host.launchKernel('k', 'a');
    });
    expect([2, 3, 4].map((i) => after(played, i))).toEqual([[0], [1], [2]]);
  });
});

describe('implicit synchronisation of a call in a stream', () => {
  const calls: Parameters<typeof play>[0] = (host) => {
    host.launchKernel('k', 'a');
    host.launchKernel('k', 'n');
    host.memsetAsync(64, 'a');
    host.launchKernel('k', 'a');
    host.launchKernel('k', 'n');
    host.memcpyAsync('deviceToDevice', 64, 'b');
    host.launchKernel('k', 'm');
    host.memsetAsync(64, 'far');
  };
  const orders = (played: ReturnType<typeof play>) => played.issued.map((_, call) => after(played, call));

  test('6.6 memsets and copies within a device order nothing beyond their stream, as an H200 was seen to do', () => {
    expect(orders(play(calls))).toEqual([[], [], [], [], [], [], [], []]);
  });

  test('6.6 by the documented list no work of different streams of the device overlaps across them', () => {
    const played = play(calls, RULES, undefined, 'listed');
    expect(orders(played)).toEqual([[], [], [1], [], [2], [3, 4], [5], []]);
    const twice = play(
      (host) => {
        host.memsetAsync(64, 'a');
        host.memcpyAsync('deviceToDevice', 64, 'b');
      },
      RULES,
      undefined,
      'listed',
    );
    expect(orders(twice)).toEqual([[], [0]]);
    expect(played.issued[2]?.commands[0]?.command.after).toMatchObject([{ cause: 'implicitSync' }]);
    expect(played.issued[2]?.block).toBeUndefined();
  });
});
