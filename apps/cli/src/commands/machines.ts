import { deviceByName, listMachines, MEASURED_HOST, type Provenance } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { renderColumns } from '../output/columns.ts';
import { print } from '../output/stdout.ts';

/** `griddep machines`: the catalogue, and how many constants of each are measured, documented and assumed. */
export async function machines(options: { readonly json?: boolean }): Promise<number> {
  const list = listMachines().map((machine) => {
    const constants = [...Object.values(deviceByName(machine.name).timing), ...Object.values(MEASURED_HOST.timing)];
    const count = (status: Provenance) => constants.filter((constant) => constant.status === status).length;
    return {
      ...machine,
      measuredConstants: count('measured'),
      documented: count('documented'),
      assumed: count('assumed'),
    };
  });
  if (options.json === true) {
    await print(`${JSON.stringify({ machines: list })}\n`);
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
    list.map((machine) => [
      machine.name,
      machine.computeCapability.join('.'),
      String(machine.sms),
      String(Math.round(machine.memoryBytes / 2 ** 30)),
      String(machine.measuredConstants),
      String(machine.documented),
      String(machine.assumed),
    ]),
  );
  const note =
    'Constants of device and host. h200x8 is a node of eight, h200x4x8 four such nodes; or give a machine file.';
  await print(table, `\n${note}\n\`griddep machine NAME\` prints each constant with its source.\n`);
  return EXIT.ok;
}
