import { listScenarios } from './catalogue.ts';
import { formatValue, type ScenarioParameter } from './support/parameters.ts';

/** The table of all scenarios for the documentation: name, summary, parameters with default and allowed values. */
export function scenariosMarkdown(): string {
  const rows = listScenarios().map((s) =>
    [`\`${s.name}\``, s.summary, s.params.map(describe).join('<br>')].map(cell).join(' | '),
  );
  return ['| scenario | what it shows | parameters |', '|---|---|---|', ...rows.map((row) => `| ${row} |`), ''].join(
    '\n',
  );
}

function describe(parameter: ScenarioParameter): string {
  return `\`${parameter.name}=${formatValue(parameter, parameter.default)}\` ${parameter.meaning}${allowed(parameter)}`;
}

function allowed(parameter: ScenarioParameter): string {
  const { choices, min, max } = parameter;
  if (choices !== undefined) return ` (${choices.join(', ')})`;
  if (min === undefined || max === undefined) return '';
  return ` (${formatValue(parameter, min)} to ${formatValue(parameter, max)})`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
