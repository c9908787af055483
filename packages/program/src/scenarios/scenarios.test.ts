import { describe, expect, it } from 'vitest';
import {
  buildScenario,
  listScenarios,
  type Program,
  ProgramError,
  readProgram,
  type Scenario,
  type ScenarioParameter,
  scenarioByName,
  validateProgram,
  writeProgram,
  writeProgramJson,
} from '../index.ts';

/** Values at the edges of what a parameter allows. A thousand devices take seconds; that is measured, not tested. */
function edges(p: ScenarioParameter): (number | string | boolean)[] {
  if (p.name === 'devices') return [1, 3, 17];
  if (typeof p.default === 'boolean') return [true, false];
  return p.choices === undefined ? [p.min ?? p.default, p.max ?? p.default] : [...p.choices];
}

const variants = listScenarios().flatMap((scenario) =>
  scenario.params.flatMap((p) => edges(p).map((value) => [scenario.name, p.name, value] as const)),
);

function check(program: Program): void {
  validateProgram(program);
  const labels = new Set<string>();
  for (const { calls } of program.threads) {
    for (let i = 0; i < calls.length; i++) {
      const call = calls.at(i);
      const label = calls.label(i);
      if (label !== undefined) expect(labels.has(label), label).toBe(false);
      if (label !== undefined) labels.add(label);
      if (call.kind !== 'launchKernel') continue;
      expect(label).toBeDefined();
      const kernel = program.kernels.get(call.kernel);
      const bound = (kernel?.parameters ?? []).filter((p) => (call.args?.[p.name] ?? p.buffer) !== undefined);
      expect(bound, `arguments of ${label}`).toHaveLength(kernel?.parameters.length ?? -1);
    }
  }
}

describe('every scenario', () => {
  it('has a name and a summary of its own', () => {
    const all = listScenarios();
    expect(new Set(all.map((s) => s.name)).size).toBe(all.length);
    expect(new Set(all.map((s) => s.summary)).size).toBe(all.length);
    for (const s of all) {
      expect(s.summary).not.toContain('\n');
      expect(scenarioByName(s.name)).toBe(s);
    }
  });

  it.each(listScenarios().map((s) => [s.name, s] as const))(
    '%s builds, and reads back as written',
    (name, scenario) => {
      const program = scenario.build();
      check(program);
      expect([program.name, program.description]).toEqual([name, scenario.summary]);
      expect(program.params).toEqual(Object.fromEntries(scenario.params.map((p) => [p.name, p.default])));
      const read = readProgram(writeProgramJson(program), { file: 'scenario.json' });
      expect(writeProgram(read)).toEqual(writeProgram(program));
      expect(program.threads.reduce((n, t) => n + t.calls.length, 0)).toBeLessThan(500);
    },
  );

  it.each(variants)('%s builds with %s=%s', (name, parameter, value) => {
    const program = buildScenario(name, { [parameter]: String(value) });
    check(program);
    expect(program.params[parameter]).toBe(value);
  });
});

/** Launches that carry the PDL attribute. */
function early(program: Program): string[] {
  return program.threads.flatMap(({ calls }) =>
    Array.from({ length: calls.length }, (_, i) => i)
      .filter((i) => {
        const call = calls.at(i);
        return call.kind === 'launchKernel' && call.attributes.programmaticStreamSerialization === true;
      })
      .map((i) => calls.label(i) ?? ''),
  );
}

describe('pdl=false', () => {
  const withPdl = listScenarios().filter((s) => s.params.some((p) => p.name === 'pdl'));

  it.each(withPdl.map((s) => [s.name, s] as const))(
    '%s differs from pdl=true in its launches alone',
    (name, scenario) => {
      expect(early(scenario.build({ pdl: true })).length).toBeGreaterThan(0);
      expect(early(scenario.build({ pdl: false }))).toEqual([]);
      // The measured chain has other kernels as well.
      if (name === 'decode-chain') return;
      expect(scenario.build({ pdl: false }).kernels).toEqual(scenario.build({ pdl: true }).kernels);
    },
  );
});

describe('buildScenario', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['decode-chian', {}, /unknown scenario "decode-chian" \(did you mean "decode-chain"\?\)/],
    ['decode-chain', { layer: '3' }, /unknown parameter "layer" \(did you mean "layers"\?\)/],
    ['decode-chain', { layers: '0' }, /layers must be a whole number from 1 to 96, got "0"/],
    ['decode-chain', { layers: '' }, /layers must be a whole number/],
    ['decode-chain', { layers: 'ten' }, /layers must be a whole number from 1 to 96, got "ten"/],
    ['decode-chain', { layers: '1.5' }, /layers must be a whole number/],
    ['decode-chain', { pdl: 'yes' }, /pdl must be true or false, got "yes"/],
    ['decode-chain', { mode: 'graphs' }, /mode must be one of stream, graph, got "graphs" \(did you mean "graph"\?\)/],
    ['chunked-pipeline', { bytes: '1GiB' }, /bytes must be a size from 16KiB to 256MiB, got "1GiB"/],
    ['chunked-pipeline', { bytes: '1 parsec' }, /unknown unit "parsec"/],
  ])('%s with %o is refused', (name, set, message) => {
    const build = () => buildScenario(name, set);
    expect(build).toThrow(ProgramError);
    expect(build).toThrow(message);
  });

  it('reads sizes with units', () => {
    expect(buildScenario('chunked-pipeline', { bytes: '1 MiB' }).params.bytes).toBe(1024 ** 2);
  });

  it('keeps the other defaults of an alias', () => {
    expect(buildScenario('fit-graph-inference').graphs.size).toBe(0);
    expect(buildScenario('fit-graph-inference').params.mode).toBe('graph');
    expect(buildScenario('fit-graph-inference', { mode: 'stream' }).params.mode).toBe('stream');
    const scenario: Scenario = scenarioByName('fit-graph-inference');
    expect(scenario.aliasOf).toBe('decode-loop');
  });
});
