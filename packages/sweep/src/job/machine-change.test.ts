import { machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LINK_NAMES, linkConstants, linkProblem } from './links.ts';
import { changeMachine } from './machine-change.ts';

const machineName = fc.constantFrom('h200', 'h200x2', 'h200x2x2', 'h200x2x1', 'rtx4090x2', 'rtx4090x2x2');

it('a change of a link changes its constant and no other, or is refused', () => {
  fc.assert(
    fc.property(machineName, fc.constantFrom(...LINK_NAMES), fc.integer({ min: 2, max: 9 }), (named, name, factor) => {
      const machine = machineByName(named);
      const before = linkConstants(machine.topology);
      const change = () => changeMachine(machine, [{ kind: 'link', name, value: factor, relative: true }]);
      const own = before[name];
      if (own === undefined) {
        expect(linkProblem(machine, name)).toMatch(`link.${name} changes nothing: machine ${named} has no`);
        expect(change).toThrow(`link.${name} changes nothing`);
        return;
      }
      const after = linkConstants(change().topology);
      expect(after).toEqual({ ...before, [name]: { ...after[name], value: own.value * factor, unit: own.unit } });
    }),
  );
});
