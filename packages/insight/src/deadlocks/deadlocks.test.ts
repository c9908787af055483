import { await_, gridBarrier, signal, trigger } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { type Setup, unsafe } from '../checked.fixture.ts';

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
});
