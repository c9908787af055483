import { await_, gridBarrier, signal, trigger } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { check, type Setup, unsafe } from '../checked.fixture.ts';

describe('deadlocks', () => {
  it('1.14 a kernel that spins for one behind it in its stream never ends', () => {
    const made =
      (order: readonly string[]) =>
      ({ host, kernel }: Setup): void => {
        kernel('spins', await_('f'));
        kernel('signals', signal('f'));
        for (const name of order) host.launchKernel(name, 's');
      };
    expect(unsafe(made(['spins', 'signals']))).toEqual(['deadlock wait-cycle']);
    expect(unsafe(made(['signals', 'spins']))).toEqual([]);
  });

  it('5.11 in another stream it may, or not', () => {
    const made =
      (order: readonly [string, string][]) =>
      ({ host, kernel }: Setup): void => {
        kernel('spins', await_('f'));
        kernel('signals', signal('f'));
        for (const [name, stream] of order) host.launchKernel(name, stream);
      };
    expect(
      unsafe(
        made([
          ['spins', 's'],
          ['signals', 't'],
        ]),
      ),
    ).toEqual(['possible deadlock wait-cycle']);
    expect(
      unsafe(
        made([
          ['signals', 't'],
          ['spins', 's'],
        ]),
      ),
    ).toEqual([]);
  });

  it('5.6 a cycle of waits over two devices and the host', () => {
    const made =
      (early: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('spins', await_('go'));
        host.launchKernel('spins', 's');
        host.eventRecord('e', 's');
        host.setDevice(1);
        host.streamWaitEvent('far', 'e');
        host.memsetAsync(64, 'far', { destination: 'y' });
        if (early) host.hostSignal('go');
        host.streamSynchronize('far');
        if (!early) host.hostSignal('go');
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(unsafe(made(false))).toEqual(['deadlock wait-cycle']);
  });

  it('5.13 a flag that nothing raises so far', () => {
    const device = ({ host, kernel }: Setup): void => {
      kernel('spins', await_('f', 2));
      kernel('signals', signal('f', 1));
      host.launchKernel('signals', 's');
      host.launchKernel('spins', 't');
    };
    expect(unsafe(device)).toEqual(['deadlock unsignalled-flag']);
    expect(unsafe(({ host }) => host.hostAwait('f'))).toEqual(['deadlock unsignalled-flag']);
  });

  it('5.14 blocks that meet in a grid have to be resident at once', () => {
    const made =
      (grid: number, cooperative: boolean) =>
      ({ p, host }: Setup): void => {
        p.kernel('meets', { grid, block: 1024, phases: [gridBarrier()] });
        host.launchKernel('meets', 's', { cooperative });
      };
    expect(unsafe(made(264, true))).toEqual([]);
    expect(unsafe(made(264, false))).toEqual(['possible deadlock not-co-resident']);
    expect(unsafe(made(265, false))).toEqual(['deadlock not-co-resident']);
    expect(unsafe(made(265, true))).toEqual(['CUDA error cudaErrorCooperativeLaunchTooLarge']);
  });

  it('1.2 an early launch is no promise', () => {
    const made =
      (early: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('spins', trigger(), await_('f'));
        kernel('signals', signal('f'));
        host.launchKernel('spins', 's');
        host.launchKernel('signals', 's', { programmaticStreamSerialization: early });
      };
    expect(unsafe(made(true))).toEqual(['possible deadlock needs-overlap']);
    expect(unsafe(made(false))).toEqual(['deadlock wait-cycle']);
  });

  it('5.11 a collective whose member never calls it, or comes in another order', () => {
    const made =
      (calls: readonly (readonly [string, string])[]) =>
      ({ host }: Setup): void => {
        for (const [group, stream] of calls) {
          host.setDevice(stream === 'far' ? 1 : 0);
          host.collective('allReduce', group, '64KiB', stream);
        }
      };
    const [a, b] = ['A', 'B'];
    expect(
      unsafe(
        made([
          [a, 's'],
          [a, 'far'],
        ]),
      ),
    ).toEqual([]);
    expect(
      unsafe(
        made([
          [a, 's'],
          [a, 'far'],
          [a, 's'],
        ]),
      ),
    ).toEqual(['deadlock collective-order']);
    expect(
      unsafe(
        made([
          [a, 's'],
          [b, 's'],
          [b, 'far'],
          [a, 'far'],
        ]),
      ),
    ).toEqual(['deadlock collective-order', 'deadlock collective-order']);
  });

  it('5.11 members of one collective that are of another kind, or size', () => {
    const made =
      (collective: 'allReduce' | 'broadcast', bytes: number, graph = false) =>
      ({ host }: Setup): void => {
        host.collective('allReduce', 'pair', 64, 's');
        if (graph) host.streamBeginCapture('far', 'threadLocal');
        host.collective(collective, 'pair', bytes, 'far');
        if (!graph) return;
        host.streamEndCapture('far', 'g');
        host.graphInstantiate('g', 'x');
        host.graphLaunch('x', 'far');
      };
    expect(unsafe(made('allReduce', 64))).toEqual([]);
    expect(unsafe(made('broadcast', 64))).toEqual(['deadlock collective-mismatch']);
    expect(unsafe(made('allReduce', 128))).toEqual(['possible deadlock collective-mismatch']);
    expect(unsafe(made('allReduce', 64, true))).toEqual([]);
    expect(unsafe(made('allReduce', 128, true))).toEqual(['possible deadlock collective-mismatch']);
    const [found] = check(made('broadcast', 128)).filter(({ kind }) => kind === 'collective-mismatch');
    expect(found?.text).toBe(
      'collective 1 of group "pair" is allReduce of 64 bytes on device 0 ("collective" at call 0 of host thread "main") and broadcast of 128 bytes on device 1 ("collective" at call 1 of host thread "main")',
    );
  });

  it('5.11 a member that is missing, and one that a kernel of another kind stands for', () => {
    const made =
      (body: 'allReduce' | 'allGather') =>
      ({ p, host }: Setup): void => {
        p.kernel('own', { grid: 8, block: 256, collective: { operation: body, group: 'pair', bytes: 64 } });
        host.collective('allReduce', 'pair', 64, 's');
        host.setDevice(1);
        host.launchKernel('own', 'far');
      };
    expect(unsafe(made('allReduce'))).toEqual([]);
    expect(unsafe(made('allGather'))).toEqual(['deadlock collective-mismatch']);
    const missing = (setup: Setup): void => {
      made('allReduce')(setup);
      setup.host.collective('allReduce', 'pair', 64, 's');
    };
    const found = check(missing).filter(({ verdict }) => verdict !== 'lint');
    expect(found.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'collective-order: "collective" at call 3 of host thread "main" waits for the other members of collective 2 of group "pair": device 1 never calls it',
    ]);
  });
});
