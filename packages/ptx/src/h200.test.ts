import { describe, expect, it } from 'vitest';
import { byLine, fixture, lintText } from './expected.fixture.ts';
import { counts } from './findings.ts';

const WEIGHTS = { rms: 'rms_param_1', gemv: 'gemv_param_1' } as const;

describe.each(['rms', 'gemv'] as const)('the Triton kernel %s, as it ran on an H200', (name) => {
  it('2.2 is clean with PDL when its weights are declared independent, by name or index', () => {
    for (const independent of [WEIGHTS[name], '1', `${name}:1`]) {
      const [report] = lintText(fixture(`${name}-pdl.ptx`), { independent: [independent], expectPdl: true });
      expect(report?.findings.filter(counts)).toEqual([]);
    }
  });

  it('2.2 reads its weights before the wait when they are not', () => {
    const text = fixture(`${name}-pdl.ptx`);
    const found = lintText(text, { independent: [`${name}_param_0`] })[0]?.findings.filter(counts) ?? [];
    const lines = text.split('\n');
    const wait = lines.findIndex((line) => line.includes('griddepcontrol.wait')) + 1;
    const reads = lines.flatMap((line, i) =>
      /^\s*ld\.global/.test(line) && i + 1 < wait ? [`${i + 1} read-before-wait`] : [],
    );
    expect(reads.length).toBeGreaterThan(0);
    expect(byLine(found)).toEqual(reads);
    for (const { message, source } of found) {
      expect(message).toContain(`${WEIGHTS[name]} (parameter 1)`);
      expect(source?.file).toBe('torch_traces.py');
    }
  });

  it('1.14 has no griddepcontrol in its plain form', () => {
    const plain = fixture(`${name}-plain.ptx`);
    expect(lintText(plain)[0]?.findings.map(({ rule, level }) => [rule, level])).toEqual([
      ['no-griddepcontrol', 'note'],
    ]);
    expect(lintText(plain, { expectPdl: true })[0]?.findings.map(({ rule }) => rule)).toEqual(['missing-wait']);
  });

  it('1.3, 1.8 tells how much comes before the wait and the trigger', () => {
    const { skeleton, waits, triggers } = lintText(fixture(`${name}-pdl.ptx`))[0] ?? {};
    expect([waits?.length, triggers?.length]).toEqual([1, 1]);
    expect(skeleton?.accesses.before.read).toBe(name === 'rms' ? 1 : 4);
    expect(skeleton?.accesses.after.write).toBe(1);
    expect(skeleton?.beforeWait).toBeGreaterThan(0.1);
    expect(skeleton?.beforeWait).toBeLessThan(0.2);
    expect(skeleton?.beforeTrigger).toBeGreaterThan(skeleton?.beforeWait ?? 1);
  });
});
