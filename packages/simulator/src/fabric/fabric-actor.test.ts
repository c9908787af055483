import { type Actor, runSequential } from '@griddep/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MemoryLoadMessage, TransferDoneMessage, TransferMessage } from '../messages.ts';
import { FabricActor } from './fabric-actor.ts';

const CAPACITY = 100e9;
const PORTS = ['egress 0', 'egress 1', 'ingress 2', 'ingress 3'];
const ASKER = 0;
const FABRIC = 1;

interface Asked {
  readonly at: number;
  readonly bytes: number;
  readonly ports: readonly string[];
}

/** Asks for transfers at given times (ps), and writes down when they ended and what it was told of its memory. */
function run(asked: readonly Asked[]): { ended: number[]; loads: number[] } {
  const ended: number[] = asked.map(() => Number.NaN);
  const loads: number[] = [];
  const asker: Actor<TransferDoneMessage | MemoryLoadMessage> = {
    name: 'asker',
    start: (context) => {
      for (const [id, { at, bytes, ports }] of asked.entries()) {
        const limit = Number.POSITIVE_INFINITY;
        const transfer: TransferMessage = {
          ...{ type: 'transfer', id, bytes, ports, limit, answerDelay: 0 },
          loads: [{ actor: ASKER, perByte: 2 }],
        };
        context.send(FABRIC, at, transfer);
      }
    },
    receive: (message, _, { now }) => {
      if (message.type === 'transferDone') ended[message.id] = now;
      else loads.push(message.bytesPerSecond);
    },
    timer: () => {},
  };
  const fabric = new FabricActor({ name: 'switch', capacity: () => CAPACITY, loadDelay: 0 });
  runSequential([asker as Actor, fabric as Actor]);
  return { ended, loads };
}

const asked = fc.record({
  at: fc.integer({ min: 0, max: 50_000_000 }),
  bytes: fc.integer({ min: 1, max: 1 << 24 }),
  ports: fc.subarray(PORTS, { minLength: 1, maxLength: 2 }),
});

it('every transfer ends, none faster than alone, and no port moves more than its capacity', () => {
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 10 }), (all) => {
      const { ended } = run(all);
      for (const [i, { at, bytes }] of all.entries()) {
        expect(ended[i]).toBeGreaterThanOrEqual(at + Math.floor((bytes / CAPACITY) * 1e12));
      }
      for (const port of PORTS) {
        const own = all.flatMap((t, i) => (t.ports.includes(port) ? [{ ...t, end: ended[i] as number }] : []));
        for (const { at: from } of own) {
          for (const { end: until } of own) {
            const inside = own.filter((t) => t.at >= from && t.end <= until).reduce((sum, t) => sum + t.bytes, 0);
            if (inside > 0) expect(inside).toBeLessThanOrEqual((CAPACITY * (until - from)) / 1e12 + 1);
          }
        }
      }
    }),
  );
});

it('a single port that always has something to do is never idle', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1 << 22 }), { minLength: 1, maxLength: 8 }), (sizes) => {
      const { ended } = run(sizes.map((bytes) => ({ at: 0, bytes, ports: ['egress 0'] })));
      const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
      expect(Math.max(...ended)).toBeLessThanOrEqual(Math.ceil((total / CAPACITY) * 1e12) + 2 * sizes.length);
    }),
  );
});

it('devices learn what transfers take of their memory bandwidth, and when it is theirs again', () => {
  const { loads } = run([{ at: 0, bytes: 1 << 20, ports: ['egress 0'] }]);
  expect(loads).toEqual([2 * CAPACITY, 0]);
});
