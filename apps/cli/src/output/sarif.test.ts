import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ajv from 'ajv-draft-04';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type SarifFinding, sarifLog } from './sarif.ts';

const schemaPath = createRequire(import.meta.url)
  .resolve('@microsoft/jest-sarif')
  .replace(/lib[/\\].*$/, 'lib/schemas/sarif-2.1.0-rtm.5.json');
const ajv = new Ajv.default({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')));

const place = fc.record(
  {
    file: fc.string({ minLength: 1 }),
    line: fc.integer({ min: 1 }),
    column: fc.integer({ min: 1 }),
    message: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['file'] },
);
const finding: fc.Arbitrary<SarifFinding> = fc.record(
  {
    rule: fc.constantFrom('a', 'b', 'unlisted'),
    level: fc.constantFrom('error', 'warning', 'note'),
    message: fc.string({ minLength: 1 }),
    place,
    related: fc.array(place, { maxLength: 3 }),
    subject: fc.record({ name: fc.string({ minLength: 1 }), kind: fc.constant('function') }),
  },
  { requiredKeys: ['rule', 'level', 'message', 'place'] },
);
const RULES = [
  { id: 'a', level: 'error', text: 'First.' },
  { id: 'b', level: 'note', text: 'Second.' },
] as const;

it('2.1.0 writes what the schema of SARIF allows, whatever was found', () => {
  fc.assert(
    fc.property(fc.array(finding), (findings) => {
      const log = JSON.parse(JSON.stringify(sarifLog({ name: 'check', version: '1.0', rules: RULES }, findings)));
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    }),
  );
});

it('2.1.0 keeps rule, level, places and subject', () => {
  const { runs } = sarifLog({ name: 'check', version: '1.0', rules: RULES }, [
    {
      rule: 'b',
      level: 'note',
      message: 'Here.',
      place: { file: '/tmp/a b.ptx', line: 3, column: 2 },
      related: [{ file: 'k.cu', line: 9, message: 'source' }],
      subject: { name: 'k', kind: 'function' },
    },
  ]);
  expect(runs[0]?.results?.[0]).toMatchObject({
    ruleId: 'b',
    ruleIndex: 1,
    level: 'note',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'file:///tmp/a%20b.ptx' },
          region: { startLine: 3, startColumn: 2 },
        },
        logicalLocations: [{ name: 'k', kind: 'function' }],
      },
    ],
    relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'k.cu' } }, message: { text: 'source' } }],
  });
});
