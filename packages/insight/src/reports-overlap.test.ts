import { machineByName } from '@griddep/machine';
import { programBuilder, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { advise } from './advise/advise.ts';
import { whyPair } from './why/pair.ts';
import { why } from './why/why.ts';

const h200 = machineByName('h200');

describe('public reports of kernels that do not overlap', () => {
  it('[copy-pageable-family] an asynchronous copy of pageable memory: staging holds the host, so the kernel behind is late', () => {
    const program = (hostMemory: 'pinned' | 'pageable') => {
      const p = programBuilder('copies');
      p.kernel('k', { grid: 132, block: 256, phases: [spin('30us')] });
      const [a, b] = [p.stream('a', { kind: 'nonBlocking' }), p.stream('b', { kind: 'nonBlocking' })];
      const host = p.hostThread('main');
      host.memcpyAsync('hostToDevice', '16MiB', b, { hostMemory });
      host.launchKernel('k', a);
      host.deviceSynchronize();
      return p.build();
    };
    const pageable = whyPair(program('pageable'), h200, 'hostToDevice#0', 'k#0');
    const pinned = whyPair(program('pinned'), h200, 'hostToDevice#0', 'k#0');
    expect(pinned.overlap).toBeDefined();
    expect(pageable.overlap).toBeUndefined();
    // Nothing on the device holds the kernel: the host is in the copy's call, which stages.
    expect(pageable.suffices).toEqual(['staging']);
    expect(pageable.why.waits).toEqual([]);
  });

  it('[nooverlap-pytorch-48279] four streams of short kernels: each has ended before the host has launched the next', () => {
    const p = programBuilder('eager');
    p.kernel('elementwise', { grid: 132, block: 256, phases: [spin('2us')] });
    const host = p.hostThread('main', { callGap: '8us' });
    for (let s = 0; s < 4; s++) {
      const stream = p.stream(`s${s}`, { kind: 'nonBlocking' });
      for (let i = 0; i < 3; i++) host.launchKernel('elementwise', stream);
    }
    host.deviceSynchronize();
    const program = p.build();
    const pair = whyPair(program, h200, 'elementwise#0', 'elementwise#3');
    expect(pair.overlap).toBeUndefined();
    expect(pair.suffices).toEqual(['host']);
    const { time, best } = advise(program, h200);
    expect(time.host).toBeGreaterThan(5 * time.kernel);
    expect(best?.name).toMatch(/graph/);
  });

  it('[nooverlap-pytorch-59692] a grid that fills all SMs: the next starts in the last wave, for want of room', () => {
    const p = programBuilder('full');
    p.kernel('big', { grid: 132 * 8 * 4, block: 256, registersPerThread: 32, phases: [spin('50us')] });
    const host = p.hostThread('main');
    for (let s = 0; s < 3; s++) host.launchKernel('big', p.stream(`s${s}`, { kind: 'nonBlocking' }));
    host.deviceSynchronize();
    const pair = whyPair(p.build(), h200, 'big#0', 'big#1');
    const second = pair.why.timeline.operations[pair.second];
    const first = pair.why.timeline.operations[pair.first];
    expect(second?.waits.some(({ kind }) => kind === 'priority' || kind === 'resources')).toBe(true);
    expect(second?.start).toBeGreaterThan(first?.lastStart ?? Number.POSITIVE_INFINITY);
    expect(pair.why.removals.map(({ constraint }) => constraint)).toContain('priority');
  });
});

describe('public reports of PDL that does not pay', () => {
  it('[pdl-cccl-trigger-costs] chains of many waves with a trigger at entry: no gain, and waiting blocks take room', () => {
    const chain = (phases: Parameters<ReturnType<typeof programBuilder>['kernel']>[1]['phases']) => {
      const p = programBuilder('transform');
      p.kernel('transform', { grid: 132 * 8 * 6, block: 256, phases: phases ?? [] });
      const s = p.stream('s', { kind: 'nonBlocking' });
      const host = p.hostThread('main');
      for (let i = 0; i < 6; i++) {
        host.launchKernel('transform', s, { programmaticStreamSerialization: i > 0 });
      }
      host.deviceSynchronize();
      return p.build();
    };
    const atEntry = chain([trigger(), wait(), spin('10us')]);
    const advice = advise(atEntry, h200);
    const pair = advice.pairs[0];
    expect(pair?.unfit).toContainEqual(expect.stringMatching(/several waves: it cannot let go before its last block/));
    // Nothing of the preamble can run before the last wave: the early launch hides a launch, no work.
    expect(pair?.early.gain).toBeLessThan(0.05 * advice.endToEnd);
    const asked = why(atEntry, h200, 'transform#1');
    expect(asked.untriggered).toMatchObject({ blocks: 132 * 8 * 6, notBegun: 132 * 8 * 5, neverTrigger: 0 });
  });

  it('[pdl-one-cta-triggers] one block of 1.5 waves triggers: all others count when they exit, so nothing is early', () => {
    const p = programBuilder('one-block');
    const half = (blocks: number) => ({ grid: blocks, block: 1024, dynamicSharedMemory: '160KiB' as const });
    p.kernel('k1', { ...half(198), phases: [spin('5us'), trigger({ modulus: 198, residue: 99 }), spin('5us')] });
    p.kernel('k2', { ...half(132), phases: [wait(), spin('5us')] });
    const s = p.stream('s', { kind: 'nonBlocking' });
    const host = p.hostThread('main');
    host.launchKernel('k1', s);
    host.launchKernel('k2', s, { programmaticStreamSerialization: true });
    host.deviceSynchronize();
    const program = p.build();
    const pair = whyPair(program, h200, 'k1#0', 'k2#0');
    expect(pair.overlap).toBeUndefined();
    const { untriggered, removals } = why(program, h200, 'k2#0');
    expect(untriggered).toMatchObject({ blocks: 198, neverTrigger: 197, notBegun: 66 });
    expect(untriggered?.fired).toBe(pair.timeline.operations[pair.first]?.end);
    expect(removals.some(({ constraint, gain }) => constraint === 'trigger' && gain > 0)).toBe(true);
  });

  it('[pdl-vllm-40543-eager-overhead] short kernels, launched slowly: PDL gains nothing, inside a graph it does', () => {
    const p = programBuilder('prefill');
    p.kernel('k', { grid: 66, block: 256, phases: [trigger(), spin('1us'), wait(), spin('1us')] });
    const s = p.stream('s', { kind: 'nonBlocking' });
    const host = p.hostThread('main', { callGap: '10us' });
    for (let i = 0; i < 20; i++) host.launchKernel('k', s);
    host.deviceSynchronize();
    const program = p.build();
    const { timing } = h200.host;
    const launching = (more: number) => {
      const launchKernelProgrammatic = { ...timing.launchKernelProgrammatic, value: timing.launchKernel.value + more };
      return advise(program, { ...h200, host: { ...h200.host, timing: { ...timing, launchKernelProgrammatic } } });
    };
    const { pairs, trials, time, endToEnd } = launching(0);
    expect(time.host).toBeGreaterThan(0.7 * endToEnd);
    expect(pairs[0]?.early.verdict).toBe('no gain');
    expect(pairs[0]?.unfit).toContainEqual(expect.stringMatching(/host launches too late/));
    // What the extended launch costs the host more shows in full.
    const dearer = launching(500).pairs[0]?.early;
    expect(dearer?.verdict).toBe('worse');
    expect(dearer?.gain).toBeCloseTo((pairs[0]?.early.gain ?? 0) - 19 * 500_000, -6);
    const gain = (name: string) => trials.find((trial) => trial.name === name)?.gain ?? 0;
    expect(gain('graph and PDL')).toBeGreaterThan(gain('graph') + 5_000_000);
  });
});
