import { machineByName } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { importTraces } from './import-traces.ts';
import { kernel, kinetoTrace, launch, type RowInput } from './kineto-trace.fixture.ts';
import { stepsOf, traceOfStep } from './steps.ts';

const machine = machineByName('h200');
const call = (name: string, correlation: number, ts: number): RowInput => ({
  cat: 'cuda_runtime',
  name,
  ts,
  dur: 2,
  args: { correlation },
});
const sync = (args: object): RowInput => ({ cat: 'cuda_sync', name: 'Stream Wait Event', ts: 0, dur: 1, args });

function callsOf(rows: readonly RowInput[]) {
  const { program, findings } = importTraces([kinetoTrace(rows)], { machine });
  const calls = program.threads.flatMap(({ calls: table }) =>
    Array.from({ length: table.length }, (_, i) => table.at(i)),
  );
  return { program, findings, calls: calls.filter(({ kind }) => kind !== 'hostCompute') };
}

describe('what ties streams', () => {
  const rows = (wait: object, start = 100): RowInput[] => [
    // As profilers write it: the wait's row comes before the record that it is for.
    sync({ cuda_sync_kind: 'Stream Wait Event', stream: 8, correlation: 3, device: 0, context: 1, ...wait }),
    launch(1, 0),
    kernel(1, 10, 50, 7),
    call('cudaEventRecord', 2, 10),
    call('cudaStreamWaitEvent', 3, 20),
    launch(4, 30),
    kernel(4, start, 5, 8),
  ];

  it('[traceio-kineto-1318] a wait that comes before its record in the file is resolved by the record', () => {
    const known = { wait_on_stream: 7, wait_on_cuda_event_record_corr_id: 2, wait_on_cuda_event_id: 9 };
    const { calls, program } = callsOf(rows(known));
    expect(calls).toMatchObject([
      { kind: 'launchKernel', stream: 'stream 7' },
      { kind: 'eventRecord', stream: 'stream 7' },
      { kind: 'streamWaitEvent', stream: 'stream 8' },
      { kind: 'launchKernel', stream: 'stream 8' },
    ]);
    const [first, second] = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
    expect(second?.start).toBeGreaterThan(first?.end as number);
  });

  it('[traceio-kineto-1318] one that says -1 is not known, and is said to be so', () => {
    const unknown = { wait_on_stream: -1, wait_on_cuda_event_record_corr_id: -1, wait_on_cuda_event_id: 9 };
    const { calls, findings } = callsOf(rows(unknown, 40));
    expect(calls.map(({ kind }) => kind)).toEqual(['launchKernel', 'launchKernel']);
    expect(findings.filter(({ kind }) => kind === 'unknown').map(({ what }) => what)).toEqual([
      'stream waits whose record is not in the file',
      'records of events in a stream that is not told',
      'stream waits whose stream or event is not told',
    ]);
  });

  it('[traceio-kineto-904] a wait without a row is no proof that nothing is waited for', () => {
    const { findings } = callsOf(rows({}, 40).slice(1));
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'unknown', what: 'stream waits whose stream or event is not told', count: 1 }),
    );
  });
});

describe('records and waits whose streams are not told', () => {
  const bucket = (n: number, afterwards: number): RowInput[] => [
    launch(10 * n, 100 * n),
    kernel(10 * n, 100 * n + 10, 20, 7),
    call('cudaEventRecord', 10 * n + 1, 100 * n + 10),
    call('cudaStreamWaitEvent', 10 * n + 2, 100 * n + 14),
    launch(10 * n + 3, 100 * n + 20),
    kernel(10 * n + 3, 100 * n + afterwards, 30, 8),
  ];
  const waitsOf = (rows: readonly RowInput[]) => callsOf(rows).calls.filter(({ kind }) => kind === 'streamWaitEvent');

  it('[traceio-kineto-904] are taken from the order of calls where nothing in the trace speaks against it', () => {
    expect(waitsOf([...bucket(1, 32), ...bucket(2, 33)])).toMatchObject([
      { stream: 'stream 8' },
      { stream: 'stream 8' },
    ]);
    const assumed = { kind: 'assumed', what: 'stream waits from the order of calls alone', count: 2 };
    expect(callsOf([...bucket(1, 32), ...bucket(2, 33)]).findings).toContainEqual(expect.objectContaining(assumed));
  });

  it('[traceio-kineto-904] and from none of the places where the later work once ran before the earlier ended', () => {
    expect(waitsOf([...bucket(1, 32), ...bucket(2, 25)])).toEqual([]);
  });
});

it('order never comes from times: a kernel that the file puts later runs as soon as its stream lets it', () => {
  const { program } = callsOf([launch(1, 0), kernel(1, 10, 5, 7), launch(2, 6), kernel(2, 900, 5, 8)]);
  const [first, second] = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
  expect((second?.start as number) - (first?.start as number)).toBeLessThan(30e6);
});

describe('kernels of one stream that overlap', () => {
  it('[traceio-perfetto-4280] are taken as a programmatic launch, and overlap again', () => {
    const { program, calls } = callsOf([
      launch(1, 0.5),
      kernel(1, 10, 20),
      launch(2, 6),
      kernel(2, 22, 20, 7, 'other'),
    ]);
    expect(calls).toMatchObject([{ attributes: {} }, { attributes: { programmaticStreamSerialization: true } }]);
    const [first, second] = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
    expect(second?.start).toBeLessThan(first?.end as number);
    expect((second?.end as number) - (first?.start as number)).toBeGreaterThan(31e6);
  });

  it('[traceio-perfetto-4280] by no more than times are rounded by are not', () => {
    const { calls } = callsOf([launch(1, 0), kernel(1, 10, 3), launch(2, 6), kernel(2, 12, 3)]);
    expect(calls).toMatchObject([{ attributes: {} }, { attributes: {} }]);
  });
});

describe('collectives of several ranks', () => {
  const rank = (number: number, arrival: number, length: number) => {
    const args = {
      'Collective name': 'allreduce',
      'Process Group Name': '0',
      'Process Group Ranks': '[0, 1]',
      'Group size': 2,
    };
    const made = kernel(1, arrival, length, 7, 'ncclDevKernel');
    const row = { ...made, args: { ...made.args, ...args, device: number } };
    return kinetoTrace([launch(1, arrival - 8.5), row], {
      distributedInfo: { rank: number },
      baseTimeNanoseconds: 1_000_000,
    });
  };

  it('are matched: who comes first waits for the last, and both end together', () => {
    const traces = [rank(0, 100, 250), rank(1, 300, 50)].map((trace, i) => ({
      ...trace,
      epoch: i === 0 ? 100_000n : 300_000n,
    }));
    const { program, findings } = importTraces(traces, { machine: machineByName('h200x2') });
    expect(findings.filter(({ kind }) => kind === 'unknown')).toEqual([]);
    const ends = simulate(program, machineByName('h200x2')).operations.filter(({ kind }) => kind === 'kernel');
    expect(ends).toHaveLength(2);
    expect(Math.abs((ends[0]?.end as number) - (ends[1]?.end as number))).toBeLessThan(5e6);
    expect((ends[0]?.end as number) - (ends[0]?.start as number)).toBeGreaterThan(200e6);
  });

  it('without the others are kernels of their own time, and counted', () => {
    const { findings } = importTraces([rank(0, 100, 250)], { machine });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'unknown', what: 'collectives whose other ranks are in no file', count: 1 }),
    );
  });
});

describe('steps', () => {
  const rows = [1, 2, 3, 4].flatMap((n) => [
    launch(2 * n, 100 * n),
    kernel(2 * n, 100 * n + 10, 5, 7, 'a'),
    launch(2 * n + 1, 100 * n + 20),
    kernel(2 * n + 1, 100 * n + 30, 5, 7, n % 2 === 0 ? 'c' : 'b'),
  ]);

  it('are the shortest sequence that repeats to the end', () => {
    const trace = kinetoTrace(rows);
    expect(stepsOf(trace).map(({ number }) => number)).toEqual([1, 2]);
    expect(traceOfStep(trace, 2).operations.map(({ correlation }) => correlation)).toEqual([6, 7, 8, 9]);
    expect(() => traceOfStep(trace, 3)).toThrow('t.json: has no step 3: it has 1 to 2');
  });

  it('are those that the profiler was told', () => {
    const named = { cat: 'user_annotation', name: 'ProfilerStep#41', ts: 290, dur: 50 };
    const trace = kinetoTrace([...rows, named]);
    expect(traceOfStep(trace, 41).operations.map(({ correlation }) => correlation)).toEqual([6, 7]);
  });
});

it('ranges and operators become groups', () => {
  const { program } = callsOf([
    { cat: 'user_annotation', name: 'step', ts: 0, dur: 100 },
    { cat: 'cpu_op', name: 'aten::mm', ts: 1, dur: 20 },
    launch(1, 2),
    kernel(1, 10, 5),
    launch(2, 40),
    kernel(2, 50, 5),
  ]);
  const kernels = simulate(program, machine).operations.filter(({ kind }) => kind === 'kernel');
  expect(kernels.map(({ path }) => path)).toEqual(['step/aten::mm', 'step']);
});
