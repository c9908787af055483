import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import { assignLanes, type Timeline, writeChromeTrace, writePerfetto } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { importTraces } from './import-traces.ts';
import { machineNameOf } from './machine-of-trace.ts';
import { readChromeStrictly } from './strict-chrome.fixture.ts';
import { readPerfettoStrictly } from './strict-perfetto.fixture.ts';
import type { Trace } from './trace.ts';
import { OTHERS, OWN_SETS, ownPath, traceAt } from './trace-files.fixture.ts';
import { tracedTimeline } from './traced-timeline.ts';

const imported = (traces: readonly Trace[]) =>
  importTraces(traces, { machine: machineByName(machineNameOf(traces).name) });

/** What a reader has to get back, sorted: name and whole ns. */
function sorted(slices: readonly { readonly name: string; readonly start: number; readonly end: number }[]): string[] {
  return slices.map(({ name, start, end }) => `${name} ${start} ${end}`).sort();
}

function deviceIntervals(timeline: Timeline, origin = 0) {
  const ns = (time: number) => Math.round((time - origin) / 1000);
  return timeline.operations
    .filter(({ device, start, end }) => device >= 0 && start <= end)
    .map(({ name, kind, start, end }) => ({ name: name || kind, start: ns(start), end: ns(end) }));
}

function checkExports(timeline: Timeline): void {
  const chrome = readChromeStrictly(writeChromeTrace(timeline));
  const onDevices = chrome.filter(({ process, category }) => process !== 'host' && category !== 'wait');
  const isInterval = ({ args }: { args: object }) => 'start (us)' in args;
  expect(sorted(onDevices.filter(isInterval))).toEqual(sorted(deviceIntervals(timeline)));
  const first = assignLanes(timeline).reduce((least, lane) => Math.min(least, lane.slices[0]?.start ?? 0), 0);
  const perfetto = readPerfettoStrictly(writePerfetto(timeline));
  const found = new Map<string, number>();
  for (const each of sorted(perfetto.filter(({ group }) => group !== 'host')))
    found.set(each, (found.get(each) ?? 0) + 1);
  const wanted = new Map<string, number>();
  for (const each of sorted(deviceIntervals(timeline, first))) wanted.set(each, (wanted.get(each) ?? 0) + 1);
  for (const [each, count] of wanted) expect([each, found.get(each)]).toEqual([each, count]);
}

describe.each(OWN_SETS.map((names) => [names.join(), names] as const))('%s', (_, names) => {
  it('loses no interval on the way to Chrome and Perfetto, as it was traced and as it is simulated', async () => {
    const traces = await Promise.all(names.map((name) => traceAt(ownPath(name))));
    const made = imported(traces);
    const traced = tracedTimeline(made);
    expect(deviceIntervals(traced)).toHaveLength(traces.reduce((sum, { operations }) => sum + operations.length, 0));
    checkExports(traced);
    checkExports(simulate(made.program, machineByName(machineNameOf(traces).name)));
  });
});

describe.skipIf(OTHERS === undefined)(
  'a trace of another project (skipped where GRIDDEP_TRACES names no folder)',
  () => {
    it('[traceio-perfetto-4280] the 74 overlaps of a stream survive the export, each on a lane of its own', async () => {
      const traced = tracedTimeline(imported([await traceAt(join(OTHERS as string, 'tracelens_b200_eager.json.gz'))]));
      checkExports(traced);
      const slices = readChromeStrictly(writeChromeTrace(traced)).filter(({ process }) => process !== 'host');
      const stream = slices
        .filter(({ thread }) => /^stream 7( \(2\))?$/.test(thread))
        .sort((a, b) => a.start - b.start);
      const overlaps = stream.filter((slice, i) => i > 0 && slice.start < (stream[i - 1]?.end ?? 0));
      expect(overlaps).toHaveLength(74);
    });
  },
);
