import { await_, fence, type PhaseInput, signal, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { check, PDL, R, type Setup, unsafe, W } from './checked.fixture.ts';

/** A chain of kernels in one stream, all but the first launched early. */
function chain(...kernels: readonly (readonly PhaseInput[])[]) {
  return ({ host, kernel }: Setup): void => {
    kernels.forEach((phases, i) => {
      kernel(`k${i + 1}`, ...phases);
      host.launchKernel(`k${i + 1}`, 's', i === 0 ? {} : PDL);
    });
  };
}

describe('public reports: races of early launches', () => {
  it('[pdl-cutlass-sm103-one-warp-no-wait] a role that does not wait reads what the primary writes', () => {
    const made = ({ p, host, kernel }: Setup): void => {
      kernel('k1', trigger(), W('a'), W('b'));
      p.kernel('k2', {
        grid: 16,
        block: 256,
        roles: [
          { name: 'data', warps: 4, phases: [wait(), R('a')] },
          { name: 'scales', phases: [R('b')] },
        ],
      });
      host.launchKernel('k1', 's');
      host.launchKernel('k2', 's', PDL);
    };
    expect(unsafe(made)).toEqual(['race role-without-wait b']);
    const [found] = check(made).filter(({ verdict }) => verdict === 'race');
    expect(found?.change).toContain('role "scales"');
  });

  it('[pdl-deepgemm-megamoe-nowait] a kernel without wait that a global switch launches early', () => {
    expect(unsafe(chain([W('a')], [R('a'), W('b')]))).toEqual(['race no-wait a']);
    expect(unsafe(chain([W('a')], [wait(), R('a'), W('b')]))).toEqual([]);
  });

  it('[pdl-flashinfer-a2a-trigger] counters are zeroed behind the trigger and counted before the wait', () => {
    const made = ({ p, host, kernel }: Setup): void => {
      kernel('k1', trigger(), W('c'));
      p.kernel('k2', {
        grid: 16,
        block: 256,
        phases: [spin('1us'), wait()],
        accesses: [{ range: 'c', mode: 'atomic', phase: 0 }],
      });
      host.launchKernel('k1', 's');
      host.launchKernel('k2', 's', PDL);
    };
    expect(unsafe(made)).toEqual(['race write-before-wait c']);
  });

  it('[pdl-flashinfer-fusedop-ctor] only the first access, before the wait, races; constant weights do not', () => {
    const found = check(chain([trigger(), W('a')], [R('d'), R('a'), wait(), R('a')]));
    const races = found.filter(({ verdict }) => verdict === 'race');
    expect(races.map(({ kind, accesses }) => [kind, accesses[1]?.buffer, accesses[1]?.phase])).toEqual([
      ['read-before-wait', 'a', 1],
    ]);
  });

  it('[pdl-inductor-guard-writes] a write without wait into what the primary still reads', () => {
    expect(unsafe(chain([trigger(), R('b')], [W('b'), wait()]))).toEqual(['race write-before-wait b']);
    expect(unsafe(chain([trigger(), R('b')], [W('b')]))).toEqual(['race no-wait b']);
    expect(unsafe(chain([trigger(), R('b')], [wait(), W('b')]))).toEqual([]);
  });

  it('[pdl-sglang-bias-before-wait] decides by who wrote the bias, not by its name', () => {
    const reader = [R('b'), wait(), R('c')];
    expect(unsafe(chain([W('b')], reader))).toEqual(['race read-before-wait b']);
    // The middle kernel never waits, so the first may still run.
    expect(unsafe(chain([W('b')], [W('c')], reader))).toEqual(['race read-before-wait b']);
    expect(unsafe(chain([W('b')], [trigger(), wait(), W('c')], reader))).toEqual(['race read-before-wait b']);
    // Written long ago and everything between fully ordered.
    const ordered = ({ host, kernel }: Setup): void => {
      kernel('k0', W('b'));
      kernel('k1', trigger(), W('c'));
      kernel('k2', ...reader);
      host.launchKernel('k0', 's');
      host.launchKernel('k1', 's');
      host.launchKernel('k2', 's', PDL);
    };
    expect(unsafe(ordered)).toEqual([]);
  });

  it('[pdl-tokenspeed-351-shared-counters] a flag in peer memory needs a fence of system scope, and a buffer a round', () => {
    const made =
      (scope: 'device' | 'system') =>
      ({ host, kernel }: Setup): void => {
        kernel('send', W('y'), fence(scope), signal('f'));
        kernel('receive', await_('f'), R('y'));
        host.deviceEnablePeerAccess(1);
        host.launchKernel('send', 's');
        host.setDevice(1);
        host.launchKernel('receive', 'far');
      };
    expect(unsafe(made('device'))).toEqual(['race cross-device y']);
    expect(unsafe(made('system'))).toEqual([]);
    // The next round, launched early, reuses the buffer while the other device reads it.
    const rounds = ({ host, kernel }: Setup): void => {
      made('system')({ host, kernel } as Setup);
      host.setDevice(0);
      host.launchKernel('send', 's', PDL);
    };
    expect(unsafe(rounds)).toContain('race cross-device y');
  });

  it('[pdl-tokenspeed-rope-quant] lists both sites', () => {
    const found = check(({ host, kernel }) => {
      kernel('gemm', W('a'), W('b'));
      kernel('rope', R('a'));
      kernel('quant', R('b'));
      host.launchKernel('gemm', 's');
      host.launchKernel('rope', 's', PDL);
      host.launchKernel('gemm', 's');
      host.launchKernel('quant', 's', PDL);
    });
    const races = found.filter(({ verdict }) => verdict === 'race');
    expect(races.map(({ accesses }) => accesses[1]?.kernel)).toEqual(['rope', 'quant']);
  });

  it('[pdl-tokenspeed-topk-ima] is found whatever the durations', () => {
    const made = (before: string) => chain([spin(before), W('a')], [spin('200us'), R('a')]);
    expect(unsafe(made('0us'))).toEqual(['race no-wait a']);
    expect(unsafe(made('900us'))).toEqual(['race no-wait a']);
  });

  it('[pdl-trtllm-quant-trigger-per-cta] the first thread triggers for its block; the consumer has to wait', () => {
    const consumer = (waits: boolean) => [...(waits ? [wait()] : []), R('a')];
    expect(unsafe(chain([W('a'), trigger()], consumer(false)))).toEqual(['race no-wait a']);
    expect(unsafe(chain([W('a'), fence(), trigger()], consumer(false)))).toEqual(['race no-wait a']);
    const synced = [W('a'), fence(), { op: 'blockBarrier' } as const, trigger()];
    expect(unsafe(chain(synced, consumer(false)))).toEqual(['relies on fence and trigger no-wait a']);
    expect(unsafe(chain([W('a'), trigger()], consumer(true)))).toEqual([]);
  });
});

describe('public reports: what early launches mean', () => {
  it('[pdl-cub-mergesort-trigger-before-write] no race where every kernel waits at its top', () => {
    const k1 = [wait(), R('a'), trigger(), W('b')];
    const k2 = [wait(), R('b'), trigger(), W('c')];
    const k3 = [wait(), R('c'), R('b')];
    expect(unsafe(chain(k1, k2, k3))).toEqual([]);
    // The first has to wait, too, where its own predecessor may still run.
    expect(unsafe(chain([W('a')], [R('a'), trigger(), W('b')], k2))).toEqual(['race no-wait a']);
  });

  it('[pdl-flashinfer-cooproute-trigger] a trigger between stores is no error by itself', () => {
    const k1 = [W('a'), trigger(), W('b')];
    expect(unsafe(chain(k1, [wait(), R('a'), R('b')]))).toEqual([]);
    expect(unsafe(chain(k1, [R('a'), R('b')]))).toEqual(['race no-wait a', 'race no-wait b']);
  });

  it('[pdl-gdc-wait-without-trigger-hang-claim] a wait needs no trigger', () => {
    expect(unsafe(chain([W('a')], [wait(), R('a')]))).toEqual([]);
  });

  it('[pdl-llamacpp-trigger-at-top] triggers at the top are safe where every kernel waits', () => {
    const step = (from: string, to: string) => [trigger(), wait(), R(from), W(to)];
    expect(unsafe(chain(step('a', 'b'), step('b', 'a'), step('a', 'b'), step('b', 'a')))).toEqual([]);
  });

  it('[pdl-trtllm-15531-next-not-pdl] safe with a wait, and without the attribute', () => {
    expect(unsafe(chain([trigger(), W('b')], [wait(), R('b')]))).toEqual([]);
    const plain = ({ host, kernel }: Setup): void => {
      kernel('k1', trigger(), W('b'));
      kernel('k2', R('b'));
      host.launchKernel('k1', 's');
      host.launchKernel('k2', 's');
    };
    expect(unsafe(plain)).toEqual([]);
  });

  it('[pdl-trtllm-tinygemm-trigger-before-store] not this pair, but a consumer without a wait', () => {
    const gemv = [trigger(), W('a')];
    const router = [wait(), R('a'), W('b')];
    expect(unsafe(chain(gemv, router))).toEqual([]);
    expect(unsafe(chain(gemv, [trigger(), W('b')], [wait(), R('a')]))).toEqual(['race transitive a']);
    const strict = check(chain(gemv, router), { assume: 'strict' }).filter(({ verdict }) => verdict === 'race');
    expect(strict.map(({ kind, hiddenByHardware }) => [kind, hiddenByHardware])).toEqual([['after-trigger', true]]);
  });

  it('[pdl-flashinfer-async-proxy] TMA loads behind the wait are no race, without one they are whatever the primary fences', () => {
    const made =
      (phases: PhaseInput[], waits: boolean) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('k1', ...phases);
        const tma = waits ? [wait(), spin('1us')] : [spin('1us'), spin('1us')];
        p.kernel('k2', {
          grid: 16,
          block: 256,
          roles: [
            { name: 'tma', warps: 1, phases: tma },
            { name: 'math', phases: [wait()] },
          ],
          accesses: [{ range: 'a', mode: 'read', proxy: 'async', role: 'tma', phase: 1 }],
        });
        host.launchKernel('k1', 's');
        host.launchKernel('k2', 's', PDL);
      };
    expect(unsafe(made([W('a'), trigger()], true))).toEqual([]);
    expect(unsafe(made([W('a'), trigger()], false))).toEqual(['race role-without-wait a']);
    const fenced = [W('a'), fence(), { op: 'blockBarrier' } as const, trigger()];
    expect(unsafe(made(fenced, false))).toEqual(['relies on fence and trigger role-without-wait a']);
  });
});

describe('public reports: early launches in graphs, and hangs', () => {
  it('[pdl-cuda-python-graph-edge-test] a primary that spins for its dependent relies on an overlap', () => {
    const found = check(({ host, kernel }) => {
      kernel('k1', trigger(), await_('go'));
      kernel('k2', signal('go'));
      host.streamBeginCapture('s');
      host.launchKernel('k1', 's');
      host.launchKernel('k2', 's', PDL);
      host.streamEndCapture('s', 'pair');
      host.graphInstantiate('pair', 'x');
      host.graphLaunch('x', 's');
    }).filter(({ verdict }) => verdict !== 'lint');
    expect(found.map(({ verdict, kind }) => [verdict, kind])).toEqual([['possible deadlock', 'needs-overlap']]);
    expect(found[0]?.rules).toEqual(['1.2']);
  });

  it('[pdl-fan-in-fan-out] one wait covers all incoming edges', () => {
    const made =
      (waits: boolean) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('p1', trigger(), W('a'));
        kernel('p2', trigger(), W('b'));
        kernel('c', ...(waits ? [wait()] : []), R('a'), R('b'));
        const node = (id: string) => ({ id, call: { launchKernel: { kernel: id, stream: 's' } } });
        p.graph(
          'fan',
          [node('p1'), node('p2'), node('c')],
          [
            ['p1', 'c', 'programmatic'],
            ['p2', 'c', 'programmatic'],
          ],
        );
        host.graphInstantiate('fan', 'x');
        host.graphLaunch('x', 's');
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(unsafe(made(false))).toEqual(['race no-wait a', 'race no-wait b']);
  });

  it('[pdl-imp-attribute-without-device-half] unsafe without instructions, and a race for each consumer without a wait', () => {
    expect(unsafe(chain([W('a')], [R('a'), W('b')], [R('b')]))).toEqual(['race no-wait a', 'race no-wait b']);
    expect(unsafe(chain([W('a'), trigger()], [R('a'), W('b'), trigger()], [wait(), R('b')]))).toEqual([
      'race no-wait a',
    ]);
  });

  it('[pdl-trtllm-14066-graph-a2a-deadlock] a wait does not hang; a kernel that cannot run beside the spinning one does', () => {
    const made =
      (late: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('k1', trigger(), W('a'));
        kernel('a2a0', wait(), signal('f0'), await_('f1'));
        kernel('a2a1', wait(), ...(late ? [] : [signal('f1')]), await_('f0'));
        kernel('flags', signal('f1'));
        host.streamBeginCapture('s');
        host.launchKernel('k1', 's');
        host.launchKernel('a2a0', 's', PDL);
        host.streamEndCapture('s', 'g0');
        host.graphInstantiate('g0', 'x0');
        host.graphLaunch('x0', 's');
        if (late) host.launchKernel('flags', 't');
        host.setDevice(1);
        host.deviceEnablePeerAccess(0);
        host.launchKernel('k1', 'far');
        host.launchKernel('a2a1', 'far', PDL);
      };
    expect(unsafe(made(false)).filter((text) => text.includes('deadlock'))).toEqual([]);
    // The flags come from a kernel behind it on the same device: nothing promises that it runs beside.
    expect(unsafe(made(true)).filter((text) => text.includes('deadlock'))).toEqual(['possible deadlock wait-cycle']);
  });
});
