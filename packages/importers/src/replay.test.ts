import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import { checkProgram, simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { importTraces } from './import-traces.ts';
import { machineNameOf, withTraceRates } from './machine-of-trace.ts';
import { compareReplay } from './replay.ts';
import { traceOfStep } from './steps.ts';
import type { Trace } from './trace.ts';
import { OTHERS, OWN_SETS, ownPath, TWO_STEPS, traceAt } from './trace-files.fixture.ts';

async function replay(paths: readonly string[], ofStep: (trace: Trace) => Trace = (trace) => trace) {
  const traces = (await Promise.all(paths.map(traceAt))).map(ofStep);
  const machine = withTraceRates(machineByName(machineNameOf(traces).name), traces);
  const imported = importTraces(traces, { machine });
  checkProgram(imported.program, machine);
  const timeline = simulate(imported.program, machine);
  expect(timeline.stuck).toEqual([]);
  expect(timeline.errors).toEqual([]);
  return compareReplay(imported, timeline);
}

/** The most by which the makespan of a replay may differ. */
const MOST = 0.02;
/** Copies that follow kernels begin at other moments; and the profiler holds up the first early launch of a graph. */
const MORE: Readonly<Record<string, number>> = { 'chunks-1streams': 0.05, 'scale-dot-2048-pdl-graph': 0.035 };

const SETS = OWN_SETS.map((names) => names.map(ownPath));
const FOREIGN = [
  'hta_event_sync.json.gz',
  'hta_event_sync_multi_stream.json.gz',
  'hta_nccl.json.gz',
  'kineto_docs_after_fix_trace.json',
  'kineto_docs_before_fix_trace.json',
  'nsys_2025.5.2_graph.sqlite',
  'nsys_h100_2gpu_1s.sqlite',
  'tracelens_b200_eager.json.gz',
];

describe('simulated unchanged, a trace gives its own makespan back', () => {
  it.each(SETS.map((paths) => [paths.join(), paths] as const))('%s', async (_, paths) => {
    for (const { difference } of await replay(paths)) expect(Math.abs(difference)).toBeLessThan(MOST);
  });

  it.each(TWO_STEPS.map((names) => [names.join(), names] as const))('a step of %s', async (set, names) => {
    for (const { difference } of await replay(names.map(ownPath), (trace) => traceOfStep(trace, 2, 2))) {
      expect(Math.abs(difference)).toBeLessThan(MORE[set] ?? MOST);
    }
  });

  describe.skipIf(OTHERS === undefined)(
    'traces of other projects (skipped where GRIDDEP_TRACES names no folder)',
    () => {
      it.each(FOREIGN)('%s', { timeout: 60_000 }, async (name) => {
        for (const { difference } of await replay([join(OTHERS as string, name)])) {
          expect(Math.abs(difference)).toBeLessThan(MOST);
        }
      });
    },
  );
});
