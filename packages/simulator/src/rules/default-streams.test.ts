import type { HostThreadBuilder, ProgramBuilder } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200_X2, run, takes } from './rules.fixture.ts';

/** Streams `a` and `b` (blocking), `legacy` and `own` (per-thread) of device 0; `far` and `farLegacy` of device 1. */
function declare(p: ProgramBuilder): void {
  p.kernel('k', takes(100));
  p.kernel('long', takes(500));
  for (const name of ['a', 'b', 'legacy']) p.stream(name);
  p.stream('own', { kind: 'perThread' });
  p.stream('far', { device: 1 });
  p.stream('farLegacy', { device: 1, kind: 'legacy' });
}
const streams = (make: (host: HostThreadBuilder, p: ProgramBuilder) => void) =>
  run((host, p) => {
    declare(p);
    make(host, p);
  }, H200_X2);
const launch = (host: HostThreadBuilder, ...names: readonly string[]) => {
  for (const name of names) host.launchKernel('k', name, {}, { label: name });
};

describe('the legacy default stream', () => {
  it('5.1 waits for blocking streams, and these for it; the cause says so', () => {
    const { at, overlap, of, waits } = streams((host) => launch(host, 'a', 'legacy', 'b'));
    expect(overlap('a', 'legacy')).toBe(false);
    expect(overlap('legacy', 'b')).toBe(false);
    expect([at('a', 'start') < at('legacy', 'start'), at('legacy', 'start') < at('b', 'start')]).toEqual([true, true]);
    expect(of('legacy').cause.kind).toBe('legacyStream');
    expect(waits('b')).toContain('legacyStream legacy');
  });

  it('5.1 non-blocking streams run beside it', () => {
    const { overlap } = streams((host) => launch(host, 's', 'legacy', 't'));
    expect([overlap('s', 'legacy'), overlap('legacy', 't')]).toEqual([true, true]);
  });

  it('5.1 blocking streams run beside each other as long as nothing comes in it', () => {
    const { overlap } = streams((host) => launch(host, 'a', 'b'));
    expect(overlap('a', 'b')).toBe(true);
  });

  it('5.1 what came before it in a blocking stream is all that it waits for', () => {
    const { overlap } = streams((host) => {
      launch(host, 'a', 'legacy');
      host.launchKernel('k', 's', {}, { label: 'beside' });
      host.launchKernel('k', 'a', {}, { label: 'after' });
    });
    expect([overlap('legacy', 'beside'), overlap('legacy', 'after')]).toEqual([true, false]);
  });

  it('5.3 is one a device: work of the other device takes no notice', () => {
    const { overlap } = streams((host) => {
      host.launchKernel('long', 'legacy', {}, { label: 'legacy' });
      host.setDevice(1);
      launch(host, 'farLegacy', 'far');
    });
    expect([overlap('legacy', 'farLegacy'), overlap('legacy', 'far')]).toEqual([true, true]);
    expect(overlap('farLegacy', 'far')).toBe(false);
  });
});

it('5.3 a call without a stream is in the default stream of the current device', () => {
  const { of } = streams((host) => {
    host.memset(64, { label: 'here' });
    host.setDevice(1);
    host.memset(64, { label: 'there' });
  });
  expect([of('here'), of('there')].map(({ device, stream }) => [device, stream])).toEqual([
    [0, 'legacy'],
    [1, 'farLegacy'],
  ]);
});

describe('two host threads on their default streams', () => {
  const both = (first: string, second: string) =>
    streams((host, p) => {
      host.launchKernel('k', first, {}, { label: 'one' });
      p.hostThread('other').launchKernel('k', second, {}, { label: 'two' });
    });

  it('5.1 of the legacy kind take turns', () => {
    expect(both('legacy', 'legacy').overlap('one', 'two')).toBe(false);
  });

  it('5.2 of the per-thread kind run at once', () => {
    expect(both('own', 'own').overlap('one', 'two')).toBe(true);
  });

  it('5.2 of both kinds take turns, for the per-thread one is a blocking stream', () => {
    const { overlap } = both('own', 'legacy');
    expect(overlap('one', 'two')).toBe(false);
  });
});

it('[legacy-torchgpipe-28] 5.1 kernels of the default stream overlap those of streams made non-blocking', () => {
  const overlaps = (stream: 's' | 'a') => {
    const { overlap } = streams((host) => {
      host.launchKernel('k', stream, {}, { label: 'side' });
      launch(host, 'legacy');
    });
    return overlap('side', 'legacy');
  };
  expect([overlaps('s'), overlaps('a')]).toEqual([true, false]);
});

it('[legacy-libuipc-472] 5.22 what went to the legacy stream during a capture ran once, and is not in the replays', () => {
  const { timeline } = streams((host, p) => {
    p.kernel('library', takes(5));
    host.streamBeginCapture('s');
    host.launchKernel('k', 's');
    host.launchKernel('library', 'legacy');
    host.streamEndCapture('s', 'g');
    host.graphInstantiate('g', 'x');
    for (let i = 0; i < 3; i++) host.graphLaunch('x', 's');
  });
  const ran = (name: string) => timeline.operations.filter((o) => o.name === name && o.blocks > 0).length;
  expect([timeline.errors, ran('k'), ran('library')]).toEqual([[], 3, 1]);
});
