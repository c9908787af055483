import type { HostThreadBuilder, ProgramBuilder } from '@griddep/program';
import { describe, expect, test } from 'vitest';
import { command, play } from './runtime.fixture.ts';

/** Nodes of what is captured in stream `a` (mode relaxed), as `id <- dependency` with the kind of each edge. */
function captured(calls: (host: HostThreadBuilder, program: ProgramBuilder) => void): string[] {
  const played = play((host, program) => {
    host.streamBeginCapture('a', 'relaxed');
    calls(host, program);
    host.streamEndCapture('a', 'g');
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 'a');
  });
  expect(played.codes.filter((c) => c !== 0)).toEqual([]);
  const { nodes } = command(played, -1, 'graph').graph;
  const kind = { complete: '', triggered: ' triggered', started: ' started' };
  return nodes.map(({ id, edges }) => {
    const on = edges.map((e) => `${nodes[e.from]?.id}${kind[e.milestone]}${e.programmatic ? ' programmatic' : ''}`);
    return on.length === 0 ? id : `${id} <- ${on.join(', ')}`;
  });
}
const PDL = { programmaticStreamSerialization: true };
const codes = (calls: Parameters<typeof play>[0]) => play(calls).codes;

describe('what is captured', () => {
  test('calls become nodes in order, and nothing is enqueued', () => {
    const played = play((host) => {
      host.streamBeginCapture('a');
      host.launchKernel('k', 'a', {}, { label: 'first' });
      host.memsetAsync(64, 'a');
      host.streamEndCapture('a', 'g');
    });
    expect(played.issued.every((i) => i.captured && i.commands.length === 0)).toBe(true);
    expect(
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'first' });
        host.memsetAsync(64, 'a');
        host.launchHostFunc('a', '1us', { label: 'last' });
      }),
    ).toEqual(['first', 'memset#1 <- first', 'last <- memset#1']);
  });

  test('5.20 fork and join through events', () => {
    expect(
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'root' });
        host.eventRecord('e', 'a');
        host.streamWaitEvent('b', 'e');
        host.launchKernel('k', 'a', {}, { label: 'left' });
        host.launchKernel('k', 'b', {}, { label: 'right' });
        host.eventRecord('f', 'b');
        host.streamWaitEvent('a', 'f');
        host.launchKernel('k', 'a', {}, { label: 'join' });
      }),
    ).toEqual(['root', 'left <- root', 'right <- root', 'join <- left, right']);
  });

  test('5.4 the event stands for what was captured before its record', () => {
    expect(
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'one' });
        host.eventRecord('e', 'a');
        host.launchKernel('k', 'a', {}, { label: 'two' });
        host.streamWaitEvent('b', 'e');
        host.launchKernel('k', 'b', {}, { label: 'side' });
        host.eventRecord('f', 'b');
        host.streamWaitEvent('a', 'f');
        host.launchKernel('k', 'a', {}, { label: 'join' });
      }),
    ).toEqual(['one', 'two <- one', 'side <- one', 'join <- two, side']);
  });

  test('4.4, 5.24 a PDL launch becomes a programmatic edge', () => {
    expect(
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'primary' });
        host.launchKernel('k', 'a', PDL, { label: 'secondary' });
        host.launchKernel('k', 'a', {}, { label: 'plain' });
      }),
    ).toEqual(['primary', 'secondary <- primary triggered programmatic', 'plain <- secondary']);
  });

  test('1.15 the edge is programmatic only from the kernel directly before', () => {
    const between = (what: (host: HostThreadBuilder) => void) =>
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'primary' });
        what(host);
        host.launchKernel('k', 'a', PDL, { label: 'secondary' });
      }).at(-1);
    expect(between((host) => host.memsetAsync(64, 'a'))).toBe('secondary <- memset#1');
    expect(between((host) => host.memcpyAsync('deviceToDevice', 64, 'a', { label: 'copy' }))).toBe('secondary <- copy');
    expect(between((host) => host.launchHostFunc('a', '1us', { label: 'host' }))).toBe('secondary <- host');
    expect(between((host) => host.eventRecord('e', 'a'))).toBe('secondary <- primary triggered programmatic');
    expect(
      between((host) => {
        host.eventRecord('e', 'a');
        host.streamWaitEvent('b', 'e');
        host.launchKernel('k', 'b', {}, { label: 'side' });
        host.eventRecord('f', 'b');
        host.streamWaitEvent('a', 'f');
      }),
    ).toBe('secondary <- primary, side');
  });

  test('1.15 the first kernel of a forked stream has no kernel directly before', () => {
    expect(
      captured((host) => {
        host.launchKernel('k', 'a', {}, { label: 'root' });
        host.eventRecord('e', 'a');
        host.streamWaitEvent('b', 'e');
        host.launchKernel('k', 'b', PDL, { label: 'fork' });
        host.eventRecord('f', 'b');
        host.streamWaitEvent('a', 'f');
      }),
    ).toEqual(['root', 'fork <- root']);
  });

  test('4.4 events of launches become edges from their port', () => {
    const dependent = (attributes: Parameters<HostThreadBuilder['launchKernel']>[2]) =>
      captured((host) => {
        host.launchKernel('k', 'a', attributes, { label: 'primary' });
        host.streamWaitEvent('b', 'u');
        host.launchKernel('k', 'b', {}, { label: 'dependent' });
        host.eventRecord('f', 'b');
        host.streamWaitEvent('a', 'f');
      })[1];
    expect(dependent({ programmaticEvent: 'u' })).toBe('dependent <- primary triggered programmatic');
    expect(dependent({ programmaticEvent: { event: 'u', triggerAtBlockStart: true } })).toBe(
      'dependent <- primary started programmatic',
    );
    expect(dependent({ launchCompletionEvent: 'u' })).toBe('dependent <- primary started');
  });

  test('an executable launched into a capture becomes its nodes', () => {
    const played = play((host, program) => {
      const call = { launchKernel: { kernel: 'k', stream: 'a' } };
      const ids = ['x', 'y', 'z'].map((id) => ({ id, call }));
      program.graph('inner', ids, [['x', 'y']]);
      host.graphInstantiate('inner', 'child');
      host.streamBeginCapture('a');
      host.launchKernel('k', 'a', {}, { label: 'before' });
      host.graphLaunch('child', 'a', { label: 'child' });
      host.launchKernel('k', 'a', PDL, { label: 'after' });
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'outer');
      host.graphLaunch('outer', 'a');
    });
    expect(played.issued[3]).toMatchObject({ captured: true, commands: [] });
    const { nodes } = command(played, -1, 'graph').graph;
    const edges = Object.fromEntries(nodes.map((n) => [n.id, n.edges.map((e) => nodes[e.from]?.id)]));
    expect(edges).toEqual({
      before: [],
      'child/x': ['before'],
      'child/y': ['child/x'],
      'child/z': ['before'],
      after: expect.arrayContaining(['child/y', 'child/z']),
    });
  });
});

describe('errors of captures', () => {
  test('5.20, 5.21 the legacy stream, and a stream that is capturing, cannot begin one (900)', () => {
    expect(
      codes((host) => {
        host.streamBeginCapture('legacy');
        host.streamBeginCapture('a');
        host.streamBeginCapture('a');
        host.streamEndCapture('a', 'g');
      }),
    ).toEqual([900, 0, 900, 0]);
  });

  test('5.20 allocation is forbidden to all threads, to the capturing one, or to none, by mode (900)', () => {
    const allocating = (mode: 'global' | 'threadLocal' | 'relaxed', thread: 'same' | 'other') =>
      codes((host, program) => {
        program.buffer('x', { bytes: 64 });
        host.streamBeginCapture('a', mode);
        if (thread === 'same') host.malloc('x');
        else program.hostThread('other').malloc('x');
      })[1];
    expect([allocating('global', 'same'), allocating('global', 'other')]).toEqual([900, 900]);
    expect([allocating('threadLocal', 'same'), allocating('threadLocal', 'other')]).toEqual([900, 0]);
    expect([allocating('relaxed', 'same'), allocating('relaxed', 'other')]).toEqual([0, 0]);
  });

  test.each<[string, (host: HostThreadBuilder) => void]>([
    ['synchronising the stream', (host) => host.streamSynchronize('a')],
    ['querying the stream', (host) => host.streamQuery('a')],
    ['synchronising the device', (host) => host.deviceSynchronize()],
    ['a blocking copy', (host) => host.memcpy('hostToDevice', 64, { stream: 'a', hostMemory: 'pinned' })],
    ['6.13 a peer copy', (host) => host.memcpyPeerAsync(1, 0, 64, 'a')],
  ])('5.21 %s is not allowed (900), and then the capture is invalid (901)', (_name, call) => {
    const calls = (host: HostThreadBuilder) => {
      host.streamBeginCapture('a', 'relaxed');
      call(host);
      host.launchKernel('k', 'a');
      host.streamEndCapture('a', 'g');
      host.launchKernel('k', 'a');
    };
    expect(codes(calls)).toEqual([0, 900, 901, 901, 0]);
  });

  test('5.21 two captures cannot be merged (902)', () => {
    expect(
      codes((host) => {
        host.streamBeginCapture('a');
        host.streamBeginCapture('b');
        host.eventRecord('e', 'a');
        host.streamWaitEvent('b', 'e');
        host.streamEndCapture('a', 'g');
        host.streamEndCapture('b', 'h');
      }),
    ).toEqual([0, 0, 0, 902, 901, 901]);
  });

  test('5.21 a capture ends in the stream that began it (903)', () => {
    expect(
      codes((host) => {
        host.streamEndCapture('a', 'g');
        host.streamBeginCapture('a');
        host.eventRecord('e', 'a');
        host.streamWaitEvent('b', 'e');
        host.streamEndCapture('b', 'g');
        host.streamEndCapture('a', 'g');
      }),
    ).toEqual([903, 0, 0, 0, 903, 901]);
  });

  test('5.21 every fork is joined (904); the capture is over all the same', () => {
    const { codes: all, issued } = play((host) => {
      host.streamBeginCapture('a');
      host.eventRecord('e', 'a');
      host.streamWaitEvent('b', 'e');
      host.launchKernel('k', 'b');
      host.streamEndCapture('a', 'g');
      host.launchKernel('k', 'b');
      host.streamBeginCapture('a');
      host.streamEndCapture('a', 'g');
    });
    expect(all).toEqual([0, 0, 0, 0, 904, 0, 0, 0]);
    expect(issued[4]?.error?.message).toContain('"b"');
    expect(issued[5]?.captured).toBe(false);
  });

  test('5.23 a capture cannot wait for an event recorded outside (905)', () => {
    expect(
      codes((host) => {
        host.eventRecord('e', 'b');
        host.streamBeginCapture('a');
        host.streamWaitEvent('a', 'e');
        host.streamEndCapture('a', 'g');
      }),
    ).toEqual([0, 0, 905, 901]);
  });

  test('5.22 the legacy stream kills the capture of a blocking stream (906), from any thread', () => {
    expect(
      codes((host, program) => {
        host.streamBeginCapture('a', 'relaxed');
        const other = program.hostThread('other');
        other.launchKernel('k', 'legacy');
        other.launchKernel('k', 'a');
      }),
    ).toEqual([0, 906, 901]);
  });

  test('5.22 with a non-blocking capture the legacy operation simply runs and is not captured', () => {
    const { codes: all, issued } = play((host) => {
      host.streamBeginCapture('n');
      host.launchKernel('k', 'legacy');
      host.streamEndCapture('n', 'g');
    });
    expect(all).toEqual([0, 0, 0]);
    expect(issued[1]?.commands).toHaveLength(1);
  });

  test('5.21 the legacy stream cannot join a capture (906)', () => {
    expect(
      codes((host) => {
        host.streamBeginCapture('n');
        host.eventRecord('e', 'n');
        host.streamWaitEvent('legacy', 'e');
        host.streamEndCapture('n', 'g');
      }),
    ).toEqual([0, 0, 906, 901]);
  });

  test('5.21 a captured event can be neither synchronised nor queried (907); after the capture it can', () => {
    const calls = (what: 'eventSynchronize' | 'eventQuery') => (host: HostThreadBuilder) => {
      host.streamBeginCapture('a', 'relaxed');
      host.eventRecord('e', 'a');
      host[what]('e');
      host.streamEndCapture('a', 'g');
      host[what]('e');
    };
    expect(codes(calls('eventSynchronize'))).toEqual([0, 0, 907, 901, 0]);
    expect(codes(calls('eventQuery'))).toEqual([0, 0, 907, 901, 0]);
  });

  test('5.21 another thread may end a relaxed capture only (908)', () => {
    const ended = (mode: 'global' | 'relaxed') =>
      codes((host, program) => {
        host.streamBeginCapture('a', mode);
        program.hostThread('other').streamEndCapture('a', 'g');
      });
    expect(ended('global')).toEqual([0, 908]);
    expect(ended('relaxed')).toEqual([0, 0]);
  });
});
