import { listScenarios, scenarioByName } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { renderColumns } from '../output/columns.ts';
import { print } from '../output/stdout.ts';

type Scenario = ReturnType<typeof scenarioByName>;
type Parameter = Scenario['params'][number];

/** `griddep scenarios [NAME]`: the library, or one scenario with its parameters. */
export async function scenarios(name: string | undefined, options: { readonly json?: boolean }): Promise<number> {
  const chosen = name === undefined ? listScenarios() : [scenarioByName(name)];
  if (options.json === true) await print(`${JSON.stringify({ scenarios: chosen })}\n`);
  else if (name === undefined) await print(listText(chosen));
  else await print(...chosen.map(detailText));
  return EXIT.ok;
}

function listText(list: readonly Scenario[]): string {
  const rows = list.map(({ name, summary }) => [name, summary]);
  return `${renderColumns([{ title: 'name' }, { title: 'what it is' }], rows)}\n\`griddep run --scenario NAME --set key=value\`; \`griddep scenarios NAME\` lists its parameters.\n`;
}

function detailText({ name, summary, description, params }: Scenario): string {
  const rows = params.map((parameter) => [
    parameter.name,
    String(parameter.default),
    allowed(parameter),
    parameter.meaning,
  ]);
  const columns = [{ title: 'parameter' }, { title: 'default' }, { title: 'allowed' }, { title: 'meaning' }];
  return `${name}: ${summary}\n\n${description}\n\n${renderColumns(columns, rows)}`;
}

function allowed({ default: usual, choices, min, max, unit }: Parameter): string {
  if (choices !== undefined) return choices.join(', ');
  if (typeof usual === 'boolean') return 'true, false';
  if (typeof usual === 'string') return 'text';
  return `${min ?? 0} to ${max ?? 'any'}${unit === undefined ? '' : ` ${unit}`}`;
}
