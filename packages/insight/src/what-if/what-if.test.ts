import { machineByName } from '@griddep/machine';
import { type Program, programBuilder } from '@griddep/program';
import { checkProgram, simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { copyEnginesChange, launchCostChange, machineChange } from './machine-changes.ts';
import { timeParts } from './parts.ts';
import { devicesChange, graphChange, pdlChange, pinnedChange, streamsChange } from './program-changes.ts';
import { type WhatIfOptions, whatIf } from './what-if.ts';

const machine = machineByName('h200');

function chain(pause: string): Program {
  const builder = programBuilder('chain');
  builder.kernel('k', { grid: 32, block: 128, duration: '2us' });
  builder.stream('s', { kind: 'nonBlocking' });
  const host = builder.hostThread();
  for (let i = 0; i < 10; i++) {
    host.hostCompute(pause);
    host.launchKernel('k', 's');
  }
  host.deviceSynchronize();
  return builder.build();
}

const ask = (program: Program, changes: WhatIfOptions['changes'], more: Partial<WhatIfOptions> = {}) =>
  whatIf({
    ...{ program, machine, changes, observer: 'events' },
    simulate: async (changed, on) => {
      checkProgram(changed, on);
      return simulate(changed, on);
    },
    ...more,
  });

describe('what if', () => {
  it('another machine has the devices that another change asks for', async () => {
    const other = machineByName('a100');
    const { after } = await ask(chain('5us'), [devicesChange(2), machineChange(other, machine)]);
    expect(new Set(after.timeline.operations.map(({ device }) => device))).toContain(1);
  });

  it('the parts of a time add up to it, before and after', async () => {
    for (const observer of ['events', 'blocks'] as const) {
      const { before, after } = await ask(chain('20us'), [graphChange()], { observer });
      for (const { parts, makespan } of [before, after]) {
        expect(Object.values(parts).reduce((sum: number, part: number) => sum + part, 0)).toBeCloseTo(makespan, 0);
      }
    }
  });

  it('a chain that the host launches slowly is bound by it, and PDL is not said to gain on the device', async () => {
    const { before, after, notes } = await ask(chain('20us'), [pdlChange({ kernels: 'all' })]);
    expect([before.bound, after.bound]).toEqual(['host', 'host']);
    expect(notes.join()).toMatch(/bound by the host's launches: .*PDL gains nothing on the device here/);
    expect(after.makespan).toBeGreaterThan(0.9 * before.makespan);
  });

  it('as a graph, the same chain is not, and PDL gains', async () => {
    const graph = await ask(chain('20us'), [graphChange()]);
    const both = await ask(chain('20us'), [pdlChange({ kernels: 'all' }), graphChange()]);
    expect(graph.after.bound).not.toBe('host');
    expect(both.after.makespan).toBeLessThan(0.9 * graph.after.makespan);
    expect(both.notes.join()).not.toContain('gains nothing');
  });

  it('ranges hold the answer, and assumptions are told with theirs', async () => {
    const { before, after, assumptions } = await ask(chain('5us'), [pdlChange({ kernels: 'all' }), graphChange()]);
    for (const { low, makespan, high } of [before, after]) {
      expect(low).toBeLessThan(makespan);
      expect(high).toBeGreaterThan(makespan);
    }
    expect(assumptions.map(({ what }) => what)).toEqual([
      'share of a kernel before its wait',
      'share of a kernel before its trigger',
    ]);
    for (const { low, value, high } of assumptions) expect(low <= value && value <= high && low < high).toBe(true);
  });

  it('what is given is no assumption with a range', async () => {
    const { assumptions } = await ask(chain('5us'), [pdlChange({ kernels: ['k'], preamble: 0.25 })]);
    expect(assumptions.every(({ low, value, high }) => low === 0.25 && value === 0.25 && high === 0.25)).toBe(true);
  });

  it("a framework's time before a graph's launch counts between events", async () => {
    const replay = { what: 'replay', unit: 'us', value: 10, low: 10, high: 10, source: 'test' } as const;
    const [without, withIt] = [
      await ask(chain('5us'), [graphChange()], { withRanges: false }),
      await ask(chain('5us'), [graphChange()], { withRanges: false, replay }),
    ];
    expect(withIt.after.makespan - without.after.makespan).toBeCloseTo(10e6, -5);
    expect(withIt.before.makespan).toBe(without.before.makespan);
  });

  it('page-locking is charged once, beside the time', async () => {
    const builder = programBuilder('copy');
    builder.stream('s', { kind: 'nonBlocking' });
    const host = builder.hostThread();
    host.memcpyAsync('hostToDevice', 8 << 20, 's', { hostMemory: 'pageable' });
    host.deviceSynchronize();
    const { before, after, once } = await ask(builder.build(), [pinnedChange()]);
    expect(after.makespan).toBeLessThan(before.makespan / 2);
    expect(once).toBeGreaterThan(machine.host.timing.mallocHost.value * 1e3);
  });

  it('a change that finds nothing to change says so', async () => {
    const program = chain('5us');
    const { notes, before, after } = await ask(program, [streamsChange(4)]);
    expect(notes).toContain('no stream holds chunks that repeat, so nothing is dealt onto further streams');
    expect(after.makespan).toBe(before.makespan);
  });
});

describe('another machine', () => {
  it('costs of launches move what they bound', async () => {
    const { before, after } = await ask(chain('0us'), [launchCostChange(20e6, '20us')], { observer: 'blocks' });
    expect(after.makespan).toBeGreaterThan(2 * before.makespan);
    expect(after.bound).toBe('host');
  });

  it('one copy engine takes uploads and downloads in turn', async () => {
    const builder = programBuilder('both ways');
    for (const name of ['s', 't']) builder.stream(name, { kind: 'nonBlocking' });
    const host = builder.hostThread();
    host.memcpyAsync('hostToDevice', 32 << 20, 's', { hostMemory: 'pinned' });
    host.memcpyAsync('deviceToHost', 32 << 20, 't', { hostMemory: 'pinned' });
    host.deviceSynchronize();
    const { before, after } = await ask(builder.build(), [copyEnginesChange(1)]);
    expect(after.makespan).toBeGreaterThan(1.7 * before.makespan);
  });

  it('with less bandwidth makes measured kernels longer, and says how it knows', async () => {
    const other = machineByName('h100');
    const { before, after, assumptions } = await ask(chain('0us'), [machineChange(other, machine)]);
    expect(after.run.machine.name).toBe('h100');
    expect(after.makespan).toBeGreaterThan(before.makespan);
    expect(assumptions[0]).toMatchObject({ unit: 'times', low: 1 });
  });

  it('of more devices does the work on each', async () => {
    const { after } = await ask(chain('0us'), [devicesChange(2)]);
    const devices = after.timeline.operations.filter(({ kind }) => kind === 'kernel').map(({ device }) => device);
    expect([devices.filter((each) => each === 0).length, devices.filter((each) => each === 1).length]).toEqual([
      10, 10,
    ]);
  });
});

it('parts of a span without work are none', () => {
  const { parts } = { parts: timeParts({ operations: [] } as never, 0, 0) };
  expect(Object.values(parts)).toEqual([0, 0, 0, 0, 0]);
});
