import { buildScenario, type Program, readProgram, writeProgram } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf } from './entries.ts';
import { withAttribute } from './pdl.ts';
import { spreadStreams } from './spread-streams.ts';
import { withTriggerAt } from './trigger.ts';

const ROLES = `schema: griddep/program@1
buffers: { b: { bytes: 1KiB } }
kernels:
  k:
    grid: 1
    block: 64
    griddepcontrol: true
    roles:
      - { name: load, warps: 1, phases: [{ spin: 1us }, trigger, { load: 1KiB }] }
      - { name: work, warps: 1, phases: [{ spin: 2us }] }
    accesses: [{ range: { buffer: b, bytes: 1KiB }, mode: read, role: load, phase: 2 }]
streams: [s]
graphs:
  g: { nodes: [{ id: n, launchKernel: { kernel: k, stream: s } }] }
calls:
  - launchKernel: { kernel: k, stream: s }
`;
const program = readProgram(ROLES, { file: 'roles.yaml' });

describe('a trigger moved', () => {
  const opsOf = (changed: Program) => {
    const body = changed.kernels.get('k')?.body;
    return body?.kind === 'phases' ? body.roles.map(({ phases }) => phases.map(({ op }) => op).join(' ')) : [];
  };

  it('stands once in each role, in a shorter one at its end, or nowhere; accesses stay with their phase', () => {
    const at = (phase: number) => withTriggerAt(program, 'k', { phase, share: 0 });
    expect(opsOf(at(0))).toEqual(['trigger spin load', 'trigger spin']);
    expect(opsOf(at(1))).toEqual(['spin trigger load', 'spin trigger']);
    expect(opsOf(at(2))).toEqual(['spin load trigger', 'spin trigger']);
    expect(opsOf(withTriggerAt(program, 'k', undefined))).toEqual(['spin load', 'spin']);
    const phases = [at(0), at(1), at(2)].map(({ kernels }) => kernels.get('k')?.accesses[0]?.phase);
    expect(phases).toEqual([2, 2, 1]);
  });

  it('within a phase divides it', () => {
    const body = withTriggerAt(program, 'k', { phase: 0, share: 0.25 }).kernels.get('k')?.body;
    expect(body).toMatchObject({
      roles: [{}, { phases: [{ op: 'spin', duration: 5e5 }, { op: 'trigger' }, { op: 'spin', duration: 15e5 }] }],
    });
  });
});

it('the attribute is on all launches of a kernel, also nodes of graphs, or on none', () => {
  const attributes = ({ threads, graphs }: Program) =>
    [...threads.flatMap(entriesOf), ...[...graphs.values()].flatMap(({ nodes }) => nodes)].map(({ call }) =>
      call.kind === 'launchKernel' ? call.attributes : undefined,
    );
  const on = withAttribute(program, 'k', true);
  expect(attributes(on)).toEqual([
    { programmaticStreamSerialization: true },
    { programmaticStreamSerialization: true },
  ]);
  expect(writeProgram(withAttribute(on, 'k', false))).toEqual(writeProgram(program));
  expect(writeProgram(withAttribute(program, 'other', true))).toEqual(writeProgram(program));
});

it('spread over streams, all that was launched still is, each device has so many, and turns are even', () => {
  const count = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(count, count, fc.integer({ min: 1, max: 20 }), (before, after, kernels) => {
      const own = buildScenario('unfit-independent-kernels', { streams: String(before), kernels: String(kernels) });
      const spread = spreadStreams(own, after);
      const launches = ({ threads }: Program) =>
        threads.flatMap(entriesOf).flatMap(({ call }) => (call.kind === 'launchKernel' ? [call] : []));
      expect(launches(spread).map(({ kernel }) => kernel)).toEqual(launches(own).map(({ kernel }) => kernel));
      const turns = new Map<string, number>();
      for (const { stream } of launches(spread)) turns.set(stream, (turns.get(stream) ?? 0) + 1);
      expect(turns.size).toBeLessThanOrEqual(after);
      const created = [...own.streams.values()].filter(({ kind }) => kind === 'nonBlocking' || kind === 'blocking');
      expect(spread.streams.size - own.streams.size).toBe(Math.max(0, after - created.length));
      for (const stream of turns.keys()) expect(spread.streams.has(stream)).toBe(true);
      if (created.length === 1 && after > 1)
        expect(Math.max(...turns.values()) - Math.min(...turns.values())).toBeLessThanOrEqual(1);
    }),
    { numRuns: 50 },
  );
});
