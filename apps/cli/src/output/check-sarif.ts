import type { CheckResult, Finding, Place } from '@griddep/insight';
import type { Location, Log, Result } from 'sarif';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Findings as a SARIF 2.1.0 log: one rule a kind of finding, the places of both accesses as locations. */
export function sarifLog({ findings, assume, verdict }: CheckResult): Log {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].sort();
  const rules = kinds.map((id) => ({
    id,
    properties: { rules: [...new Set(findings.filter(({ kind }) => kind === id).flatMap((each) => each.rules))] },
  }));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'griddep', rules } },
        columnKind: 'utf16CodeUnits',
        properties: { assume, verdict },
        results: findings.map((finding) => resultOf(finding, kinds)),
      },
    ],
  };
}

function resultOf(finding: Finding, kinds: readonly string[]): Result {
  const { kind, verdict, text, change, missingEdge, places, hiddenByHardware, count } = finding;
  // The call that something is wrong with is the last: the one that comes too early.
  const [main, ...related] = [...places].reverse();
  const level =
    verdict === 'lint' ? 'note' : verdict === 'unknown' || verdict === 'possible deadlock' ? 'warning' : 'error';
  return {
    ruleId: kind,
    ruleIndex: kinds.indexOf(kind),
    level,
    message: { text: change === undefined ? text : `${text} Change: ${change}.` },
    locations: main === undefined ? [] : [locationOf(main)],
    relatedLocations: related.map((place, i) => ({ ...locationOf(place), id: i + 1 })),
    occurrenceCount: count,
    properties: { verdict, hiddenByHardware, ...(missingEdge === undefined ? {} : { missingEdge: missingEdge.text }) },
  };
}

function locationOf({ file, line, column, name, thread, call }: Place): Location {
  const logicalLocations = [{ name, fullyQualifiedName: `${thread}[${call}] ${name}`, kind: 'function' }];
  if (line === undefined || column === undefined || file === undefined || file === '') return { logicalLocations };
  const region = { startLine: line, startColumn: column };
  return { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region }, logicalLocations };
}
