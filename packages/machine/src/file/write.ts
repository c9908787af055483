import { Document, isMap, visit } from 'yaml';
import { type DeviceProfile, MACHINE_SCHEMA, type Machine } from '../machine.ts';

/**
 * The whole machine as a text that `readMachine` reads back to an equal one, and that needs no catalogue. Equal
 * neighbouring devices are written once with a count.
 */
export function writeMachine(machine: Machine, format: 'yaml' | 'json' = 'yaml'): string {
  const file = {
    schema: MACHINE_SCHEMA,
    name: machine.name,
    devices: runs(machine.devices).map(([device, count]) => ({ ...(count > 1 ? { count } : {}), ...device })),
    topology: machine.topology,
    host: machine.host,
  };
  if (format === 'json') return `${JSON.stringify(file, null, 2)}\n`;
  const document = new Document(file, { aliasDuplicateObjects: false });
  visit(document, {
    Map(_, node) {
      // One constant a line.
      if (isMap(node) && node.has('value')) node.flow = true;
    },
    Seq(_, node) {
      if (node.items.every((item) => !isMap(item))) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function runs(devices: readonly DeviceProfile[]): readonly (readonly [DeviceProfile, number])[] {
  const found: [DeviceProfile, number][] = [];
  for (const device of devices) {
    const last = found.at(-1);
    if (last !== undefined && equal(last[0], device)) last[1]++;
    else found.push([device, 1]);
  }
  return found;
}

function equal(a: DeviceProfile, b: DeviceProfile): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
