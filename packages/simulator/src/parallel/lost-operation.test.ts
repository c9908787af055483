import { type Actor, runSequential } from '@griddep/engine';
import { machineByName } from '@griddep/machine';
import { listScenarios, type Program } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostRecord } from '../host/host-record.ts';
import { prepare } from '../prepare.ts';
import type { Process } from '../processes.ts';
import { separateProcesses } from '../separate-processes.fixture.ts';
import { lostOperation } from './lost-operation.ts';

const machine = machineByName('h200x4');

/** What the hosts of a program record, and its processes. */
function recorded(program: Program): { records: readonly HostRecord[]; processes: readonly Process[] } {
  const { hosts, actors, setup } = prepare(program, machine, {});
  const processes = setup.processes.map((_, i) => hosts.make(i, actors));
  runSequential(actors.names.map((_, id) => (processes[actors.processOfHost(id)] ?? actors.make(id)) as Actor));
  return { records: processes.flatMap((host) => host.result().records), processes: setup.processes };
}

const identity = ({ op, label, name, kind, device, stream, thread, path, origin }: HostRecord) => {
  return { op, label, name, kind, device, stream, thread, path, origin };
};

/** Every operation of a process with one thread is found again. */
function expectAllFound(program: Program): number {
  const { records, processes } = recorded(program);
  let found = 0;
  for (const record of records) {
    const again = lostOperation(record.op, program, machine, processes);
    if (again === undefined) continue;
    expect(identity(again)).toEqual(identity(record));
    found++;
  }
  return found;
}

describe('the operation that a lost thread was at, from its number', () => {
  const ranks = listScenarios().filter(({ name }) => /^(tensor-parallel-decode|data-parallel-step)$/.test(name));

  it.each(ranks.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    const program = scenario.build({ devices: 4 });
    expect(expectAllFound(program)).toBe(recorded(program).records.length);
  });

  it('random programs of processes that share nothing', { timeout: 60_000 }, () => {
    let found = 0;
    fc.assert(
      fc.property(separateProcesses(4), (program) => {
        found += expectAllFound(program);
      }),
      { numRuns: 10, seed: 4, endOnFailure: true },
    );
    expect(found).toBeGreaterThan(50);
  });
});
