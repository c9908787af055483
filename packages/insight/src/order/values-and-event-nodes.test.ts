import { await_, fence, signal } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { R, type Setup, unsafe, W } from '../checked.fixture.ts';

function pair({ kernel }: Setup): void {
  kernel('write', W('a'));
  kernel('read', R('a'));
}

describe('values of streams', () => {
  it('5.13 order what a stream has done before what another does that awaits them, and only forwards', () => {
    const made =
      (value: number) =>
      (setup: Setup): void => {
        pair(setup);
        const { host } = setup;
        host.streamWriteValue('s', 'f', 1);
        host.launchKernel('write', 's');
        host.streamWriteValue('s', 'f', 2);
        host.streamWaitValue('t', 'f', value);
        host.launchKernel('read', 't');
      };
    expect(unsafe(made(2))).toEqual([]);
    expect(unsafe(made(1))).toEqual(['race cross-stream a']);
    expect(unsafe(made(3))).toEqual(['deadlock unsignalled-flag']);
  });

  it('5.13 publish to kernels, other devices and the host, and let a stream know what a kernel fenced', () => {
    const toHost = ({ host }: Setup): void => {
      host.memcpyAsync('deviceToHost', 64, 's', { source: 'a', destination: 'h', hostMemory: 'pinned' });
      host.streamWriteValue('s', 'f');
      host.hostAwait('f');
      host.hostRead('h');
    };
    expect(unsafe(toHost)).toEqual([]);
    const fromKernel =
      (isFenced: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('write', W('a'), ...(isFenced ? [fence('system')] : []), signal('f'));
        host.launchKernel('write', 's');
        host.setDevice(1);
        host.streamWaitValue('far', 'f');
        host.memcpyPeerAsync(1, 0, '64KiB', 'far', { source: 'a', destination: 'y' });
      };
    expect(unsafe(fromKernel(true))).toEqual([]);
    expect(unsafe(fromKernel(false))).toEqual(['race cross-device a']);
    const toKernel = ({ host, kernel }: Setup): void => {
      kernel('read', await_('f'), R('a'));
      host.memsetAsync(64, 's', { destination: 'a' });
      host.streamWriteValue('s', 'f');
      host.launchKernel('read', 't');
    };
    expect(unsafe(toKernel)).toEqual([]);
  });

  it('5.13 a wait before its write may never end on one device, and a cycle never does', () => {
    const made =
      (calls: readonly (readonly [string, 'wait' | 'write', string])[]) =>
      ({ host }: Setup): void => {
        for (const [stream, what, flag] of calls) {
          if (what === 'wait') host.streamWaitValue(stream, flag);
          else host.streamWriteValue(stream, flag);
        }
      };
    expect(
      unsafe(
        made([
          ['s', 'write', 'f'],
          ['t', 'wait', 'f'],
        ]),
      ),
    ).toEqual([]);
    expect(
      unsafe(
        made([
          ['t', 'wait', 'f'],
          ['s', 'write', 'f'],
        ]),
      ),
    ).toEqual(['possible deadlock wait-cycle']);
    expect(
      unsafe(
        made([
          ['far', 'wait', 'f'],
          ['s', 'write', 'f'],
        ]),
      ),
    ).toEqual([]);
    expect(
      unsafe(
        made([
          ['s', 'wait', 'f'],
          ['s', 'write', 'f'],
        ]),
      ),
    ).toEqual(['deadlock wait-cycle']);
    const cycle = made([
      ['s', 'wait', 'f'],
      ['s', 'write', 'g'],
      ['far', 'wait', 'g'],
      ['far', 'write', 'f'],
    ]);
    expect(unsafe(cycle)).toEqual(['deadlock wait-cycle', 'deadlock wait-cycle']);
  });

  it('5.13 as nodes of graphs, captured ones as well', () => {
    const made =
      (value: number) =>
      (setup: Setup): void => {
        pair(setup);
        const { host } = setup;
        host.streamBeginCapture('s');
        host.launchKernel('write', 's');
        host.streamWriteValue('s', 'f', 2);
        host.streamEndCapture('s', 'g');
        host.graphInstantiate('g', 'x');
        host.graphLaunch('x', 's');
        host.streamWaitValue('t', 'f', value);
        host.launchKernel('read', 't');
      };
    expect(unsafe(made(2))).toEqual([]);
    expect(unsafe(made(3))).toEqual(['deadlock unsignalled-flag']);
  });
});

describe('event nodes of graphs', () => {
  /** A graph records `e` between a write of `a` and one of `b`; another awaits it before it reads one of them. */
  const made =
    (buffer: string, order: readonly ('record' | 'await')[]) =>
    ({ p, host, kernel }: Setup): void => {
      kernel('write a', W('a'));
      kernel('write b', W('b'));
      kernel('read', R(buffer));
      const launch = (id: string, stream: string) => ({ id, call: { launchKernel: { kernel: id, stream } } });
      p.graph(
        'record',
        [
          launch('write a', 's'),
          { id: 'r', call: { eventRecord: { event: 'e', stream: 's' } } },
          launch('write b', 's'),
        ],
        [
          ['write a', 'r'],
          ['r', 'write b'],
        ],
      );
      host.streamBeginCapture('t');
      host.streamWaitEvent('t', 'e', { external: true });
      host.launchKernel('read', 't');
      host.streamEndCapture('t', 'await');
      for (const graph of order) {
        host.graphInstantiate(graph, `x ${graph}`);
        host.graphLaunch(`x ${graph}`, graph === 'record' ? 's' : 't');
      }
    };

  it('5.4, 5.23 a wait node comes after what the record node comes after, as of its launch', () => {
    expect(unsafe(made('a', ['record', 'await']))).toEqual([]);
    expect(unsafe(made('b', ['record', 'await']))).toEqual(['race cross-stream b']);
    expect(unsafe(made('a', ['await', 'record']))).toEqual(['race cross-stream a']);
  });

  it('5.4 a record node stands for itself in streams and for the host, too', () => {
    const waits =
      (buffer: string) =>
      (setup: Setup): void => {
        made(buffer, ['record'])(setup);
        setup.host.streamWaitEvent('u', 'e');
        setup.host.launchKernel('read', 'u');
      };
    expect(unsafe(waits('a'))).toEqual([]);
    expect(unsafe(waits('b'))).toEqual(['race cross-stream b']);
  });
});
