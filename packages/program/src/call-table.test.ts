import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Call, CallTable, programBuilder } from './index.ts';

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.integer(), fc.nat(Number.MAX_SAFE_INTEGER), fc.constantFrom('', 'a', 'b', '}'), fc.boolean()),
  node: fc.oneof(
    tie('leaf'),
    fc.dictionary(fc.constantFrom('x', 'y', '}', 'constructor', '0'), tie('leaf'), { noNullPrototype: true }),
    fc.array(tie('leaf'), { maxLength: 3 }),
  ),
})).node;
/** What a table does with a call does not depend on what the call means. */
const call = fc
  .record({
    kind: fc.constantFrom('a', 'b'),
    rest: fc.dictionary(fc.constantFrom('p', 'q', 'r'), value, { noNullPrototype: true }),
  })
  .map(({ kind, rest }) => ({ kind, ...rest }) as unknown as Call);

it('gives back every call, equal ones under one number', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 80 }), (calls) => {
      const table = new CallTable();
      const twice = [...calls, ...calls];
      expect(twice.map((c) => table.push(c))).toEqual(twice.map((_, i) => i));
      expect(twice.map((_, i) => table.at(i))).toStrictEqual(twice);
      const texts = twice.map((c) => JSON.stringify(c));
      expect(table.distinct).toBe(new Set(texts).size);
      twice.forEach((_, i) => {
        expect(table.shapeAt(i)).toBe(table.shapeAt(texts.indexOf(texts[i] as string)));
        expect(table.at(i)).toBe(table.distinctCall(table.shapeAt(i)));
      });
    }),
  );
});

it('keeps places and paths where there are any', () => {
  const table = new CallTable('file.yaml');
  const sync: Call = { kind: 'deviceSynchronize' };
  table.push(sync);
  table.push(sync, { line: 3, column: 5 }, 'second', 'a/b');
  table.push(sync, undefined, undefined, 'a/b');
  table.push(sync);
  expect([0, 1, 2, 3].map((i) => table.path(i))).toEqual(['', 'a/b', 'a/b', '']);
  expect([0, 1, 2, 3].map((i) => table.origin(i)?.line)).toEqual([undefined, 3, undefined, undefined]);
  expect(table.label(1)).toBe('second');
  expect(() => table.at(4)).toThrow(RangeError);
  expect(() => table.at(-1)).toThrow(RangeError);
  expect(() => table.distinctCall(1)).toThrow(RangeError);
});

it('holds many different copies', () => {
  const program = programBuilder('many');
  const x = program.buffer('x', { bytes: 2 ** 40 });
  const stream = program.stream('s');
  const thread = program.hostThread();
  for (let i = 0; i < 100_000; i++) {
    thread.memcpyAsync('deviceToDevice', 64, stream, { source: x, destination: { buffer: x, offset: 64 * i } });
  }
  const { calls } = program.build().threads[0] as { calls: CallTable };
  expect(calls.distinct).toBe(100_000);
  expect(calls.at(99_999)).toMatchObject({ destination: { offset: 64 * 99_999 } });
});
