import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { importTraces } from '../import-traces.ts';
import { OTHERS } from '../trace-files.fixture.ts';
import { readNsys } from './read-nsys.ts';

const folder = mkdtempSync(join(tmpdir(), 'griddep-nsys-'));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

/** An export with these statements run on it. */
function exported(...statements: readonly string[]): string {
  const path = join(folder, `${made++}.sqlite`);
  const database = new sqlite.Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

const TID = 281476838981743n;
const PID = 281476838981632n;
const STRINGS = `create table StringIds (id integer primary key, value text);
  insert into StringIds values (1, 'cudaLaunchKernel_v7000'), (2, 'scale(float*)'), (3, 'cudaStreamSynchronize_v3020'),
  (4, 'cudaEventRecord_v3020'), (5, 'cudaStreamWaitEvent_v3020')`;
const RUNTIME = `create table CUPTI_ACTIVITY_KIND_RUNTIME
  (start integer, end integer, globalTid integer, correlationId integer, nameId integer)`;
const KERNEL = `create table CUPTI_ACTIVITY_KIND_KERNEL (start integer, end integer, deviceId integer, contextId integer,
  streamId integer, correlationId integer, globalPid integer, shortName integer, registersPerThread integer,
  gridX integer, gridY integer, gridZ integer, blockX integer, blockY integer, blockZ integer)`;
const ROWS = [
  `insert into CUPTI_ACTIVITY_KIND_RUNTIME values (9007199254740993, 9007199254745993, ${TID}, 10, 1)`,
  `insert into CUPTI_ACTIVITY_KIND_KERNEL values
    (9007199254750001, 9007199254760002, 0, 1, 7, 10, ${PID}, 2, 40, 132, 2, 1, 64, 1, 1)`,
];

it('an old schema, without most columns and tables, gives what it has, to the nanosecond', () => {
  const trace = readNsys(exported(STRINGS, RUNTIME, KERNEL, ...ROWS));
  expect(trace.calls).toEqual([expect.objectContaining({ name: 'cudaLaunchKernel', correlation: 10 })]);
  const [kernel] = trace.operations;
  expect(kernel).toMatchObject({ kind: 'kernel', name: 'scale(float*)', grid: [132, 2, 1], block: [64, 1, 1] });
  expect((kernel?.end as number) - (kernel?.start as number)).toBe(10_001_000);
  expect((kernel?.start as number) - (trace.calls[0]?.start as number)).toBe(9_008_000);
});

it('a wait finds its record through the number of the synchronisation', () => {
  const path = exported(
    STRINGS,
    RUNTIME,
    KERNEL,
    ...ROWS,
    `insert into CUPTI_ACTIVITY_KIND_KERNEL select start + 20000, end + 20000, 0, 1, 8, 13, globalPid, 2, 40, 1, 1, 1, 32, 1, 1
      from CUPTI_ACTIVITY_KIND_KERNEL`,
    `insert into CUPTI_ACTIVITY_KIND_RUNTIME select start + 6000, start + 7000, globalTid, 11, 4 from CUPTI_ACTIVITY_KIND_RUNTIME`,
    `insert into CUPTI_ACTIVITY_KIND_RUNTIME select start + 8000, start + 9000, globalTid, 12, 5
      from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId = 10`,
    `insert into CUPTI_ACTIVITY_KIND_RUNTIME select start + 10000, start + 15000, globalTid, 13, 1
      from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId = 10`,
    `create table CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId integer, contextId integer, streamId integer,
      correlationId integer, globalPid integer, eventId integer, eventSyncId integer)`,
    `insert into CUPTI_ACTIVITY_KIND_CUDA_EVENT values (0, 1, 7, 11, ${PID}, 5, 77)`,
    `create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start integer, end integer, deviceId integer, contextId integer,
      streamId integer, correlationId integer, globalPid integer, syncType integer, eventId integer, eventSyncId integer)`,
    `insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values (9007199254749000, 9007199254749001, 0, 1, 8, 12, ${PID}, 2, 5, 77)`,
  );
  const { program, findings } = importTraces([readNsys(path)], { machine: machineByName('h200') });
  const [thread] = program.threads;
  const kinds = Array.from({ length: thread?.calls.length ?? 0 }, (_, i) => thread?.calls.at(i));
  expect(kinds.filter((call) => call?.kind !== 'hostCompute')).toMatchObject([
    { kind: 'launchKernel', stream: 'stream 7' },
    { kind: 'eventRecord', stream: 'stream 7' },
    { kind: 'streamWaitEvent', stream: 'stream 8' },
    { kind: 'launchKernel', stream: 'stream 8' },
  ]);
  expect(findings.filter(({ kind }) => kind === 'unknown')).toEqual([]);
});

describe('a file that is wrong', () => {
  const text = join(folder, 'text.sqlite');
  writeFileSync(text, 'SQLite format 3\u0000 and nothing else');
  it.each([
    ['damaged', () => text, /text\.sqlite: (is damaged|cannot be opened as SQLite)/],
    [
      'of something else',
      () => exported('create table t (a integer)'),
      /is an SQLite file, but no export of Nsight Systems/,
    ],
    ['without names', () => exported(RUNTIME, KERNEL, ...ROWS), /lacks the table StringIds/],
    ['without device rows', () => exported(STRINGS, RUNTIME), /has no kernel, copy or memset/],
    [
      'without a column',
      () =>
        exported(
          STRINGS,
          'create table CUPTI_ACTIVITY_KIND_KERNEL (start integer, deviceId integer, streamId integer)',
        ),
      /table CUPTI_ACTIVITY_KIND_KERNEL lacks the column end/,
    ],
    [
      'with a negative duration',
      () => exported(STRINGS, RUNTIME, KERNEL, ...ROWS, 'update CUPTI_ACTIVITY_KIND_KERNEL set end = start - 1000'),
      /a row of CUPTI_ACTIVITY_KIND_KERNEL lasts -1 us/,
    ],
  ])('%s: says so', (_, path, message) => {
    expect(() => readNsys(path())).toThrow(message);
  });
});

describe.skipIf(OTHERS === undefined)(
  'exports of other projects (skipped where GRIDDEP_TRACES names no folder)',
  () => {
    const counts = (path: string, sql: string) => {
      const database = new sqlite.Database(path, { readOnly: true });
      try {
        return Number(Object.values(database.get(sql) as object)[0]);
      } finally {
        database.close();
      }
    };
    it.each(['nsys_2025.5.2_graph.sqlite', 'nsys_h100_2gpu_1s.sqlite'])('%s holds what its tables count', (name) => {
      const path = join(OTHERS as string, name);
      const rows = (table: string) => counts(path, `select count(*) from ${table}`);
      const trace = readNsys(path);
      const kinds = (kind: string) => trace.operations.filter((operation) => operation.kind === kind).length;
      expect(kinds('kernel')).toBe(rows('CUPTI_ACTIVITY_KIND_KERNEL'));
      expect(kinds('copy')).toBe(rows('CUPTI_ACTIVITY_KIND_MEMCPY'));
      expect(trace.calls).toHaveLength(rows('CUPTI_ACTIVITY_KIND_RUNTIME'));
      expect(trace.waits).toHaveLength(rows('CUPTI_ACTIVITY_KIND_SYNCHRONIZATION'));
      const { program } = importTraces([trace], { machine: machineByName('h200x2') });
      const used = counts(
        path,
        `select count(*) from (select deviceId, streamId from CUPTI_ACTIVITY_KIND_KERNEL union
        select deviceId, streamId from CUPTI_ACTIVITY_KIND_MEMCPY)`,
      );
      expect(program.streams.size).toBeGreaterThanOrEqual(used);
    });
  },
);
