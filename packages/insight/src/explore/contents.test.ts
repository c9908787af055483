import type { Buffer } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Access, endOf } from '../program/access.ts';
import { NodeList } from '../program/node-list.ts';
import { left } from './contents.ts';
import type { Performed } from './layout.ts';

const SIZE = 48;
const buffer = { name: 'x' } as Buffer;
const whole = { memory: 'm', begin: 0, bytes: SIZE, stride: 0, count: 1 };

/** Writes of one piece or several. */
const access: fc.Arbitrary<Access> = fc
  .record({ begin: fc.nat(15), bytes: fc.integer({ min: 1, max: 8 }), gap: fc.nat(3), count: fc.constantFrom(1, 2, 3) })
  .map(({ begin, bytes, gap, count }): Access => {
    const extent = { memory: 'm', begin, bytes, stride: count === 1 ? 0 : bytes + gap, count };
    return { extent, buffer, mode: 'write', system: false, nonCoherent: false, asyncProxy: false };
  });

/** The same byte by byte. */
function bytes(order: readonly Performed[]): string {
  const memory = new Array<number>(SIZE).fill(-1);
  for (const {
    access: { extent },
    node,
  } of order) {
    expect(endOf(extent)).toBeLessThanOrEqual(SIZE);
    for (let piece = 0; piece < extent.count; piece++) {
      memory.fill(node.id, extent.begin + piece * extent.stride, extent.begin + piece * extent.stride + extent.bytes);
    }
  }
  return memory.join();
}

it('2.1 two orders of writes leave the same contents exactly if every byte is the same', () => {
  let [alike, unlike] = [0, 0];
  fc.assert(
    fc.property(fc.array(access, { minLength: 2, maxLength: 6 }), fc.infiniteStream(fc.nat(100)), (accesses, keys) => {
      const list = new NodeList();
      const writes = accesses.map((each, at): Performed => {
        const id = list.add({ kind: 'host', site: { thread: 0, call: at }, begin: [] });
        return { at, access: each, node: list.nodes[id] as Performed['node'] };
      });
      const other = writes
        .map((write) => ({ write, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ write }) => write);
      const isAlike = bytes(writes) === bytes(other);
      if (isAlike) alike++;
      else unlike++;
      expect(left(whole, writes).text === left(whole, other).text).toBe(isAlike);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(alike, unlike)).toBeGreaterThan(200);
});
