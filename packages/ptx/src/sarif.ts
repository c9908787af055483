import type { Log, Region, ReportingDescriptor, Result } from 'sarif';

/** A place in a file, lines and columns from 1; without a line the whole file is meant. */
export interface SarifPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** What the place is to the finding, for places beside the first. */
  readonly message?: string;
}

/** A finding of any check. */
export interface SarifFinding {
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly place: SarifPlace;
  /** More places that belong to it. */
  readonly related?: readonly SarifPlace[];
  /** What it is about, such as a kernel or an operation. */
  readonly subject?: { readonly name: string; readonly kind: string };
}

export interface SarifRule {
  readonly id: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
}

export interface SarifTool {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly SarifRule[];
}

/** Findings as a SARIF 2.1.0 log (OASIS), for editors and code scanning. */
export function sarifLog(tool: SarifTool, findings: readonly SarifFinding[]): Log {
  const numbers = new Map(tool.rules.map(({ id }, i) => [id, i]));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: tool.rules.map(descriptor) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, numbers)),
      },
    ],
  };
}

function descriptor({ id, level, text }: SarifRule): ReportingDescriptor {
  return { id, shortDescription: { text }, defaultConfiguration: { level } };
}

function resultOf(finding: SarifFinding, numbers: ReadonlyMap<string, number>): Result {
  const { rule, level, message, place, related = [], subject } = finding;
  const ruleIndex = numbers.get(rule);
  const logical = subject === undefined ? {} : { logicalLocations: [subject] };
  return {
    ruleId: rule,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level,
    message: { text: message },
    locations: [{ ...locationOf(place), ...logical }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((one, id) => ({
            id,
            ...locationOf(one),
            ...(one.message === undefined ? {} : { message: { text: one.message } }),
          })),
        }),
  };
}

function locationOf({ file, line, column }: SarifPlace) {
  const region: Region | undefined =
    line === undefined ? undefined : { startLine: line, ...(column === undefined ? {} : { startColumn: column }) };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...(region === undefined ? {} : { region }) } };
}

/** A path as a relative or file URI. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
