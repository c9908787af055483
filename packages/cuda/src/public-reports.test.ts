import { expect, test } from 'vitest';
import { after, command, play } from './runtime.fixture.ts';

/** What each thread of public bug reports came to, by the rules of this package. */

test('[capture-ofi-1342] 5.20, 5.22 a library that allocates and copies while the application captures', () => {
  const setUp = (mode: 'global' | 'threadLocal') =>
    play((host, program) => {
      program.buffer('staging', { bytes: 64 });
      host.streamBeginCapture('a', mode);
      host.malloc('staging');
      host.streamEndCapture('a', 'g');
      host.streamBeginCapture('a', mode);
      host.memcpy('hostToDevice', 64);
      host.streamEndCapture('a', 'g');
    }).codes;
  expect(setUp('global')).toEqual([0, 900, 901, 0, 906, 901]);
  expect(setUp('threadLocal')).toEqual([0, 900, 901, 0, 906, 901]);
  const mended = play((host, program) => {
    program.buffer('staging', { bytes: 64 });
    host.streamBeginCapture('a', 'global');
    host.threadExchangeStreamCaptureMode('relaxed');
    host.malloc('staging');
    host.memcpyAsync('hostToDevice', 64, 'n', { hostMemory: 'pinned' });
    host.streamSynchronize('n');
    host.threadExchangeStreamCaptureMode('global');
    host.launchKernel('k', 'a');
    host.streamEndCapture('a', 'g');
  });
  expect(mended.codes.every((code) => code === 0)).toBe(true);
  expect(mended.issued[3]?.captured).toBe(false);
});

test('[capture-pytorch-180090] 5.21, 5.22 work of a warm-up left in the legacy stream waits for a stream that captures', () => {
  const waits = (warmUp: 'legacy' | 'n', capturing: 'a' | 'm') =>
    play((host) => {
      host.launchKernel('k', warmUp);
      host.streamBeginCapture(capturing, 'threadLocal');
      host.eventRecord('e', capturing);
      host.streamWaitEvent(warmUp, 'e');
      host.eventRecord('f', warmUp);
      host.streamWaitEvent(capturing, 'f');
      host.streamEndCapture(capturing, 'g');
    }).codes;
  expect(waits('legacy', 'm').slice(3)).toEqual([906, expect.anything(), expect.anything(), 901]);
  expect(waits('legacy', 'a').slice(3)).toEqual([906, 906, 901, 901]);
  expect(waits('n', 'm')).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test('[capture-rocm-11589-merge] 5.21 two captures that an event would join are both lost', () => {
  const { codes } = play((host) => {
    host.streamBeginCapture('a');
    host.streamBeginCapture('b');
    host.eventRecord('e', 'a');
    host.streamWaitEvent('b', 'e');
    host.streamWaitEvent('b', 'e');
    host.streamWaitEvent('n', 'e');
    host.streamEndCapture('a', 'g');
    host.streamEndCapture('b', 'h');
  });
  expect(codes).toEqual([0, 0, 0, 902, 901, 1, 901, 901]);
});

test('[capture-warp-1469] 5.21 a capture that is paused while a fork is open', () => {
  const paused = (joined: boolean) =>
    play((host) => {
      host.streamBeginCapture('a');
      host.eventRecord('e', 'a');
      host.streamWaitEvent('b', 'e');
      host.launchKernel('k', 'b');
      host.eventRecord('f', 'b');
      if (joined) host.streamWaitEvent('a', 'f');
      host.streamEndCapture('a', 'first half');
    }).codes.at(-1);
  expect([paused(false), paused(true)]).toEqual([904, 0]);
});

test('[legacy-libuipc-472] 5.22 a library launches into the legacy stream while a solver captures', () => {
  const captured = (stream: 'a' | 'n') => {
    const played = play((host) => {
      host.streamBeginCapture(stream);
      host.launchKernel('k', stream, {}, { label: 'solver' });
      host.launchKernel('k', 'legacy', {}, { label: 'library' });
      host.streamEndCapture(stream, 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', stream);
    });
    return { codes: played.codes, nodes: played.issued.at(-1)?.graph?.nodes.map(({ id }) => id) };
  };
  expect(captured('n')).toEqual({ codes: [0, 0, 0, 0, 0, 0], nodes: ['solver'] });
  expect(captured('a')).toEqual({ codes: [0, 0, 906, 901, 1, 1], nodes: undefined });
});

test('[event-cudapython-556] 5.7 why there is no time between two events is told apart', () => {
  const { issued } = play(
    (host) => {
      host.eventRecord('u', 'a');
      host.eventRecord('v', 'a');
      host.eventElapsedTime('u', 'v');
      host.eventElapsedTime('e', 'f');
      host.eventRecord('e', 'a');
      host.eventRecord('f', 'a');
      host.eventElapsedTime('e', 'f');
    },
    undefined,
    (_, op) => op < 5,
  );
  const errors = [2, 3, 6].map((call) => issued[call]?.error);
  expect(errors.map((error) => error?.code)).toEqual([400, 400, 600]);
  expect(errors.map((error) => error?.message)).toEqual([
    expect.stringContaining('timing'),
    expect.stringContaining('never recorded'),
    expect.stringContaining('not complete'),
  ]);
});

test('[event-torchcomms-2270] 5.7 a timer on events that were made without timing', () => {
  const timed = (timing: boolean) =>
    play((host, program) => {
      for (const name of ['begin', 'end']) {
        program.event(name, { timing });
        host.eventRecord(name, 'a');
      }
      host.eventElapsedTime('begin', 'end');
    }).codes.at(-1);
  expect([timed(false), timed(true)]).toEqual([400, 0]);
});

test('[event-cutorch-222-rerecord] 5.4 one event for three streams stands for the last', () => {
  const streams = ['a', 'b', 'n'] as const;
  const awaited = (events: readonly string[]) => {
    const played = play((host, program) => {
      for (const event of new Set(events)) program.event(event, { timing: false });
      for (const [i, stream] of streams.entries()) host.eventRecord(events[i] as string, stream);
      for (const event of new Set(events)) host.streamWaitEvent('m', event);
    });
    return played.issued.slice(3).map((_, i) => command(played, 3 + i, 'wait').on?.op);
  };
  expect(awaited(['done', 'done', 'done'])).toEqual([2]);
  expect(awaited(['done 0', 'done 1', 'done 2'])).toEqual([0, 1, 2]);
});

test('[graph-pytorch-57556] 4.9 replays of one executable come one after the other', () => {
  const played = play((host, program) => {
    program.graph('g', [{ id: 'n', call: { launchKernel: { kernel: 'k', stream: 'a' } } }]);
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 'n');
    host.graphLaunch('x', 'n');
  });
  expect(after(played, 2)).toEqual([played.issued[1]?.op]);
});

test('[legacy-torchgpipe-28] 5.1 streams of a framework that are non-blocking run beside the legacy stream', () => {
  const orders = (stream: 'a' | 'n') => {
    const played = play((host) => {
      host.launchKernel('k', 'legacy');
      host.launchKernel('k', stream);
      host.launchKernel('k', 'legacy');
    });
    return [1, 2].map((call) => after(played, call));
  };
  expect(orders('n')).toEqual([[], []]);
  expect(orders('a')).toEqual([[0], [1]]);
});
