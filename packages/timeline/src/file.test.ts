import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { readTimeline, timelineJsonSchema, writeTimeline } from './file.ts';
import { TimelineFileError } from './file-error.ts';
import { INSTANTS } from './instants.ts';
import { makeOperation, makeTimeline } from './make.ts';
import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';
import { CAUSE_KINDS, OPERATION_KINDS, SLOWDOWN_RESOURCES } from './vocabulary.ts';

const instant = fc.oneof(fc.integer({ min: -(10 ** 9), max: 10 ** 15 }), fc.constant(Number.NaN));
const count = fc.nat({ max: 2 ** 40 });
const text = fc.string({ unit: 'binary' });

function causes(operations: number) {
  return fc.record(
    { kind: fc.constantFrom(...CAUSE_KINDS), operation: fc.nat({ max: operations - 1 }), detail: text },
    { requiredKeys: ['kind'] },
  );
}

function operations(length: number): fc.Arbitrary<Operation[]> {
  const wait = fc.tuple(causes(length), instant, instant).map(([cause, from, until]) => ({ ...cause, from, until }));
  const slowdown = fc.record({
    resource: fc.constantFrom(...SLOWDOWN_RESOURCES),
    factor: fc.double({ min: 1, max: 100, noNaN: true }),
  });
  const one = fc.record({
    id: text,
    kind: fc.constantFrom(...OPERATION_KINDS),
    name: text,
    device: fc.integer({ min: -1, max: 8 }),
    stream: text,
    thread: text,
    path: text,
    origin: text,
    unit: text,
    blocks: count,
    sms: count,
    maxBlocksPerSm: count,
    bytes: count,
    cause: causes(length),
    waits: fc.array(wait, { maxLength: 3 }),
    slowdown: fc.array(slowdown, { maxLength: 2 }),
    programmatic: fc.boolean(),
  });
  const marks = fc.array(instant, { minLength: INSTANTS.length, maxLength: INSTANTS.length });
  const operation = fc.tuple(one, marks).map(
    ([fields, values]): Operation => ({
      ...makeOperation(fields),
      ...Object.fromEntries(INSTANTS.map((name, i) => [name, values[i]])),
    }),
  );
  return fc.array(operation, { minLength: length, maxLength: length });
}

const timelines: fc.Arbitrary<Timeline> = fc
  .nat({ max: 6 })
  .chain((length) => (length === 0 ? fc.constant<Operation[]>([]) : operations(length)))
  .chain((list) =>
    fc.record(
      {
        operations: fc.constant(list),
        program: text,
        machine: text,
        devices: fc.array(fc.record({ name: text, sms: fc.nat({ max: 200 }) })),
        hostTotal: instant,
        basis: fc.array(
          fc.record({ constant: text, status: fc.constantFrom('measured' as const, 'assumed' as const) }),
        ),
        stuck: fc.array(text),
        errors: fc.array(fc.record({ operation: fc.nat(), code: fc.nat(), name: text, message: text })),
        blocks: fc
          .array(fc.tuple(fc.nat({ max: Math.max(0, list.length - 1) }), fc.nat(), fc.nat(65535), instant, instant), {
            maxLength: list.length === 0 ? 0 : 20,
          })
          .map((rows) => ({
            operation: Uint32Array.from(rows, (row) => row[0]),
            block: Uint32Array.from(rows, (row) => row[1]),
            sm: Uint16Array.from(rows, (row) => row[2]),
            start: Float64Array.from(rows, (row) => row[3]),
            // A block without a start has no end either.
            end: Float64Array.from(rows, (row) => row[3] + row[4]),
          })),
      },
      { requiredKeys: ['operations', 'program', 'machine', 'devices', 'hostTotal', 'basis', 'stuck', 'errors'] },
    ),
  );

describe('timeline file', () => {
  it('gives back every timeline that it wrote', () => {
    fc.assert(
      fc.property(timelines, (timeline) => {
        expect(readTimeline(writeTimeline(timeline))).toEqual(timeline);
      }),
      { numRuns: 300 },
    );
  });

  it('needs few bytes an operation', () => {
    const text = writeTimeline(chain(1000, true));
    expect(text.length / 1000).toBeLessThan(220);
  });

  const rejects = (text: string) => {
    try {
      readTimeline(text);
    } catch (error) {
      expect(error).toBeInstanceOf(TimelineFileError);
      return (error as Error).message;
    }
    return 'accepted';
  };
  const edited = (edit: (file: Record<string, Record<string, unknown[]>>) => void) => {
    const file = JSON.parse(writeTimeline(chain(3, true)));
    edit(file);
    return rejects(JSON.stringify(file));
  };

  it('says what is wrong, and where', () => {
    expect(rejects('{')).toMatch(/^not JSON: /);
    expect(rejects('[]')).toBe('not a timeline file: it names no schema, expected "griddep/timeline@1"');
    expect(rejects('{"schema":"griddep/timeline@2"}')).toBe(
      'this file is griddep/timeline@2; this version of griddep reads griddep/timeline@1',
    );
    expect(rejects('{"schema":"griddep/timeline@1"}')).toMatch(/program: .*expected string.*; machine: /);
    expect(edited((file) => file.operations?.start?.pop())).toBe('operations.start: has 2 entries, expected 3');
    expect(edited((file) => delete file.operations?.end)).toBe('operations.end: this column is missing');
    expect(edited((file) => file.operations?.end?.splice(1, 1, 'soon'))).toBe(
      'operations.end[1]: expected an integer, found "soon"',
    );
    expect(edited((file) => file.causes?.operation?.splice(2, 1, 3))).toBe(
      'causes.operation[2]: expected an integer from 0 to 2, found 3',
    );
    expect(edited((file) => (file.texts as unknown as string[]).splice(0, 1, 'kernal'))).toMatch(
      /^operations.kind\[0\]: unknown "kernal"; one of kernel, copy/,
    );
  });

  it('refuses to write instants that are not integers', () => {
    const timeline = makeTimeline([makeOperation({ id: 'a', start: 0.5 })]);
    expect(() => writeTimeline(timeline)).toThrow('operations.start[0]: instants are integer picoseconds, found 0.5');
  });
});

it('exports a JSON Schema that names what the file holds', () => {
  const schema = timelineJsonSchema();
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const written = Object.keys(JSON.parse(writeTimeline(chain(2, false))) as object);
  expect(Object.keys(schema.properties as object)).toEqual(expect.arrayContaining(written));
});
