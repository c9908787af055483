import { machineByName } from '@griddep/machine';
import { load, type ProgramBuilder, programBuilder, spin, store } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { checkHazards } from '../check.ts';
import type { Finding } from '../finding.ts';
import { withSimulatedTimes } from './as-simulated.ts';

const h200 = machineByName('h200');
const RANGE = { buffer: 'x', bytes: 4096, blockStride: 4096 };
const ACCESS = { read: load, write: store };

async function raceOf(builder: ProgramBuilder): Promise<Finding> {
  const program = builder.build();
  const judged = checkHazards(program, h200);
  const { findings } = await withSimulatedTimes(judged, program, async (named) => simulate(named, h200));
  const races = findings.filter(({ verdict }) => verdict === 'race');
  expect(races).toHaveLength(1);
  return races[0] as Finding;
}

/** Two accesses in two streams; the second kernel spins for so long before its own. */
function pair(first: 'read' | 'write', second: 'read' | 'write', before: string): ProgramBuilder {
  const p = programBuilder('pair');
  p.buffer('x', { bytes: 65_536 });
  p.kernel('one', { grid: 16, block: 256, phases: [spin('20us'), ACCESS[first](4096, RANGE)] });
  p.kernel('other', { grid: 16, block: 256, phases: [spin(before), ACCESS[second](4096, RANGE)] });
  p.kernel('long', { grid: 1, block: 32, phases: [spin('90us')] });
  for (const stream of ['s', 't']) p.stream(stream, { kind: 'nonBlocking' });
  return p;
}

const MODES = [
  ['write', 'read'],
  ['read', 'write'],
  ['write', 'write'],
] as const;

describe('5.4 a race, as simulated', () => {
  it.each(MODES)('of streams: %s, then %s', async (first, second) => {
    const apart = pair(first, second, '1us');
    const late = apart.hostThread('main');
    late.launchKernel('one', 's');
    late.launchKernel('long', 't');
    late.launchKernel('other', 't');
    late.deviceSynchronize();
    const hidden = await raceOf(apart);
    expect(hidden.simulatedGapNs).toBeGreaterThan(50_000);
    expect(hidden.text).toMatch(/"other" comes \d+\.\d us after "one" has ended: timing hides the race/);

    const together = pair(first, second, '1us');
    const both = together.hostThread('main');
    both.launchKernel('one', 's');
    both.launchKernel('other', 't');
    both.deviceSynchronize();
    const shown = await raceOf(together);
    expect(shown.simulatedGapNs).toBeLessThan(0);
    expect(shown.text).toMatch(/the two overlap, "other" from \d+\.\d us before the end of "one" on\.$/);
  });

  it.each(MODES)('of a graph that was captured: %s, then %s', async (first, second) => {
    const p = pair(first, second, '1us');
    p.event('fork', { timing: false });
    p.event('join', { timing: false });
    const host = p.hostThread('main');
    host.streamBeginCapture('s');
    host.eventRecord('fork', 's');
    host.streamWaitEvent('t', 'fork');
    host.launchKernel('one', 's');
    host.launchKernel('other', 't');
    host.eventRecord('join', 't');
    host.streamWaitEvent('s', 'join');
    host.streamEndCapture('s', 'graph');
    host.graphInstantiate('graph', 'executable');
    host.graphLaunch('executable', 's');
    host.deviceSynchronize();
    expect((await raceOf(p)).simulatedGapNs).toBeLessThan(0);
  });

  it.each(MODES)('of a graph made by hand: %s, then %s', async (first, second) => {
    const p = pair(first, second, '1us');
    const node = (id: string, kernel: string) => ({ id, call: { launchKernel: { kernel, stream: 's' } } });
    p.graph('graph', [node('a', 'one'), node('b', 'other')], []);
    const host = p.hostThread('main');
    host.graphInstantiate('graph', 'executable');
    host.graphLaunch('executable', 's');
    host.deviceSynchronize();
    const { simulatedGapNs, text } = await raceOf(p);
    expect(simulatedGapNs).toBeLessThan(0);
    expect(text).toContain('the two overlap');
  });

  it('the other way round, where what is called second is over first', async () => {
    const p = pair('write', 'read', '1us');
    const host = p.hostThread('main');
    host.launchKernel('long', 's');
    host.launchKernel('one', 's');
    host.launchKernel('other', 't');
    host.deviceSynchronize();
    const { simulatedGapNs, text } = await raceOf(p);
    expect(simulatedGapNs).toBeLessThan(-50_000);
    expect(text).toMatch(/"other" is over \d+\.\d us before "one" begins\.$/);
  });

  it('leaves labels of the user alone, and programs without races unsimulated', async () => {
    const p = pair('write', 'read', '1us');
    const host = p.hostThread('main');
    host.launchKernel('one', 's', {}, { label: '0:1' });
    host.launchKernel('other', 't', {}, { label: '0:0' });
    host.deviceSynchronize();
    const { simulatedGapNs, text } = await raceOf(p);
    expect(simulatedGapNs).toBeLessThan(0);
    expect(text).toContain('"0:0" from');
    const safe = pair('read', 'read', '1us');
    safe.hostThread('main').launchKernel('one', 's');
    const program = safe.build();
    const judged = checkHazards(program, h200);
    const simulated = withSimulatedTimes(judged, program, () => Promise.reject(new Error('simulated')));
    await expect(simulated).resolves.toBe(judged);
  });
});
