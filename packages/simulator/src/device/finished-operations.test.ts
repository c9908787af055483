import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FinishedOperations } from './finished-operations.ts';
import { DeviceOperation } from './operation.ts';
import { LogReader, OperationLog } from './operation-log.ts';

const STEPS = ['make', 'complete', 'log', 'take', 'tick'] as const;
const stepsArbitrary = fc.array(fc.record({ what: fc.constantFrom(...STEPS), which: fc.nat(20) }), { maxLength: 200 });

it('each operation comes once and in order, whenever it completes, is logged, and somebody asks', () => {
  fc.assert(
    fc.property(stepsArbitrary, (steps) => {
      const finished = new FinishedOperations();
      const log = new OperationLog();
      const open = new Map<number, DeviceOperation>();
      const taken: { readonly op: number; readonly completion: number }[] = [];
      let [now, made] = [0, 0];
      const take = (before: number): void => {
        const batch = finished.take(before, log, open.values());
        if (batch === undefined) return;
        const reader = new LogReader(batch);
        for (let row = 0; row < reader.length; row++) taken.push(reader.record(row));
      };
      const logged = (operation: DeviceOperation): void => {
        log.add(operation.record(), operation.reached);
        open.delete(operation.op);
      };
      for (const { what, which } of steps) {
        const all = [...open.values()];
        const operation = all[which % all.length];
        if (what === 'make') open.set(made, new DeviceOperation(made++, 0, { type: 'empty' }, false, now));
        else if (what === 'tick') now++;
        else if (what === 'take') {
          take(now);
          expect(taken.every(({ completion }) => completion < now)).toBe(true);
        } else if (what === 'complete') operation?.reach('complete', now);
        else if (operation?.isComplete === true) logged(operation);
      }
      take(Number.POSITIVE_INFINITY);
      expect(taken.map(({ op }) => op).sort((a, b) => a - b)).toEqual(Array.from({ length: made }, (_, op) => op));
      const done = taken.filter(({ completion }) => !Number.isNaN(completion));
      expect(done).toEqual(done.toSorted((a, b) => a.completion - b.completion || a.op - b.op));
      expect(taken.slice(0, done.length)).toEqual(done);
    }),
    { numRuns: 500 },
  );
});
