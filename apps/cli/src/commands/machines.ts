import { type Constant, deviceByName, listMachines, MEASURED_HOST, type Provenance } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { renderColumns } from '../output/columns.ts';
import { print } from '../output/stdout.ts';

/** `griddep machines`: the catalogue, and how many timing constants of each are measured, documented and assumed. */
export async function machines(options: { readonly json?: boolean }): Promise<number> {
  const list = listMachines().map((machine) => {
    return { ...machine, ...countsOf(deviceByName(machine.name).timing) };
  });
  const host = countsOf(MEASURED_HOST.timing);
  if (options.json === true) {
    await print(`${JSON.stringify({ machines: list, host })}\n`);
    return EXIT.ok;
  }
  const table = renderColumns(
    [
      { title: 'name' },
      { title: 'compute', align: 'right' },
      { title: 'SMs', align: 'right' },
      { title: 'memory GiB', align: 'right' },
      { title: 'measured', align: 'right' },
      { title: 'documented', align: 'right' },
      { title: 'assumed', align: 'right' },
    ],
    [
      ...list.map((machine) => [
        machine.name,
        machine.computeCapability.join('.'),
        String(machine.sms),
        String(Math.round(machine.memoryBytes / 2 ** 30)),
        ...countCells(machine),
      ]),
      ['their host', '', '', '', ...countCells(host)],
    ],
  );
  const note =
    'Timing constants by what they rest on. h200x8 is a node of eight, h200x4x8 four such nodes; or give a machine file.';
  await print(table, `\n${note}\n\`griddep machine NAME\` prints each constant with its source.\n`);
  return EXIT.ok;
}

interface Counts {
  readonly measuredConstants: number;
  readonly documented: number;
  readonly assumed: number;
}

function countsOf(constants: Readonly<Record<string, Constant>>): Counts {
  const count = (status: Provenance) => Object.values(constants).filter((each) => each.status === status).length;
  return { measuredConstants: count('measured'), documented: count('documented'), assumed: count('assumed') };
}

function countCells({ measuredConstants, documented, assumed }: Counts): string[] {
  return [measuredConstants, documented, assumed].map(String);
}
