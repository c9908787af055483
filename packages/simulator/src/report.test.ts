import { machineByName } from '@griddep/machine';
import { fma, load, programBuilder, spin } from '@griddep/program';
import { expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const H200 = machineByName('h200');

it.each([true, false])(
  'an awaited flag is reported once per operation, with its least value (block by block: %s)',
  (blockByBlock) => {
    const p = programBuilder('flags');
    const wanted = (value: number) => ({ op: 'await' as const, flag: 'go', value });
    p.stream('s', { kind: 'nonBlocking' });
    p.kernel('k', {
      grid: 300,
      block: 64,
      roles: [
        { name: 'a', warps: 1, phases: [wanted(2)] },
        { name: 'b', phases: [spin('1us'), wanted(1)] },
      ],
    });
    p.hostThread('main').launchKernel('k', 's', undefined, { label: 'stuck' });
    const { stuck } = simulate(p.build(), H200, { blockByBlock });
    expect(stuck).toEqual(['"stuck" waits for flag "go" to reach 1', '"stuck" has blocks that do not end']);
  },
);

it('slowdowns stand in order of their resources', () => {
  const p = programBuilder('slowdowns');
  p.stream('s', { kind: 'nonBlocking' });
  p.kernel('k', { grid: 264, block: 256, phases: [load(65536), fma(1000)] });
  p.hostThread('main').launchKernel('k', 's');
  const [kernel] = simulate(p.build(), H200).operations;
  expect(kernel?.slowdown.map((s) => s.resource)).toEqual(['arithmetic', 'deviceMemory']);
});

it('a launch-completion edge is programmatic only by its type (rules 4.2, 4.3)', () => {
  const p = programBuilder('edges');
  p.stream('s', { kind: 'nonBlocking' });
  p.kernel('k', { grid: 1, block: 32, phases: [spin('1us')] });
  const call = { launchKernel: { kernel: 'k', stream: 's' } };
  p.graph(
    'g',
    ['first', 'full', 'early'].map((id) => ({ id, call })),
    [
      { from: 'first', to: 'full', fromPort: 'launchCompletion', type: 'full' },
      { from: 'first', to: 'early', fromPort: 'launchCompletion', type: 'programmatic' },
    ],
  );
  const host = p.hostThread('main');
  host.graphInstantiate('g', 'x');
  host.graphLaunch('x', 's', { label: 'run' });
  host.deviceSynchronize();
  const { operations } = simulate(p.build(), H200);
  const programmatic = (id: string) => operations.find((o) => o.id === id)?.programmatic;
  expect([programmatic('run/full'), programmatic('run/early')]).toEqual([false, true]);
});
