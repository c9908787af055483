import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineByName } from '@griddep/machine';
import { listScenarios, load, programBuilder, spin, store, trigger, wait } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { devicesOf, isGated } from '../measured-case.ts';
import { readCases } from '../read-cases.ts';
import { validateCase } from '../validate.ts';
import { expectedData } from './expected-data.ts';
import { exportPrograms } from './export-programs.ts';
import { measurable } from './measurable.ts';
import { caseFileOf } from './simulated-case.fixture.ts';

const SCENARIOS = listScenarios().filter(({ aliasOf }) => aliasOf === undefined);
const COMPILE_LIMIT = 600_000;

function hasCompiler(): boolean {
  try {
    execFileSync('nvcc', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('every scenario of the library', () => {
  it.each(SCENARIOS.map((s) => [s.name, s] as const))('%s runs with the measuring around it', (_, scenario) => {
    const measured = measurable(scenario.build());
    const count = devicesOf({ program: measured.program } as never);
    const timeline = simulate(measured.program, machineByName(count > 1 ? `h200x${count}` : 'h200'));
    expect(timeline.errors).toEqual([]);
    expect(timeline.stuck).toEqual([]);
    const zero = timeline.operations.find(({ id }) => id === measured.observation.zero.operation);
    expect(zero).toBeDefined();
    if (!measured.gated) return;
    // Behind the gate nothing of the program runs before the host made all calls.
    const own = timeline.operations.filter((o) => o.kind === 'kernel' && o.id !== zero?.id && !o.id.startsWith('gate'));
    expect(Math.min(...own.map(({ start }) => start))).toBeGreaterThan(zero?.end ?? Number.NaN);
  });

  it.skipIf(!hasCompiler())(
    'compiles for sm_90 without warnings (skipped without nvcc on the path)',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'griddep-export-'));
      try {
        const file = join(folder, 'all.cu');
        writeFileSync(file, exportPrograms(SCENARIOS.map((s) => ({ program: s.build() }))));
        const warnings = ['-Xcompiler', '-Wall', '-Werror', 'all-warnings'];
        const options = [
          '-std=c++17',
          '-arch=sm_90',
          '-Xcompiler',
          '-O0',
          ...warnings,
          '-c',
          '-o',
          join(folder, 'all.o'),
        ];
        execFileSync('nvcc', [...options, file], { stdio: 'pipe' });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    COMPILE_LIMIT,
  );
});

describe('a file of cases that an exported program wrote', () => {
  it.each(['decode-chain', 'iterative-solver', 'chunked-pipeline', 'portable-peer-copy'])(
    '%s: measured as simulated is off by nothing',
    (name) => {
      const scenario = SCENARIOS.find((s) => s.name === name) as (typeof SCENARIOS)[number];
      const measured = measurable(scenario.build());
      const machine = machineByName(measured.devices > 1 ? `h200x${measured.devices}` : 'h200');
      const [own] = readCases(caseFileOf(measured, machine), 'cases.json');
      if (own === undefined) throw new Error('no case');
      expect(own.measuredBy).toContain('2026-11-30');
      expect(isGated(own)).toBe(measured.gated);
      expect(own.operations.length).toBeGreaterThan(10);
      const result = validateCase(own, machine);
      if ('refused' in result) throw new Error(result.refused);
      // Instants are written down in whole nanoseconds.
      expect(Math.abs(result.makespanError)).toBeLessThan(1e-4);
      expect(result.placementError).toBeLessThan(1e-4);
    },
  );

  it('tells a broken file by its place', () => {
    const text = '{"schema":"griddep/cases@1","device":{},"cases":[{"name":"a"}]}';
    expect(() => readCases(text, 'broken.json')).toThrow(/broken\.json:1:\d+: cases\[0\]/);
  });
});

describe('what a load must find', () => {
  const BYTES = 4096;
  function handOver(order: 'pdl' | 'unknown') {
    const p = programBuilder('hand-over');
    p.buffer('x', { bytes: 4 * BYTES });
    const slice = { buffer: 'x', bytes: BYTES, blockStride: order === 'pdl' ? BYTES : 2 * BYTES };
    p.kernel('write', { grid: order === 'pdl' ? 4 : 2, block: 64, phases: [trigger(), store(BYTES, slice)] });
    p.kernel('read', {
      grid: 4,
      block: 64,
      phases: [wait(), load(BYTES, { ...slice, blockStride: BYTES }), spin('1us')],
    });
    const s = p.stream('s');
    const host = p.hostThread('main');
    host.launchKernel('write', s);
    host.launchKernel('read', s, { programmaticStreamSerialization: true });
    return p.build();
  }

  it('is the tag of the store before it', () => {
    const { written, expected } = expectedData(handOver('pdl'));
    expect([...written.values()]).toEqual([1]);
    expect([...expected.values()]).toEqual([1]);
  });

  it('is unknown where a store left some of it out', () => {
    expect(expectedData(handOver('unknown')).expected.size).toBe(0);
  });

  it('goes with copies from buffer to buffer', () => {
    const p = programBuilder('copied');
    for (const name of ['x', 'y']) p.buffer(name, { bytes: BYTES });
    p.kernel('write', { grid: 1, block: 64, phases: [store(BYTES, 'x')] });
    p.kernel('read', { grid: 1, block: 64, phases: [load(BYTES, 'y')] });
    const s = p.stream('s');
    const host = p.hostThread('main');
    host.memsetAsync(BYTES, s, { destination: 'y' });
    host.launchKernel('read', s);
    host.launchKernel('write', s);
    host.memcpyAsync('deviceToDevice', BYTES, s, { source: 'x', destination: 'y' });
    host.launchKernel('read', s);
    expect([...expectedData(p.build()).expected]).toEqual([
      ['0:1/0/0', 0],
      ['0:4/0/0', 1],
    ]);
  });
});

it('programs of one name are refused, and what cannot be written out', () => {
  const [scenario] = SCENARIOS;
  const program = (scenario as (typeof SCENARIOS)[number]).build();
  expect(() => exportPrograms([{ program }, { program }])).toThrow(/two programs are called/);
  const p = programBuilder('named "ä"');
  const s = p.stream('s');
  p.kernel('ü', { grid: 1, block: 32, phases: [spin('1us')] });
  p.hostThread('main').launchKernel('ü', s);
  expect(() => exportPrograms([{ program: p.build() }])).toThrow(/only ASCII/);
});
