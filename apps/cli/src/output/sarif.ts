import type { Location, Log, Region, ReportingDescriptor, Result } from 'sarif';

/** A place in a file, lines and columns from 1; without a line the whole file is meant. */
export interface SarifPlace {
  /** Left out where only `subject` is known. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly subject?: SarifSubject;
  /** What the place is to the finding, for places beside the first. */
  readonly message?: string;
}

/** A finding of any check. */
export interface SarifFinding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  /** None for what was made by a program of its own. */
  readonly place?: SarifPlace | undefined;
  /** More places that belong to it. */
  readonly related?: readonly SarifPlace[];
  /** What it is about, such as a kernel or an operation. */
  readonly subject?: SarifSubject;
  /** How often alike ones were found. */
  readonly count?: number;
  /** What the check has to say beyond. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface SarifSubject {
  readonly name: string;
  readonly kind: string;
  readonly fullyQualifiedName?: string;
}

export interface SarifRule {
  readonly id: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface SarifTool {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly SarifRule[];
}

/** Findings as a SARIF 2.1.0 log (OASIS), for editors and code scanning. */
export function sarifLog(
  tool: SarifTool,
  findings: readonly SarifFinding[],
  properties?: Readonly<Record<string, unknown>>,
): Log {
  const numbers = new Map(tool.rules.map(({ id }, i) => [id, i]));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: tool.rules.map(descriptor) } },
        columnKind: 'utf16CodeUnits',
        ...(properties === undefined ? {} : { properties }),
        results: findings.map((finding) => resultOf(finding, numbers)),
      },
    ],
  };
}

function descriptor({ id, level, text, properties }: SarifRule): ReportingDescriptor {
  const more = properties === undefined ? {} : { properties };
  return { id, shortDescription: { text }, defaultConfiguration: { level }, ...more };
}

function resultOf(finding: SarifFinding, numbers: ReadonlyMap<string, number>): Result {
  const { rule, level, message, place, related = [], subject, count, properties } = finding;
  const ruleIndex = numbers.get(rule);
  const at = subject === undefined ? place : { ...place, subject };
  return {
    ruleId: rule,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level,
    message: { text: message },
    locations: at === undefined ? [] : [locationOf(at)],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, id) => ({
            id,
            ...locationOf(one),
            ...(one.message === undefined ? {} : { message: { text: one.message } }),
          })),
        }),
    ...(count === undefined ? {} : { occurrenceCount: count }),
    ...(properties === undefined ? {} : { properties }),
  };
}

function locationOf({ file, line, column, subject }: SarifPlace): Location {
  const logical = subject === undefined ? {} : { logicalLocations: [subject] };
  if (file === undefined) return logical;
  const region: Region | undefined =
    line === undefined ? undefined : { startLine: line, ...(column === undefined ? {} : { startColumn: column }) };
  const physicalLocation = { artifactLocation: { uri: uriOf(file) }, ...(region === undefined ? {} : { region }) };
  return { physicalLocation, ...logical };
}

/** A path as a relative or file URI. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
