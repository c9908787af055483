import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listMachines, machineByName } from '../catalogue.ts';
import { MachineError } from '../machine-error.ts';
import { H200 } from '../profiles/h200.ts';
import { readMachine } from './read.ts';
import { machineJsonSchema } from './schema.ts';
import { writeMachine } from './write.ts';

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
    kernelLaunch: 1.5 us
    waitRelease: 90
    memoryBandwidth: { value: 4 TB/s, status: documented, source: data sheet, low: 3.9 TB/s }
host:
  maxConnections: 32
  timing: { launchKernel: 2us }
`);
    expect(machine.name).toBe('tuned');
    expect(machine.devices).toHaveLength(2);
    const [first, second] = machine.devices;
    expect(second).toBe(first);
    expect(first?.limits).toEqual({ ...H200.limits, sms: 66 });
    expect(first?.timing).toEqual({
      ...H200.timing,
      kernelLaunch: { value: 1500, unit: 'ns', status: 'assumed', source: 'set in the machine file' },
      waitRelease: { value: 90, unit: 'ns', status: 'assumed', source: 'set in the machine file' },
      memoryBandwidth: { value: 4e12, unit: 'B/s', status: 'documented', source: 'data sheet', low: 3.9e12 },
    });
    expect(machine.host.maxConnections).toBe(32);
    expect(machine.host.timing.launchKernel.value).toBe(2000);
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
  within: { kind: nvlinkPairs, pairs: [[0, 1]], bandwidth: 100 GB/s, latency: 2 us }
  bandwidth: 25 GB/s
  latency: 5 us
`);
    expect(machine.topology).toMatchObject({
      devicesPerNode: 2,
      within: { latency: { value: 2000 } },
      latency: { value: 5000 },
    });
  });

  it.each([
    ['base: h20', 'm.yaml:1:7: ', 'h20', 'h200'],
    ['base: h200\ndevice:\n  timing:\n    kernelLanch: 1 us', 'm.yaml:4:5: ', 'kernelLanch', 'kernelLaunch'],
    ['base: h200\nhost: { timing: { lunchKernel: 3 } }', 'm.yaml:2:19: ', 'lunchKernel', 'launchKernel'],
    ['base: h200\ndevice: { limits: { sm: 3 } }', 'm.yaml:2:21: ', 'sm', 'sms'],
    ['base: h200\ndevice: { timing: { barrier: { valeu: 3 } } }', 'm.yaml:2:32: ', 'valeu', 'value'],
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
    ['base: h200\ndevice: { timing: { barrier: 3 GB/s } }', 'm.yaml:2:30: device.timing.barrier'],
    ['base: h200\ndevice: { timing: { barrier: true } }', 'm.yaml:2:30: device.timing.barrier'],
    ['base: h200\ndevice: { timing: { barrier: { value: 3, low: 4 } } }', 'm.yaml:2:30: device.timing.barrier'],
    ['base: h200\ndevice: { timing: { largeGrid: 3 ns } }', 'm.yaml:2:32: device.timing.largeGrid'],
    ['name: x', 'm.yaml:1:1: a machine needs a `base` or `devices`'],
    ['', 'm.yaml:1:1: '],
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
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), fc.string(), (value, source) => {
        const barrier = { value, unit: 'ns', status: 'measured', source } as const;
        const machine = { ...machineByName('h200'), devices: [{ ...H200, timing: { ...H200.timing, barrier } }] };
        expect(readMachine(writeMachine(machine)).devices[0]?.timing.barrier).toEqual(barrier);
      }),
      { numRuns: 30 },
    );
  });
});

it('exports a JSON Schema of the file', () => {
  const schema = machineJsonSchema();
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' });
  expect(JSON.stringify(schema)).toContain('kernelLaunch');
});
