import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ElementScanner, ScanError } from './element-scanner.ts';

interface Scanned {
  elements: unknown[];
  members: Record<string, unknown>;
}

function scan(text: string, cuts: readonly number[] = []): Scanned {
  const found: Scanned = { elements: [], members: {} };
  const scanner = new ElementScanner('list', {
    element: (each) => found.elements.push(JSON.parse(each)),
    member: (key, value) => {
      found.members[key] = JSON.parse(value);
    },
  });
  const bytes = new TextEncoder().encode(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, bytes.length]) {
    scanner.push(bytes.subarray(from, place));
    from = place;
  }
  scanner.finish();
  return found;
}

describe('a document of any shape in pieces of any size', () => {
  const value = fc.jsonValue();
  const cuts = fc.array(fc.nat(), { maxLength: 30 });
  const spaces = fc.constantFrom(undefined, 1, '\t');

  it('gives the elements and members that JSON.parse gives', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== 'list' && key !== '__proto__'),
          value,
        ),
        fc.array(value),
        fc.boolean(),
        cuts,
        spaces,
        (members, list, isFirst, places, space) => {
          const outer = isFirst ? { list, ...members } : { ...members, list };
          const { elements, members: found } = scan(JSON.stringify(outer, undefined, space), places);
          expect(elements).toEqual(JSON.parse(JSON.stringify(list)));
          expect(found).toEqual(JSON.parse(JSON.stringify(members)));
        },
      ),
    );
  });

  it('takes a bare array too, also one that nobody closed', () => {
    fc.assert(
      fc.property(fc.array(fc.object(), { minLength: 1 }), cuts, fc.boolean(), (list, places, isClosed) => {
        const text = JSON.stringify(list);
        const { elements } = scan(isClosed ? text : text.slice(0, -1), places);
        expect(elements).toEqual(JSON.parse(text));
      }),
    );
  });

  it('finds every place at which an object can be cut', () => {
    fc.assert(
      fc.property(fc.array(fc.object()), fc.nat(), cuts, (list, at, places) => {
        const text = JSON.stringify({ a: 'x', list, b: [1] });
        const cut = at % text.length;
        expect(() => scan(text.slice(0, cut), places)).toThrow(ScanError);
      }),
    );
  });
});

it.each([
  ['', 'the file is empty', 0],
  ['x', 'JSON begins with { or [, not "x"', 0],
  ['{"a" 1}', 'a colon was expected, not "1"', 5],
  ['{"list":[{} {}]}', 'a comma or ] was expected, not "{"', 12],
  ['{"list":[{},]}', 'a value was expected, not "]"', 12],
  ['{"list":[]} 1', 'the JSON had ended, not "1"', 12],
  ['{"list":[{"a":"\\"}', 'the JSON is cut off', 18],
])('%s: %s at byte %d', (text, message, offset) => {
  const run = () => scan(text);
  expect(run).toThrow(ScanError);
  expect(run).toThrow(message);
  try {
    run();
  } catch (error) {
    expect((error as ScanError).offset).toBe(offset);
  }
});
