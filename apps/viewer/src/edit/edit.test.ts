import { buildScenario, type Program, readProgram, writeProgramJson } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { Store } from '../data/store.ts';
import { type Edit, editProgram, programmaticLaunches } from './edit-program.ts';
import { simulateEdit } from './simulate-edit.ts';

const chain = buildScenario('decode-chain', { layers: '2' });

const makespan = (program: Program, edit: Edit) => {
  const { columns } = simulateEdit({ program: writeProgramJson(program), machineName: 'h200', edit });
  return Math.max(...new Store(columns).timeline().operations.map(({ end }) => end || 0));
};

describe('edits', () => {
  it('leave a program as it is when nothing is asked for', () => {
    expect(editProgram(chain, {})).toEqual(chain);
  });

  it('1.1 without the attribute no kernel starts early, so the chain takes longer', () => {
    const without = makespan(chain, { kernel: 'qkv', programmatic: false });
    expect(without).toBeGreaterThan(makespan(chain, {}));
    expect(programmaticLaunches(chain, 'qkv')).toBe('all');
    const edited = editProgram(chain, { kernel: 'qkv', programmatic: false });
    expect(programmaticLaunches(edited, 'qkv')).toBe('none');
    expect(programmaticLaunches(editProgram(edited, { kernel: 'qkv', programmatic: true }), 'qkv')).toBe('all');
  });

  it('move the trigger', () => {
    const early = makespan(chain, { kernel: 'attn', trigger: 0 });
    const never = makespan(chain, { kernel: 'attn', trigger: 'never' });
    expect(never).toBeGreaterThan(early);
  });

  it('scale the work', () => {
    expect(makespan(chain, { kernel: 'attn', work: 2 })).toBeGreaterThan(makespan(chain, {}) + 2 * 5e6);
  });

  it('keep the phase that an access stands at', () => {
    const program = readProgram(
      `schema: griddep/program@1
buffers: { b: { bytes: 1KiB } }
kernels:
  k:
    grid: 1
    block: 32
    griddepcontrol: true
    phases: [trigger, { spin: 1us }, { load: 1KiB }]
    accesses: [{ range: { buffer: b, bytes: 1KiB }, mode: read, phase: 2 }]
streams: [s]
calls:
  - launchKernel: { kernel: k, stream: s }
`,
      { file: 'p.yaml' },
    );
    const phaseOf = (trigger: number | 'never') =>
      editProgram(program, { kernel: 'k', trigger }).kernels.get('k')?.accesses[0]?.phase;
    expect([phaseOf('never'), phaseOf(0), phaseOf(1), phaseOf(2)]).toEqual([1, 2, 2, 1]);
  });

  it('that make no sense are refused', () => {
    const request = { program: writeProgramJson(chain), machineName: 'h200' };
    expect(() => simulateEdit({ ...request, edit: { kernel: 'attn', work: Number.NaN } })).toThrow();
  });

  it('merge streams, and deal launches onto new ones', () => {
    const fork = buildScenario('unfit-independent-kernels', { streams: '4', kernels: '8' });
    const streamsOf = (edit: Edit) => {
      const { columns } = simulateEdit({ program: writeProgramJson(fork), machineName: 'h200', edit });
      const kernels = new Store(columns).timeline().operations.filter(({ kind }) => kind === 'kernel');
      return new Set(kernels.map(({ stream }) => stream)).size;
    };
    expect([streamsOf({}), streamsOf({ streams: 2 }), streamsOf({ streams: 6 })]).toEqual([4, 2, 6]);
  });
});
