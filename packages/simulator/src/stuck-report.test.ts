import { machineByName } from '@griddep/machine';
import { programBuilder } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateParallel } from './parallel/simulate-parallel.ts';
import { simulate } from './simulate.ts';
import { findCycle } from './stuck-report.ts';

/** Two devices that call two collectives in opposite orders. */
function crossed() {
  const p = programBuilder('crossed');
  for (const [d, order] of [
    ['x', 'y'],
    ['y', 'x'],
  ].entries()) {
    p.stream(`s${d}`, { device: d, kind: 'nonBlocking' });
    const host = p.hostThread(`rank${d}`, { device: d });
    for (const group of order) host.collective('allReduce', group, '1MiB', `s${d}`, { label: `${group}${d}` });
    host.deviceSynchronize();
  }
  return p.build();
}

describe('a run that can never finish', () => {
  const cycle = 'cycle: "x0" waits for "x1" waits for "y1" waits for "y0" waits for "x0"';

  it('is reported with the cycle of what waits', () => {
    expect(simulate(crossed(), machineByName('h200x2')).stuck.at(-1)).toBe(cycle);
  });

  it('is reported alike from threads', async () => {
    const { timeline } = await simulateParallel(crossed(), machineByName('h200x2'), { workers: 2 });
    expect(timeline.stuck.at(-1)).toBe(cycle);
  });
});

describe('the cycle names whoever could still end the wait', () => {
  const stuckIn = (make: (p: ReturnType<typeof programBuilder>) => void, machine = 'h200') => {
    const p = programBuilder('stuck');
    make(p);
    return simulate(p.build(), machineByName(machine)).stuck.at(-1);
  };
  const spinning = { grid: 1, block: 32, phases: [{ op: 'await' as const, flag: 'f' }] };
  const signalling = { grid: 1, block: 32, phases: [{ op: 'signal' as const, flag: 'f' }] };

  it('the host thread, which waits itself', () => {
    const cycle = stuckIn((p) => {
      p.kernel('spin', spinning);
      const host = p.hostThread();
      host.launchKernel('spin', p.stream('s'));
      host.deviceSynchronize();
      host.hostSignal('f');
    });
    expect(cycle).toBe('cycle: host thread "main" waits for "spin#0" waits for host thread "main"');
  });

  it('a kernel behind the one that spins, in its stream', () => {
    const cycle = stuckIn((p) => {
      p.kernel('spin', spinning);
      p.kernel('signal', signalling);
      const s = p.stream('s');
      const host = p.hostThread();
      host.launchKernel('spin', s);
      host.launchKernel('signal', s);
    });
    expect(cycle).toBe('cycle: "spin#0" waits for "signal#0" waits for "spin#0"');
  });

  it('a kernel without room, on SMs that the spinning one fills', () => {
    const cycle = stuckIn((p) => {
      p.kernel('spin', { ...spinning, grid: 132, dynamicSharedMemory: '200KiB' });
      p.kernel('signal', { ...signalling, dynamicSharedMemory: '200KiB' });
      const host = p.hostThread();
      host.launchKernel('spin', p.stream('s'));
      host.launchKernel('signal', p.stream('t'));
    });
    expect(cycle).toBe('cycle: "spin#0" waits for "signal#0" waits for "spin#0"');
  });

  it('a kernel behind another stream in a shared hardware queue', () => {
    const cycle = stuckIn((p) => {
      p.kernel('spin', spinning);
      p.kernel('work', { grid: 1, block: 32, phases: [] });
      p.kernel('signal', signalling);
      const streams = Array.from({ length: 9 }, (_, i) => p.stream(`s${i}`, { kind: 'nonBlocking' }));
      const host = p.hostThread();
      host.launchKernel('spin', 's0');
      for (const stream of streams.slice(0, 8)) host.launchKernel('work', stream);
      host.launchKernel('signal', 's8');
    });
    expect(cycle).toBe('cycle: "spin#0" waits for "signal#0" waits for "work#0" waits for "spin#0"');
  });

  it('a thread that would call the collective, and waits for a member of it', () => {
    const cycle = stuckIn((p) => {
      for (const device of [0, 1]) p.stream(`s${device}`, { device, kind: 'nonBlocking' });
      const host = p.hostThread();
      host.collective('allReduce', 'x', '1MiB', 's0', { label: 'x0' });
      host.streamSynchronize('s0');
      host.setDevice(1);
      host.collective('allReduce', 'x', '1MiB', 's1');
    }, 'h200x2');
    expect(cycle).toBe('cycle: host thread "main" waits for "x0" waits for host thread "main"');
  });
});

describe('findCycle', () => {
  const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 });

  it('finds a cycle exactly where there is one, along edges', () => {
    fc.assert(
      fc.property(graph, (lists) => {
        const edges = new Map(lists.map((to, from) => [from, to] as const));
        const cycle = findCycle(edges);
        if (cycle === undefined) {
          // Nodes whose edges all lead to nodes that are gone can be taken away until none is left.
          const left = new Map(edges);
          for (let before = -1; before !== left.size; ) {
            before = left.size;
            for (const [node, to] of left) if (!to.some((t) => left.has(t))) left.delete(node);
          }
          expect(left.size).toBe(0);
          return;
        }
        for (const [i, node] of cycle.entries()) {
          expect(edges.get(node)).toContain(cycle[(i + 1) % cycle.length]);
        }
      }),
    );
  });
});
