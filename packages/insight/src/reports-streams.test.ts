import { await_, signal } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { check, R, type Setup, unsafe, W } from './checked.fixture.ts';

describe('public reports: streams, devices, allocators and the host', () => {
  it('[host-d2h-race] the host reads a pinned buffer that a copy may still write', () => {
    const made =
      (memory: 'pinned' | 'pageable', syncs: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('k', W('a'));
        const destination = memory === 'pinned' ? 'h' : 'pageable';
        host.launchKernel('k', 's');
        host.memcpyAsync('deviceToHost', '64KiB', 's', { source: 'a', destination, hostMemory: memory });
        if (syncs) host.streamSynchronize('s');
        host.hostRead(destination);
      };
    expect(unsafe(made('pinned', false))).toEqual(['race host-access h']);
    expect(unsafe(made('pinned', true))).toEqual([]);
    expect(unsafe(made('pageable', false))).toEqual([]);
  });

  it('[host-false-alarm-deepspeed-3426] two copies of one stream are in order', () => {
    const made = ({ host }: Setup): void => {
      host.memcpyAsync('deviceToHost', '64KiB', 's', { source: 'a', destination: 'h', hostMemory: 'pinned' });
      host.memcpyAsync('hostToDevice', '64KiB', 's', { source: 'h', destination: 'b', hostMemory: 'pinned' });
    };
    expect(unsafe(made)).toEqual([]);
  });

  it('[kv-vllm-47282-load] a copy overwrites a block that a kernel still reads', () => {
    const made =
      (waits: 'none' | 'one' | 'both') =>
      ({ host, kernel }: Setup): void => {
        kernel('k', R('a'));
        host.launchKernel('k', 's');
        if (waits !== 'none') {
          host.eventRecord('e', 's');
          host.streamWaitEvent('t', 'e');
        }
        host.memcpyAsync('hostToDevice', '64KiB', 't', { source: 'h', destination: 'a', hostMemory: 'pinned' });
        if (waits === 'both') {
          host.eventRecord('f', 't');
          host.streamWaitEvent('s', 'f');
        }
        host.launchKernel('k', 's', {}, { label: 'next' });
      };
    expect(unsafe(made('none'))).toEqual(['race cross-stream a', 'race use-before-copy a']);
    expect(unsafe(made('one'))).toEqual(['race use-before-copy a']);
    expect(unsafe(made('both'))).toEqual([]);
    const [first] = check(made('none')).filter(({ kind }) => kind === 'cross-stream');
    expect(first?.change).toBe(
      'record an event in stream "s" after "k", and let stream "t" wait for it before "memcpy"',
    );
  });

  it('[semaphore-aiter-3288] two streams share a workspace of counters', () => {
    const made =
      (other: string) =>
      ({ p, host }: Setup): void => {
        for (const [name, workspace] of [
          ['g1', 'c'],
          ['g2', other],
        ] as const) {
          const accesses = [
            { range: workspace, mode: 'atomic' as const, phase: 0 },
            { range: workspace, mode: 'write' as const, phase: 1 },
          ];
          p.kernel(name, {
            grid: 16,
            block: 256,
            phases: [{ op: 'fma', iterations: 9 }, { op: 'blockBarrier' }],
            accesses,
          });
        }
        host.launchKernel('g1', 's');
        host.launchKernel('g2', 't');
      };
    const races = unsafe(made('c'));
    expect(new Set(races)).toEqual(new Set(['race cross-stream c']));
    expect(unsafe(made('d'))).toEqual([]);
  });

  const pair =
    (group: 'spins' | 'collectives', sameOrder: boolean, graph: boolean) =>
    ({ host, kernel }: Setup): void => {
      for (const device of [0, 1]) {
        for (const name of ['A', 'B'])
          kernel(`${name}${device}`, signal(`${name}${device}`), await_(`${name}${1 - device}`));
      }
      const call = (name: string, device: number, stream: string): void => {
        if (group === 'collectives') host.collective('allReduce', name, '64KiB', stream);
        else host.launchKernel(`${name}${device}`, stream);
      };
      const inGraph = (name: string, device: number, stream: string): void => {
        host.streamBeginCapture(stream, 'threadLocal');
        call(name, device, stream);
        host.streamEndCapture(stream, `graph${device}`);
        host.graphInstantiate(`graph${device}`, `x${device}`);
        host.graphLaunch(`x${device}`, stream);
      };
      const first = graph ? inGraph : call;
      first('A', 0, 's');
      call('B', 0, 't');
      host.setDevice(1);
      if (sameOrder) {
        first('A', 1, 'far');
        call('B', 1, 'far2');
      } else {
        call('B', 1, 'far2');
        first('A', 1, 'far');
      }
    };
  const withStream =
    (make: (setup: Setup) => void) =>
    (setup: Setup): void => {
      setup.p.stream('far2', { kind: 'nonBlocking', device: 1 });
      make(setup);
    };
  const deadlocks = (make: (setup: Setup) => void): string[] => [
    ...new Set(unsafe(withStream(make)).filter((text) => text.includes('deadlock'))),
  ];

  it('[concurrent-nccl-522] two that spin for their peers want the same order on every device', () => {
    expect(deadlocks(pair('spins', false, false))).toEqual(['possible deadlock wait-cycle']);
    expect(deadlocks(pair('spins', true, false))).toEqual([]);
    expect(deadlocks(pair('collectives', false, false))).toEqual(['possible deadlock collective-order']);
    expect(deadlocks(pair('collectives', true, false))).toEqual([]);
  });

  it('[nccl-graph-mixing-829] so do collectives in a graph and beside it', () => {
    expect(deadlocks(pair('collectives', false, true))).toEqual(['possible deadlock collective-order']);
    expect(deadlocks(pair('collectives', true, true))).toEqual([]);
    expect(deadlocks(pair('spins', false, true))).toEqual(['possible deadlock wait-cycle']);
  });

  /** Two tensors that a caching allocator put at one address. */
  const reused = ({ p }: Setup): void => {
    p.buffer('old', { bytes: '64KiB', allocation: 'block' });
    p.buffer('new', { bytes: '64KiB', allocation: 'block' });
  };

  it('[alloc-csan-179863] memory freed and allocated again is used on another stream without an order', () => {
    const made =
      (waits: boolean) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        reused(setup);
        kernel('use', W('old'));
        kernel('again', W('new'));
        host.launchKernel('use', 's');
        if (waits) {
          host.eventRecord('e', 's');
          host.streamWaitEvent('t', 'e');
        }
        host.launchKernel('again', 't');
      };
    expect(unsafe(made(false))).toEqual(['race allocator-reuse new']);
    expect(unsafe(made(true))).toEqual([]);
    // The same by the pools of CUDA: the free is in order with its own stream alone.
    const pooled =
      (freeIn: string) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        reused(setup);
        kernel('use', W('old'));
        kernel('again', W('new'));
        host.mallocAsync('old', 's');
        host.launchKernel('use', 's');
        host.freeAsync('old', freeIn);
        host.mallocAsync('new', 't');
        host.launchKernel('again', 't');
      };
    expect(unsafe(pooled('s'))).toEqual([]);
    expect(unsafe(pooled('t'))).toContain('race free-in-use old');
  });

  it('[alloc-pytorch-188655] a collective stream still writes a recycled block', () => {
    const made =
      (waits: boolean) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        reused(setup);
        kernel('make', W('old'));
        kernel('reduce', R('old'), W('old'));
        kernel('next', W('new'));
        host.launchKernel('make', 's');
        host.eventRecord('e', 's');
        host.streamWaitEvent('t', 'e');
        host.eventRecord('f', 't');
        host.streamWaitEvent('u', 'f');
        host.launchKernel('reduce', 'u');
        host.eventRecord('e', 'u');
        host.streamWaitEvent('t', 'e');
        if (waits) {
          host.eventRecord('f', 't');
          host.streamWaitEvent('s', 'f');
        }
        host.launchKernel('next', 's');
      };
    expect(new Set(unsafe(made(false)))).toEqual(new Set(['race allocator-reuse new']));
    expect(unsafe(made(true))).toEqual([]);
  });

  it('[alloc-torchrec-4231] a download on a side stream still reads a recycled block', () => {
    const made =
      (waits: boolean) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        reused(setup);
        kernel('make', W('old'));
        kernel('next', W('new'));
        host.launchKernel('make', 's');
        host.eventRecord('e', 's');
        host.streamWaitEvent('t', 'e');
        host.memcpyAsync('deviceToHost', '64KiB', 't', { source: 'old', destination: 'h', hostMemory: 'pinned' });
        if (waits) {
          host.eventRecord('f', 't');
          host.streamWaitEvent('s', 'f');
        }
        host.launchKernel('next', 's');
      };
    const found = check(made(false)).filter(({ verdict }) => verdict === 'race');
    expect(found.map(({ kind, accesses }) => [kind, ...accesses.map((a) => a.mode)])).toEqual([
      ['allocator-reuse', 'read', 'write'],
    ]);
    expect(unsafe(made(true))).toEqual([]);
  });
});
