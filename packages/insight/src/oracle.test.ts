import { machineByName } from '@griddep/machine';
import { load, type Program, programBuilder, store, trigger, wait, writeProgramYaml } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkHazards } from './check.ts';
import type { Place } from './finding.ts';
import { allOrders } from './oracle.fixture.ts';
import { Places } from './places.ts';
import { Recorder } from './program/recorder.ts';
import { findRaces } from './races/find-races.ts';
import { smallProgram } from './small-program.fixture.ts';

const h200 = machineByName('h200');
const full = process.env.GRIDDEP_FULL === '1';

/** What happens, with the launch before a graph's node. */
function nameOf({ name, launchedBy }: Place): string {
  return launchedBy === undefined ? name : `${launchedBy.name}/${name}`;
}

/** Pairs of operations as texts, by their names in alphabetical order, each once. */
function pairsOf(pairs: readonly (readonly string[])[]): string[] {
  return [...new Set(pairs.map((pair) => [...pair].sort().join(' | ')))].sort();
}

function everyRace(program: Program): string[] {
  const places = new Places(program);
  const { races } = findRaces(new Recorder(program, h200).record(), places, 'contract', true);
  return pairsOf(races.map(({ first, second }) => [nameOf(places.of(first.node)), nameOf(places.of(second.node))]));
}

function reported(program: Program): string[] {
  const found = checkHazards(program, h200).findings.filter(({ accesses }) => accesses.length === 2);
  return pairsOf(found.map(({ accesses }) => accesses.map(({ place }) => nameOf(place))));
}

/**
 * Whether an early launch goes into a stream that another host thread uses too: which kernel is directly before it can be
 * open, and the checker then takes nothing to be ordered.
 */
function isOpen({ threads }: Program): boolean {
  const used = threads.map(({ calls }) => {
    const all = Array.from({ length: calls.distinct }, (_, shape) => calls.distinctCall(shape));
    const early = all.filter((call) => call.kind === 'launchKernel' && call.attributes.programmaticStreamSerialization);
    const streams = (of: typeof all) => new Set(of.flatMap((call) => ('stream' in call ? [call.stream] : [])));
    return { all: streams(all), early: streams(early) };
  });
  return used.some(({ early }, i) => used.some(({ all }, j) => i !== j && [...early].some((name) => all.has(name))));
}

it('2.1, 2.2, 2.3, 2.4, 2.6, 4.7, 4.8, 4.9, 5.1, 5.4 agrees with all orders of small programs, tried one by one', () => {
  const seen = { racing: 0, graphs: 0, open: 0, openAlike: 0 };
  fc.assert(
    fc.property(smallProgram(), (program) => {
      const orders = allOrders(program);
      fc.pre(orders !== undefined);
      const { races } = orders as NonNullable<typeof orders>;
      const expected = [...races].sort();
      const [every, some] = [everyRace(program), reported(program)];
      const isAlike = every.join() === expected.join() && some.every((pair) => races.has(pair));
      const mayHaveMore = isOpen(program);
      seen.racing += races.size > 0 ? 1 : 0;
      seen.graphs += program.graphs.size;
      seen.open += mayHaveMore ? 1 : 0;
      seen.openAlike += mayHaveMore && isAlike ? 1 : 0;
      const agrees = isAlike || (mayHaveMore && expected.every((pair) => every.includes(pair)));
      if (agrees && (some.length > 0 || races.size === 0)) return;
      throw new Error(`all orders: ${expected}; the checker: ${every}, of which ${some}\n${writeProgramYaml(program)}`);
    }),
    { numRuns: full ? 5000 : 200 },
  );
  expect(seen.racing).toBeGreaterThan(50);
  expect(seen.graphs).toBeGreaterThan(50);
  // In most of these nothing is open after all.
  expect(seen.openAlike).toBeGreaterThan(0.8 * seen.open);
}, 3_600_000);

it('1.15, 2.4 another thread’s early launch without a wait may come between a kernel and its dependent', () => {
  const made = (waits: boolean, isHeard: boolean): Program => {
    const p = programBuilder('between');
    p.buffer('x', { bytes: 128 });
    p.stream('s', { kind: 'nonBlocking' });
    p.kernel('write', { grid: 1, block: 64, phases: [trigger(), store(64, 'x')] });
    p.kernel('read', { grid: 1, block: 64, phases: [wait(), load(64, 'x')] });
    p.kernel('other', { grid: 1, block: 64, phases: [trigger(), ...(waits ? [wait()] : [])] });
    const [a, b] = [p.hostThread('a'), p.hostThread('b')];
    const early = { programmaticStreamSerialization: true };
    a.launchKernel('write', 's', {}, { label: 'write' });
    a.launchKernel('read', 's', early, { label: 'read' });
    a.hostSignal('done');
    if (isHeard) b.hostAwait('done');
    b.launchKernel('other', 's', early, { label: 'other' });
    return p.build();
  };
  for (const [waits, isHeard, races] of [
    [false, false, ['read | write']],
    [true, false, []],
    [false, true, []],
  ] as const) {
    const program = made(waits, isHeard);
    expect([...(allOrders(program)?.races ?? [])]).toEqual(races);
    expect(everyRace(program)).toEqual(races);
  }
  expect(checkHazards(made(false, false), h200).findings.map(({ kind }) => kind)).toContain('unordered-threads');
});
