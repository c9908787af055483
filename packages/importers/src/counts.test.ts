import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { importTraces } from './import-traces.ts';
import { machineNameOf } from './machine-of-trace.ts';
import { streamOverlaps } from './overlaps.ts';
import { OTHERS, OWN_SETS, ownPath, textAt, traceAt } from './trace-files.fixture.ts';

const KINETO = [
  'hta_event_sync.json.gz',
  'hta_event_sync_multi_stream.json.gz',
  'hta_nccl.json.gz',
  'kineto_docs_after_fix_trace.json',
  'kineto_docs_before_fix_trace.json',
  'tracelens_b200_eager.json.gz',
];

const folder = OTHERS;
const files = [
  ...OWN_SETS.flat().map((name) => ownPath(name)),
  ...(folder === undefined ? [] : KINETO.map((name) => join(folder, name))),
];

describe.each(files)('%s', (path) => {
  it('holds what a plain count of its rows finds, and so does its program', async () => {
    const { traceEvents } = JSON.parse(textAt(path)) as { traceEvents: Record<string, unknown>[] };
    const rows = (category: string) => traceEvents.filter(({ ph, cat }) => ph === 'X' && cat === category);
    const argument = (row: Record<string, unknown>, name: string) => (row.args as Record<string, unknown>)[name];
    const device = [...rows('kernel'), ...rows('gpu_memcpy'), ...rows('gpu_memset')];
    const expected = {
      kernel: rows('kernel').length,
      copy: rows('gpu_memcpy').length,
      memset: rows('gpu_memset').length,
      streams: new Set(device.map((row) => `${argument(row, 'device')} ${argument(row, 'stream')}`)).size,
      calls: rows('cuda_runtime').length + rows('cuda_driver').length,
      waits: rows('cuda_sync').length,
    };
    const trace = await traceAt(path);
    const kinds = (kind: string) => trace.operations.filter((operation) => operation.kind === kind).length;
    const streams = new Set(trace.operations.map((each) => `${each.device} ${each.stream}`)).size;
    expect({
      kernel: kinds('kernel'),
      copy: kinds('copy'),
      memset: kinds('memset'),
      streams,
      calls: trace.calls.length,
      waits: trace.waits.length,
    }).toEqual(expected);
    const { program } = importTraces([trace], { machine: machineByName(machineNameOf([trace]).name) });
    expect(countsOf(program)).toMatchObject({
      kernel: expected.kernel,
      copy: expected.copy,
      memset: expected.memset,
      streams: expected.streams,
    });
  });
});

/** Operations that a program makes, with those of graphs for every launch. */
function countsOf(program: Program) {
  const counts = { kernel: 0, copy: 0, memset: 0, streams: program.streams.size };
  const kinds: Record<string, 'kernel' | 'copy' | 'memset'> = {
    launchKernel: 'kernel',
    memcpy: 'copy',
    memset: 'memset',
  };
  const graphs = new Map<string, string>();
  for (const { calls } of program.threads) {
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      if (call.kind === 'graphInstantiate') graphs.set(call.executable, call.graph);
      if (call.kind === 'graphLaunch') {
        for (const node of program.graphs.get(graphs.get(call.executable) ?? '')?.nodes ?? []) {
          const kind = kinds[node.call.kind];
          if (kind !== undefined) counts[kind]++;
        }
      }
      const kind = kinds[call.kind];
      if (kind !== undefined) counts[kind]++;
    }
  }
  return counts;
}

describe.skipIf(OTHERS === undefined)('traces of other projects (skipped where GRIDDEP_TRACES names no folder)', () => {
  it('[traceio-perfetto-4280] the 74 overlaps of kernels of one stream are found', async () => {
    const expected = JSON.parse(textAt(join(OTHERS as string, 'tracelens_b200_overlaps.json'))) as Record<
      string,
      number
    >[];
    const overlaps = streamOverlaps(await traceAt(join(OTHERS as string, 'tracelens_b200_eager.json.gz')));
    const found = overlaps.map(({ first, second, length }) => ({
      first_corr: first.correlation,
      second_corr: second.correlation,
      overlap_us: length / 1e6,
    }));
    expect(found).toEqual(
      expected.map(({ first_corr, second_corr, overlap_us }) => ({ first_corr, second_corr, overlap_us })),
    );
    expect(found).toHaveLength(74);
  });

  it('[traceio-kineto-1318] a wait that stands before its record is resolved, one that is -1 is not known', async () => {
    const trace = await traceAt(join(OTHERS as string, 'hta_event_sync_multi_stream.json.gz'));
    const { program, findings } = importTraces([trace], { machine: machineByName('a100') });
    const calls = program.threads.flatMap(({ calls: table }) =>
      Array.from({ length: table.length }, (__, i) => table.at(i)),
    );
    const waits = calls.filter(({ kind }) => kind === 'streamWaitEvent');
    const records = calls.filter(({ kind }) => kind === 'eventRecord');
    expect(waits).toMatchObject([{ stream: 'stream 24', event: 'event 1385' }]);
    expect(records).toMatchObject([{ stream: 'stream 20' }, { stream: 'stream 28' }, { stream: 'stream 20' }]);
    expect(records[2]).toMatchObject({ event: 'event 1385' });
    const unknown = { kind: 'unknown', what: 'records of events in a stream that is not told', count: 1 };
    expect(findings).toContainEqual(expect.objectContaining(unknown));
    const before = await traceAt(join(OTHERS as string, 'kineto_docs_before_fix_trace.json'));
    expect(importTraces([before], { machine: machineByName('h100') }).findings).toContainEqual(
      expect.objectContaining({ kind: 'unknown', what: 'stream waits whose record is not in the file', count: 1 }),
    );
  });
});
