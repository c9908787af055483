import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listMachines, machineByName } from '../catalogue.ts';
import { MachineError } from '../machine-error.ts';
import { H200 } from '../profiles/h200.ts';
import { DEVICE_TIMING, HOST_TIMING } from '../timing.ts';
import { readMachine } from './read.ts';
import { machineJsonSchema } from './schema.ts';
import { writeMachine } from './write.ts';

const device = Object.keys(DEVICE_TIMING) as (keyof typeof DEVICE_TIMING)[];
/** Names of constants by unit, whichever there are. */
const inUnit = (unit: string) => device.filter((name) => DEVICE_TIMING[name].unit === unit);
const [TIME = 'missing', OTHER_TIME = 'missing'] = inUnit('ns');
const [RATE = 'missing'] = inUnit('B/s');
const [NUMBER = 'missing'] = inUnit('1');
const [CALL = 'missing'] = Object.keys(HOST_TIMING);
/** A name without its third letter. */
const misspelt = (name: string) => name.slice(0, 2) + name.slice(3);

const never = (): never => {
  throw new Error('no such constant');
};

const failure = (text: string): MachineError => {
  try {
    readMachine(text, 'm.yaml');
  } catch (error) {
    if (error instanceof MachineError) return error;
    throw error;
  }
  throw new Error('no error');
};

describe('readMachine', () => {
  it('takes a base as it is', () => {
    expect(readMachine('base: h200x8')).toEqual(machineByName('h200x8'));
    expect(readMachine('{"base": "h200"}')).toEqual(machineByName('h200'));
  });

  it('changes single constants, limits and the host', () => {
    const machine = readMachine(`
base: h200x2
name: tuned
device:
  limits: { sms: 66 }
  timing:
    ${TIME}: 1.5 us
    ${OTHER_TIME}: 90
    ${RATE}: { value: 4 TB/s, status: documented, source: data sheet, low: 3.9 TB/s }
host:
  maxConnections: 32
  timing: { ${CALL}: 2us }
`);
    expect(machine.name).toBe('tuned');
    expect(machine.devices).toHaveLength(2);
    const [first, second] = machine.devices;
    expect(second).toBe(first);
    expect(first?.limits).toEqual({ ...H200.limits, sms: 66 });
    expect(first?.timing).toEqual({
      ...H200.timing,
      [TIME]: { value: 1500, unit: 'ns', status: 'assumed', source: 'set in the machine file' },
      [OTHER_TIME]: { value: 90, unit: 'ns', status: 'assumed', source: 'set in the machine file' },
      [RATE]: { value: 4e12, unit: 'B/s', status: 'documented', source: 'data sheet', low: 3.9e12 },
    });
    expect(machine.host.maxConnections).toBe(32);
    expect(machine.host.timing[CALL as keyof typeof HOST_TIMING].value).toBe(2000);
  });

  it.each(['VALUE', '{ value: VALUE }'])('drops the old spread when only the value changes: %s', (form) => {
    const spread = device.find((name) => DEVICE_TIMING[name].unit === 'ns' && H200.timing[name].high !== undefined);
    const { high = 0 } = H200.timing[spread ?? device[0] ?? never()];
    const value = 10 * high + 1;
    const machine = readMachine(
      `base: h200\ndevice: { timing: { ${spread}: ${form.replace('VALUE', String(value))} } }`,
    );
    expect(machine.devices[0]?.timing[spread ?? never()]).toEqual({
      value,
      unit: 'ns',
      status: 'assumed',
      source: 'set in the machine file',
    });
  });

  it('mixes devices of different kinds', () => {
    const machine = readMachine('devices: [{ base: h200, count: 2 }, { base: a100, name: old }]');
    expect(machine.devices.map((device) => device.name)).toEqual(['h200', 'h200', 'old']);
    expect(machine.topology).toEqual({ kind: 'pcie' });
  });

  it('reads topologies', () => {
    const machine = readMachine(`
devices: [{ base: h200, count: 4 }]
topology:
  kind: nodes
  devicesPerNode: 2
  within: { kind: nvlinkPairs, pairs: [[0, 1]], peerAccess: false, bandwidth: 100 GB/s, latency: 2 us }
  bandwidth: 25 GB/s
  latency: 5 us
`);
    expect(machine.topology).toMatchObject({
      devicesPerNode: 2,
      within: { peerAccess: false, latency: { value: 2000 } },
      latency: { value: 5000 },
    });
  });

  it.each([
    ['base: h20', 'm.yaml:1:7: ', 'h20', 'h200'],
    [`base: h200\ndevice:\n  timing:\n    ${misspelt(TIME)}: 1 us`, 'm.yaml:4:5: ', misspelt(TIME), TIME],
    [`base: h200\nhost: { timing: { ${misspelt(CALL)}: 3 } }`, 'm.yaml:2:19: ', misspelt(CALL), CALL],
    ['base: h200\ndevice: { limits: { sm: 3 } }', 'm.yaml:2:21: ', 'sm', 'sms'],
    [`base: h200\ndevice: { timing: { ${TIME}: { valeu: 3 } } }`, `m.yaml:2:${25 + TIME.length}: `, 'valeu', 'value'],
    ['bse: h200', 'm.yaml:1:1: ', 'bse', 'base'],
    ['devices:\n  - base: h100\n    cont: 2', 'm.yaml:3:5: ', 'cont', 'count'],
  ])('points at unknown names: %j', (text, start, offending, nearest) => {
    const error = failure(text);
    expect(error.message.startsWith(start), error.message).toBe(true);
    expect(error).toMatchObject({ text: offending, nearest });
  });

  it.each([
    ['base: [', 'm.yaml:1:8: '],
    ['base: h200\ndevice: { limits: { sms: -3 } }', 'm.yaml:2:26: device.limits.sms'],
    [`base: h200\ndevice: { timing: { ${TIME}: 3 GB/s } }`, `m.yaml:2:${23 + TIME.length}: device.timing.${TIME}`],
    [`base: h200\ndevice: { timing: { ${TIME}: true } }`, `m.yaml:2:${23 + TIME.length}: device.timing.${TIME}`],
    [
      `base: h200\ndevice: { timing: { ${TIME}: { value: 3, low: 4 } } }`,
      `m.yaml:2:${23 + TIME.length}: device.timing.${TIME}`,
    ],
    [`base: h200\ndevice: { timing: { ${NUMBER}: 3 ns } }`, `m.yaml:2:${23 + NUMBER.length}: device.timing.${NUMBER}`],
    ['name: x', 'm.yaml:1:1: a machine needs a `base` or `devices`'],
    ['', 'm.yaml:1:1: '],
    ['base: h200x2\ntopology: { kind: nvlinkSwitch }', 'm.yaml:2:11: topology.bandwidth: is missing'],
    ['devices: [{ name: x, computeCapability: [9, 0] }]', 'm.yaml:1:11: devices.0.limits.sms is missing'],
    [
      'base: h200x3\ntopology: { kind: nodes, devicesPerNode: 2, within: { kind: pcie }, bandwidth: 1, latency: 1 }',
      'm.yaml:2:42: ',
    ],
    ['base: h200x2\ntopology: { kind: nvlinkPairs, pairs: [[0, 2]], bandwidth: 1, latency: 1 }', 'm.yaml:2:40: '],
    ['schema: griddep/machine@9\nbase: h200', 'm.yaml:1:9: schema'],
  ])('points at the place of %j', (text, start) => {
    const { message } = failure(text);
    expect(message.slice(0, start.length)).toBe(start);
  });
});

describe('impossible machines', () => {
  const rule = (name: string) => DEVICE_TIMING[name as keyof typeof DEVICE_TIMING];
  const constant = (name: string, value: number | string) => `base: h200\ndevice:\n  timing:\n    ${name}: ${value}`;

  it.each(device)('refuses %s outside of its range, at its place', (name) => {
    const { least, most, whole } = rule(name).range;
    for (const value of [most * 2, least / 2 - 0.1, ...(whole === true ? [least + 0.5] : [])]) {
      const { message } = failure(constant(name, value));
      expect(message).toMatch(new RegExp(`^m\\.yaml:4:${7 + name.length}: device\\.timing\\.${name}: `));
      expect(message).toMatch(/must be (at least|at most|a whole number)|is negative/);
    }
  });

  it.each([
    ['sms: 0', 'device.limits.sms: must be at least 1, got 0'],
    ['sms: 65536', 'device.limits.sms: must be at most 65535, got 65536'],
    ['sms: 1.5', 'device.limits.sms: expected a whole number, got 1.5'],
    ['sms: many', 'device.limits.sms: expected a number, got "many"'],
    ['maxGrid: [1, 2, 0]', 'device.limits.maxGrid.2: must be at least 1, got 0'],
    ['copyEnginesUp: 0', 'device.limits.copyEnginesUp: must be at least 1, got 0'],
    ['carveOuts: []', 'device.limits.carveOuts: needs at least 1 elements'],
    ['carveOuts: [1, 1]', 'device.limits.carveOuts: carveOuts must ascend'],
    ['threadsPerBlock: 5000', 'device.limits.threadsPerBlock: threadsPerBlock 5000 is more than threadsPerSm 2048'],
    ['threadsPerBlock: 64', 'device.limits.threadsPerBlock: copyWithinThreads 512 is more than threadsPerBlock 64'],
    ['priorityHighest: 5', 'device.limits.priorityHighest: priorityHighest 5 is more than priorityLowest 0'],
    ['warpsPerSm: 4', 'device.limits.warpsPerSm: threadsPerSm 2048 is more than warpsPerSm 4 hold'],
  ])('refuses %s in plain words', (limit, message) => {
    const { message: full } = failure(`base: h200\ndevice: { limits: { ${limit} } }`);
    expect(full).toMatch(/^m\.yaml:2:\d\d: /);
    expect(full.slice(full.indexOf(' ') + 1)).toBe(message);
  });

  it.each([
    ['base: h200\nhost: { maxConnections: 33 }', 'host.maxConnections: must be at most 32, got 33'],
    ['base: h200\n---\nbase: a100', 'm.yaml:2:1: several YAML documents; a file holds one'],
    ['devices: &a [*a]', 'm.yaml:1:14: *a stands within &a, which would have no end'],
    ['- '.repeat(2 ** 22 + 1), 'm.yaml:1:1: the file has more than 8388608 characters'],
    ['base: h200\nhost: { queueDepth: 0 }', 'host.queueDepth: must be at least 1, got 0'],
    ['devices: [{ base: h200, count: 4000 }, { base: a100, count: 97 }]', '4097 devices, at most 4096'],
    [constant('copyWithinThreads', 1025), 'copyWithinThreads 1025 is more than threadsPerBlock 1024'],
    [
      'base: h200x2\ntopology: { kind: nvlinkSwitch, bandwidth: 0, latency: 1 }',
      'topology.bandwidth: must be at least 1',
    ],
  ])('refuses %j', (text, message) => expect(failure(text).message).toContain(message));
});

describe('writeMachine', () => {
  it.each(['yaml', 'json'] as const)('writes what reads back equal, as %s', (format) => {
    for (const { name } of listMachines()) {
      for (const machine of [machineByName(name), machineByName(`${name}x2`), machineByName(`${name}x2x4`)]) {
        expect(readMachine(writeMachine(machine, format))).toEqual(machine);
      }
    }
  });

  it('keeps any value of a constant', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 3.6e12, noNaN: true }), fc.string(), (value, source) => {
        const constant = { value, unit: 'ns', status: 'measured', source } as const;
        const timing = { ...H200.timing, [TIME]: constant };
        const machine = { ...machineByName('h200'), devices: [{ ...H200, timing }] };
        expect(readMachine(writeMachine(machine)).devices[0]?.timing).toEqual(timing);
      }),
      { numRuns: 30 },
    );
  });
});

it('exports a JSON Schema of the file', () => {
  const schema = machineJsonSchema();
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
  expect(JSON.stringify(schema)).toContain(TIME);
});
