import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import { checkProgram, simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { importTraces } from './import-traces.ts';
import { machineNameOf, withTraceRates } from './machine-of-trace.ts';
import { compareReplay } from './replay.ts';
import { OTHERS, OWN_SETS, ownPath, traceAt } from './trace-files.fixture.ts';

async function replay(paths: readonly string[]) {
  const traces = await Promise.all(paths.map(traceAt));
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
