import { machineByName } from '@griddep/machine';
import { type Program, writeProgramYaml } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkHazards } from '../check.ts';
import type { Finding, Place } from '../finding.ts';
import { Places } from '../places.ts';
import { Recorder } from '../program/recorder.ts';
import { hazardFree } from '../removal.fixture.ts';
import { smallProgram } from '../small-program.fixture.ts';
import { conditionsOf } from './conditions.ts';
import { explore, replay } from './explore.ts';
import type { Explored } from './explored.ts';
import { NO_HOLDS } from './holds.ts';
import { OrderSearch } from './orders.ts';
import { disagreements, sameFinding } from './shown.fixture.ts';
import { spinningProgram } from './spinning-program.fixture.ts';
import { allCalls, withCalls } from './sub-program.ts';

const machine = machineByName('h200x4');
const full = process.env.GRIDDEP_FULL === '1';
const numRuns = full ? 5000 : 200;
const HOUR = 3_600_000;

/** Fails where schedules and the checker do not agree; returns whether something was found. */
function agree(program: Program): boolean {
  const { findings } = checkHazards(program, machine);
  const result = explore(program, machine, { shrink: 0, random: 5 });
  const unlike = disagreements(findings, result);
  if (unlike.length > 0) throw new Error(`${unlike.join('\n')}\n${writeProgramYaml(program)}`);
  return result.findings.length > 0;
}

it(
  '2.1, 2.2, 5.4 shows nothing in programs without hazards, and what is open without one of their orderings',
  () => {
    let mattered = 0;
    fc.assert(
      fc.property(hazardFree(), fc.nat(), (made, pick) => {
        // A kernel that may not touch another device's memory does not run.
        fc.pre(checkHazards(made.program, machine).findings.every(({ verdict }) => verdict !== 'CUDA error'));
        if (agree(made.program)) throw new Error('something is found in a program without hazards');
        const order = made.orders[pick % made.orders.length];
        if (order === undefined) return;
        const reduced = made.without(order);
        const open = made.unordered(order);
        const places = explore(reduced, machine, { shrink: 0, random: 0 }).findings.map(({ accesses }) => accesses);
        const pairs = new Set(places.map(([late, early]) => `${late?.place.name} | ${early?.place.name}`));
        mattered += open.size > 0 ? 1 : 0;
        if ([...pairs].sort().join() === [...open].sort().join()) return;
        throw new Error(`without ${order}: ${[...open]} are open, shown: ${[...pairs]}\n${writeProgramYaml(reduced)}`);
      }),
      { numRuns },
    );
    expect(mattered).toBeGreaterThan(numRuns / 10);
  },
  HOUR,
);

it(
  '2.1, 2.2, 2.3, 2.4, 5.1 shows what the checker reports in small programs, and nothing where it calls them safe',
  () => {
    let [safe, unsafe] = [0, 0];
    fc.assert(
      fc.property(smallProgram(12), (program) => {
        if (agree(program)) unsafe++;
        else safe++;
      }),
      { numRuns },
    );
    expect(Math.min(safe, unsafe)).toBeGreaterThan(numRuns / 10);
  },
  HOUR,
);

it(
  '1.2, 5.11, 5.13 shows the deadlocks that the checker reports in programs with flags, and no others',
  () => {
    let [safe, stuck] = [0, 0];
    fc.assert(
      fc.property(spinningProgram(), (program) => {
        if (agree(program)) stuck++;
        else safe++;
      }),
      { numRuns },
    );
    expect(Math.min(safe, stuck)).toBeGreaterThan(numRuns / 10);
  },
  HOUR,
);

it(
  '2.2 no order drawn by chance lets accesses change places that were not found by putting off each',
  () => {
    let swapped = 0;
    fc.assert(
      fc.property(smallProgram(12), fc.nat(1000), (program, value) => {
        const recorded = new Recorder(program, machine).record();
        const search = new OrderSearch(conditionsOf(recorded, NO_HOLDS), new Places(program));
        search.search({ bound: 10_000, random: 0, seed: 0 });
        const known = new Set([...search.swaps.values()].map(({ late, early }) => `${late.at} ${early.at}`));
        for (const { late, early } of search.swapsOf({ kind: 'random', value })) {
          swapped++;
          expect(known).toContain(`${late.at} ${early.at}`);
        }
      }),
      { numRuns },
    );
    expect(swapped).toBeGreaterThan(100);
  },
  HOUR,
);

/** Leaves out one call after the other; fails where the finding is still there without an error that was not. */
function neededCalls(program: Program, { kind, places }: Explored, count: number): number {
  const isThis = (other: Explored): boolean =>
    other.kind === kind && other.places.every((place, i) => nameOf(place) === nameOf(places[i]));
  const kept = allCalls(program);
  for (const [t, calls] of kept.entries()) {
    for (const call of calls) {
      const fewer = withCalls(
        program,
        kept.map((list, other) => (other === t ? list.filter((each) => each !== call) : list)),
      );
      const { findings } = explore(fewer, machine, { shrink: 0, random: 0 });
      if (!findings.some(isThis) || checkHazards(fewer, machine).findings.some(isError)) continue;
      throw new Error(`call ${call} of thread ${t} is not needed\n${writeProgramYaml(program)}`);
    }
  }
  return count;
}

/** What a place is called, with the launch of the graph that it is a node of. */
function nameOf(place: Place | undefined): string {
  return place?.launchedBy === undefined ? `${place?.name}` : `${place.launchedBy.name}/${place.name}`;
}

function isError({ verdict }: Finding): boolean {
  return verdict === 'CUDA error';
}

it(
  '2.2, 5.11 a seed replays its finding, and the fewest calls still show it and are all needed',
  () => {
    let [shown, shrunk, needed] = [0, 0, 0];
    const programs = fc.oneof(smallProgram(12), spinningProgram());
    fc.assert(
      fc.property(programs, (program) => {
        for (const finding of explore(program, machine, { random: 20 }).findings) {
          shown++;
          const again = replay(program, machine, finding.seed).findings.filter((each) => sameFinding(each, finding));
          if (again.length !== 1)
            throw new Error(`${finding.seed} does not replay ${finding.text}\n${writeProgramYaml(program)}`);
          expect(again[0]?.schedule).toEqual(finding.schedule);
          if (finding.smallest === undefined) continue;
          shrunk++;
          const { seed, calls, program: smaller } = finding.smallest;
          const still = replay(smaller, machine, seed).findings;
          const isThis = ({ kind, places }: (typeof still)[number]): boolean =>
            kind === finding.kind && places[0]?.name === finding.places[0]?.name;
          if (!still.some(isThis)) throw new Error(`${finding.text} is lost\n${writeProgramYaml(smaller)}`);
          expect(calls.length).toBe(smaller.threads.reduce((sum, thread) => sum + thread.calls.length, 0));
          if (/^delay:\d+$/.test(finding.seed)) needed += neededCalls(smaller, finding, calls.length);
        }
      }),
      { numRuns: full ? 1000 : 100 },
    );
    expect(Math.min(shown, shrunk, needed)).toBeGreaterThan(100);
  },
  HOUR,
);
