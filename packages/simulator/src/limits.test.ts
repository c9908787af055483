import { ThreadPool } from '@griddep/engine/parallel';
import { machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type KernelInput, type ProgramBuilder, programBuilder } from '@griddep/program';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateParallel } from './parallel/simulate-parallel.ts';
import { simulate } from './simulate.ts';

type Make = (host: HostThreadBuilder, program: ProgramBuilder) => void;

const built = (make: Make) => {
  const program = programBuilder('limits');
  program.stream('s');
  make(program.hostThread(), program);
  return program.build();
};
const run = (make: Make) => simulate(built(make), machineByName('h200'));
/** With the device in another thread than the host. */
const runApart = (make: Make) => {
  const program = programBuilder('limits');
  program.stream('s', { device: 1 });
  make(program.hostThread('main', { device: 1 }), program);
  return simulateParallel(program.build(), machineByName('h200x2'), { workers: 2, pool });
};
const pool = new ThreadPool();
afterAll(() => pool.close());
const launches = (kernel: KernelInput, times = 1): Make => {
  return (host, program) => {
    program.kernel('k', kernel);
    for (let i = 0; i < times; i++) host.launchKernel('k', 's');
  };
};
const times = (n: number, call: Make): Make => {
  return (host, program) => {
    for (let i = 0; i < n; i++) call(host, program);
  };
};
const one = { grid: 1, block: 32 };

describe('simulated time beyond 2.5 hours is a limit that names the operation', () => {
  it.each<[string, string, Make]>([
    ['loads', 'k#0', launches({ grid: 1_000_000, block: 32, phases: [{ op: 'load', bytes: '1000TiB' }] })],
    ['arithmetic', 'k#0', launches({ ...one, phases: [{ op: 'fma', iterations: Number.MAX_SAFE_INTEGER }] })],
    ['spinning', 'k#2', launches({ ...one, phases: [{ op: 'spin', duration: '3600s' }] }, 3)],
    ['a copy', 'hostToDevice#0', (host) => host.memcpyAsync('hostToDevice', 2 ** 50, 's', { hostMemory: 'pinned' })],
    ['copies within the device', 'deviceToDevice#16', times(50, (h) => h.memcpyAsync('deviceToDevice', 2 ** 50, 's'))],
    ['a copy within the host', 'hostToHost#0', (host) => host.memcpy('hostToHost', 2 ** 50)],
    ['the host', 'hostCompute#2', times(3, (host) => host.hostCompute('3600s'))],
    ['host functions', 'hostFunction#2', times(3, (host) => host.launchHostFunc('s', '3600s'))],
  ])('%s', async (_, operation, make) => {
    const expected = { name: 'SimulationLimit', message: `simulated time passes 2.5 hours, at "${operation}"` };
    await expect((async () => run(make))()).rejects.toMatchObject(expected);
    await expect(runApart(make)).rejects.toMatchObject(expected);
  });
});

it('refuses grids that are too large to simulate', () => {
  expect(() => run(launches({ grid: 2 ** 26 + 1, block: 32, phases: [] }))).toThrow('too large to simulate');
});

it('checks the attributes of launches in graphs made by hand', () => {
  const graph: Make = (_, program) => {
    program.kernel('k', { grid: 8, block: 32, phases: [] });
    const call = { launchKernel: { kernel: 'k', stream: 's', attributes: { clusterDimension: 3 } } };
    program.graph('g', [{ id: 'n', call }]);
  };
  expect(() => run(graph)).toThrow('no whole number of clusters of 3 x 1 x 1');
});

it('runs a launch with clusterDimension as a kernel of that cluster', () => {
  const blocks = { grid: 264, block: 1024, phases: [{ op: 'spin', duration: '5us' }] } as const;
  const own = run(launches({ ...blocks, cluster: 4 }));
  const attribute = run((host, program) => {
    program.kernel('k', blocks);
    host.launchKernel('k', 's', { clusterDimension: 4 });
  });
  expect(attribute.operations).toEqual(own.operations);
});

it('tells the host what is complete: elapsed time before that is not ready (5.7), the answer of a query no error', () => {
  const timeline = run((host, program) => {
    program.kernel('k', { ...one, phases: [{ op: 'spin', duration: '50us' }] });
    for (const name of ['e', 'f']) program.event(name);
    host.eventRecord('e', 's');
    host.launchKernel('k', 's');
    host.eventRecord('f', 's');
    host.eventElapsedTime('e', 'f', { label: 'early' });
    host.streamQuery('s', { label: 'busy' });
    host.eventSynchronize('f');
    host.eventElapsedTime('e', 'f', { label: 'late' });
    host.streamQuery('s', { label: 'idle' });
  });
  expect(timeline.errors.map(({ operation, code }) => [timeline.operations[operation]?.id, code])).toEqual([
    ['early', 600],
  ]);
});

it('copies and memsets of nothing leave the streams alone', () => {
  const timeline = run((host) => {
    host.memcpyAsync('hostToDevice', 0, 's');
    host.memsetAsync(0, 's');
    host.streamSynchronize('s');
  });
  expect([timeline.stuck, timeline.errors]).toEqual([[], []]);
  expect(timeline.operations.map(({ kind, stream }) => [kind, stream])).toEqual(Array(3).fill(['hostCall', 'main']));
});
