import { machineByName } from '@griddep/machine';
import { type KernelInput, load, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200, PDL, run } from './rules.fixture.ts';

const primary = { grid: 8, block: 128, phases: [trigger(), spin('50us')] };
const dependent = { grid: 8, block: 128, phases: [wait(), spin('5us')] };

/** A chain of two launches with the attribute; whether the second is early, and whether its wait holds it. */
function early(images: Partial<KernelInput>, machine = H200): { readonly early: boolean; readonly held: boolean } {
  const { at } = run((host, p) => {
    p.kernel('a', { ...primary, ...images });
    p.kernel('b', { ...dependent, ...images });
    host.launchKernel('a', 's', PDL, { label: 'a' });
    host.launchKernel('b', 's', PDL, { label: 'b' });
  }, machine);
  return { early: at('b', 'start') < at('a', 'end'), held: at('b', 'end') - at('b', 'start') > 10 };
}

describe('what loads the instructions', () => {
  it('1.1, 7.10 device and CUDA decide: below compute capability 9.0 or CUDA 12.0 the stream is in full order', () => {
    expect(early({})).toEqual({ early: true, held: true });
    for (const name of ['a100', 'rtx4090']) expect(early({}, machineByName(name)).early).toBe(false);
    const older = { ...H200, host: { ...H200.host, cudaVersion: 11080 } };
    expect(early({}, older).early).toBe(false);
  });

  it('7.10 a launch without attributes is in full order, whatever the code holds', () => {
    const { at } = run((host, p) => {
      p.kernel('a', primary);
      p.kernel('b', dependent);
      host.launchKernel('a', 's', undefined, { label: 'a' });
      host.launchKernel('b', 's', undefined, { label: 'b' });
    });
    expect(at('b', 'start')).toBeGreaterThan(at('a', 'completion'));
  });

  it.each(['sm_80', 'compute_89'])(
    '1.18 %s code on a new device neither triggers nor waits, though the launch has the attribute',
    (target) => {
      const second = (attributes: object) => {
        const { at, of } = run((host, p) => {
          p.kernel('primary', { ...primary, target });
          p.kernel('dependent', { ...dependent, target });
          host.launchKernel('primary', 's', undefined, { label: 'a' });
          host.launchKernel('dependent', 's', attributes, { label: 'b' });
        });
        expect([of('b').lastRelease, of('a').lastTrigger]).toEqual([Number.NaN, Number.NaN]);
        return { gap: at('b', 'start') - at('a', 'end'), programmatic: of('b').programmatic };
      };
      const [early, plain] = [second(PDL), second({})];
      // The exit of the primary's blocks stands for the trigger that is not there.
      expect([early.programmatic, plain.programmatic]).toEqual([true, false]);
      expect(early.gap).toBeGreaterThan(0);
      expect(early.gap).toBeLessThan(plain.gap);
    },
  );

  it('1.18 a dependent of old code beside a primary of new code reads before the primary is complete', () => {
    const { at } = run((host, p) => {
      p.buffer('x', { bytes: 4096 });
      p.kernel('a', primary);
      p.kernel('b', { grid: 8, block: 128, target: 'sm_89', phases: [wait(), load(512, 'x')] });
      host.launchKernel('a', 's', PDL, { label: 'a' });
      host.launchKernel('b', 's', PDL, { label: 'b' });
    });
    expect(at('b', 'end')).toBeLessThan(at('a', 'end'));
  });

  it('1.19 code that compiled the two instructions to nothing does neither, launch attribute notwithstanding', () => {
    expect(early({ griddepcontrol: false })).toEqual({ early: false, held: false });
    expect(early({ griddepcontrol: true })).toEqual({ early: true, held: true });
  });
});
