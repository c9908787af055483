import { CUDA_ERRORS } from '@griddep/cuda';
import { cudaErrorIllegalAddress } from '@griddep/cuda/host-api';
import { machineByName } from '@griddep/machine';
import type { Timeline } from '@griddep/timeline';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CALL_NAMES, Handles, performCall, prologue, type RandomApiCall, randomCalls } from './random-calls.fixture.ts';
import { simulateHostCode } from './simulate-host-code.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 10_000 : 500;
const MACHINE = machineByName('h200x2');
const CODES: ReadonlySet<number> = new Set([0, ...Object.values(CUDA_ERRORS)]);
/** Codes that so many sequences meet. */
const EXPECTED = [1, 2, 9, 21, 101, 400, 402, 600, 700, 701, 704, 705, 720, 801, 900, 901, 903, 905, 906, 910, 912];
const ASKS: ReadonlySet<string> = new Set(['cudaGetLastError', 'cudaPeekAtLastError']);

interface Run {
  readonly timeline: Timeline;
  /** By thread and call. */
  readonly codes: readonly (readonly number[])[];
}

/** A call, or the time that one took which is left out. */
type Step = RandomApiCall | { readonly instead: number; readonly awaited: boolean };

async function run(threads: readonly (readonly Step[])[]): Promise<Run> {
  const codes: number[][] = threads.map(() => []);
  const timeline = await simulateHostCode(
    (cuda) => {
      const handles = new Handles(cuda);
      cuda.collectiveGroup('own', [0]);
      for (const [t, steps] of threads.entries()) {
        cuda.hostThread(async (host) => {
          if (t === 0) await prologue(host, handles);
          for (const [i, step] of steps.entries()) {
            host.label(`${t}.${i}`);
            if (!('name' in step)) {
              host.compute(`${step.instead}ps`);
              if (step.awaited) await host.now();
              codes[t]?.push(-1);
              continue;
            }
            const returned = performCall(host, handles, step);
            codes[t]?.push(typeof returned === 'number' ? returned : await returned);
          }
        });
      }
    },
    MACHINE,
    { places: false },
  );
  return { timeline, codes };
}

/** Whether a failure changes more than what the call returns: captures are invalidated or ended, and 700 stays. */
function changesState(code: number): boolean {
  return (code >= 900 && code <= 908) || code === cudaErrorIllegalAddress;
}

/** What happened in the devices and in the calls that did something. */
function done({ operations }: Timeline) {
  return operations
    .filter(({ kind }) => kind !== 'hostCall')
    .map(({ cause, waits, ...operation }) => ({ ...operation, origin: '', cause: cause.kind, waits: waits.length }));
}

it(`${RUNS} random sequences of calls return errors of CUDA's, end, and failures leave nothing behind`, {
  timeout: 3_600_000,
}, async () => {
  const seen = new Map<string, Set<number>>(CALL_NAMES.map((name) => [name, new Set()]));
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(randomCalls, async (calls) => {
      const { timeline, codes } = await run([calls]);
      const [returned = []] = codes;
      expect(returned.length).toBe(calls.length);
      for (const [i, code] of returned.entries()) {
        expect(CODES).toContain(code);
        seen.get((calls[i] as RandomApiCall).name)?.add(code);
      }
      expect(timeline.stuck).toEqual([]);
      const took = new Map(timeline.operations.map(({ id, callBegin, callEnd }) => [id, callEnd - callBegin]));
      const steps = calls.map((call, i): Step => {
        const code = returned[i] as number;
        if (code === 0 || code === 600 || ASKS.has(call.name) || changesState(code)) return call;
        removed++;
        const awaited = /Synchronize|Query|Elapsed|Malloc(Host)?$|Free(Host)?$|Memcpy(Peer)?$|Memset$/.test(call.name);
        return { instead: took.get(`0.${i}`) ?? 0, awaited };
      });
      const without = await run([steps]);
      const [expected = []] = without.codes;
      for (const [i, step] of steps.entries()) {
        if ('name' in step && !ASKS.has(step.name)) expect([i, returned[i]]).toEqual([i, expected[i]]);
      }
      expect(done(without.timeline)).toEqual(done(timeline));
    }),
    { numRuns: RUNS, seed: 20261203, endOnFailure: process.env.GRIDDEP_SHRINK !== '1' },
  );
  expect(removed).toBeGreaterThan(RUNS);
  for (const [name, codes] of seen) expect([name, codes.has(0)]).toEqual([name, true]);
  const all = new Set([...seen.values()].flatMap((codes) => [...codes]));
  expect([...all]).toEqual(expect.arrayContaining([...EXPECTED]));
});

it(`${RUNS / 5} random sequences on two threads that share their handles end, with errors of CUDA's`, {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomCalls, randomCalls, async (first, second) => {
      const { timeline, codes } = await run([first, second]);
      expect(timeline.stuck).toEqual([]);
      expect(codes.map(({ length }) => length)).toEqual([first.length, second.length]);
      for (const code of codes.flat()) expect(CODES).toContain(code);
    }),
    { numRuns: RUNS / 5, seed: 20261204, endOnFailure: process.env.GRIDDEP_SHRINK !== '1' },
  );
});
