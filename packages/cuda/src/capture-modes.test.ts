import { H100 } from '@griddep/machine';
import type { HostThreadBuilder } from '@griddep/program';
import { describe, expect, test } from 'vitest';
import { deviceRules } from './launch-rules.ts';
import { command, play } from './runtime.fixture.ts';

type Mode = 'global' | 'threadLocal' | 'relaxed';
const PDL = { programmaticStreamSerialization: true };

describe('the mode of a thread', () => {
  /** What an allocation returns, in the capturing thread or another, which has taken a mode of its own. */
  const allocated = (capture: Mode, own: Mode, thread: 'same' | 'other') =>
    play((host, program) => {
      program.buffer('x', { bytes: 64 });
      host.streamBeginCapture('a', capture);
      const caller = thread === 'same' ? host : program.hostThread('other');
      caller.threadExchangeStreamCaptureMode(own);
      caller.malloc('x');
    }).codes.at(-1);

  test('5.20 relaxed, its unsafe calls are allowed whatever captures', () => {
    for (const capture of ['global', 'threadLocal', 'relaxed'] as const) {
      for (const thread of ['same', 'other'] as const) expect(allocated(capture, 'relaxed', thread)).toBe(0);
    }
  });

  test('5.20 thread-local, captures of other threads do not matter, its own do', () => {
    expect([allocated('global', 'threadLocal', 'other'), allocated('global', 'threadLocal', 'same')]).toEqual([0, 900]);
  });

  test('5.20 it is global from the start, and returns to what it is set to', () => {
    expect(
      play((host, program) => {
        program.buffer('x', { bytes: 64 });
        program.buffer('y', { bytes: 64 });
        host.threadExchangeStreamCaptureMode('relaxed');
        host.streamBeginCapture('a');
        host.malloc('x');
        host.threadExchangeStreamCaptureMode('global');
        host.malloc('y');
        host.streamEndCapture('a', 'g');
      }).codes,
    ).toEqual([0, 0, 0, 0, 900, 901]);
  });
});

describe('events of a capture and others', () => {
  test('5.23 with the external flag, waits and records are nodes for events outside', () => {
    const played = play((host) => {
      host.eventRecord('e', 'b');
      host.streamBeginCapture('a');
      host.streamWaitEvent('a', 'e', { external: true });
      host.launchKernel('k', 'a');
      host.eventRecord('f', 'a', { external: true });
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
      host.streamWaitEvent('b', 'f');
    });
    expect(played.codes.every((code) => code === 0)).toBe(true);
    const { op, graph } = command(played, 7, 'graph');
    expect(graph.nodes.map(({ work }) => work.type)).toEqual(['wait', 'kernel', 'record']);
    expect(graph.nodes[0]?.work).toMatchObject({ on: { op: 0 } });
    expect(command(played, 8, 'wait').on?.op).toBe(op + 3);
  });

  test('5.4, 5.23 each launch of such a graph waits for the newest record at that time', () => {
    const played = play((host) => {
      host.streamBeginCapture('a');
      host.streamWaitEvent('a', 'e', { external: true });
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
      host.eventRecord('e', 'b', { label: 'record' });
      host.graphLaunch('x', 'a');
    });
    const awaited = [4, 6].map((call) => command(played, call, 'graph').graph.nodes[0]?.work);
    expect(awaited[0]).toMatchObject({ on: undefined });
    expect(awaited[1]).toMatchObject({ on: { op: played.issued[5]?.op } });
  });

  test('5.23 the external flag is for captures (1)', () => {
    const { codes } = play((host) => {
      host.eventRecord('e', 'a', { external: true });
      host.streamWaitEvent('a', 'e', { external: true });
    });
    expect(codes).toEqual([1, 1]);
  });

  test('5.21 elapsed time between captured events is refused (907)', () => {
    const { codes } = play((host) => {
      host.eventRecord('e', 'b');
      host.streamBeginCapture('a', 'relaxed');
      host.eventRecord('f', 'a');
      host.eventElapsedTime('e', 'f');
      host.streamEndCapture('a', 'g');
    });
    expect(codes).toEqual([0, 0, 0, 907, 901]);
  });
});

describe('a call in the legacy stream while a stream captures', () => {
  const calls: readonly [string, (host: HostThreadBuilder) => void][] = [
    ['a launch', (host) => host.launchKernel('k', 'legacy')],
    ['a blocking copy', (host) => host.memcpy('hostToDevice', 64, { stream: 'legacy' })],
    ['an asynchronous copy', (host) => host.memcpyAsync('hostToDevice', 64, 'legacy', { hostMemory: 'pinned' })],
    ['a memset', (host) => host.memset(64, { stream: 'legacy' })],
    ['a record', (host) => host.eventRecord('f', 'legacy')],
    ['a wait', (host) => host.streamWaitEvent('legacy', 'f')],
    ['a host function', (host) => host.launchHostFunc('legacy', '1us')],
    ['synchronising it', (host) => host.streamSynchronize('legacy')],
  ];

  test.each(calls)('5.22 %s: 906 and the end of a blocking capture; beside a non-blocking one it runs', (_, call) => {
    const codes = (stream: 'a' | 'n' | 'own') =>
      play((host) => {
        host.streamBeginCapture(stream, 'relaxed');
        call(host);
        host.launchKernel('k', stream);
        host.streamEndCapture(stream, 'g');
      }).codes;
    expect(codes('a')).toEqual([0, 906, 901, 901]);
    expect(codes('own')).toEqual([0, 906, 901, 901]);
    expect(codes('n')).toEqual([0, 0, 0, 0]);
  });

  test('5.3, 5.22 a capture on another device does not matter', () => {
    const { codes } = play((host) => {
      host.setDevice(1);
      host.streamBeginCapture('far');
      host.setDevice(0);
      host.launchKernel('k', 'legacy');
      host.streamEndCapture('far', 'g');
    });
    expect(codes).toEqual([0, 0, 0, 0, 0]);
  });

  test('5.22 a non-blocking capture that a blocking stream has joined is one that it kills', () => {
    const { codes } = play((host) => {
      host.streamBeginCapture('n', 'relaxed');
      host.eventRecord('e', 'n');
      host.streamWaitEvent('a', 'e');
      host.launchKernel('k', 'legacy');
      host.streamEndCapture('n', 'g');
    });
    expect(codes).toEqual([0, 0, 0, 906, 901]);
  });

  test('5.22 asking about it is refused (906), and leaves the capture alone', () => {
    const { codes } = play((host) => {
      host.streamBeginCapture('a');
      host.streamGetCaptureInfo('legacy');
      host.launchKernel('k', 'a');
      host.streamEndCapture('a', 'g');
    });
    expect(codes).toEqual([0, 906, 0, 0]);
  });
});

test('5.24 before CUDA 12.3 a captured PDL launch has a full edge', () => {
  const edges = (cudaVersion: number) => {
    const rules = [deviceRules(H100, cudaVersion), deviceRules(H100, cudaVersion)];
    const played = play((host) => {
      host.streamBeginCapture('a');
      host.launchKernel('k', 'a');
      host.launchKernel('k', 'a', PDL);
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
    }, rules);
    return command(played, -1, 'graph').graph.nodes[1]?.edges;
  };
  expect(edges(12030)).toEqual([{ from: 0, milestone: 'triggered', programmatic: true }]);
  expect(edges(12020)).toEqual([{ from: 0, milestone: 'complete', programmatic: false }]);
});
