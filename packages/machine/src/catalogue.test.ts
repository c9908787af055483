import { describe, expect, it } from 'vitest';
import { listMachines, machineByName } from './catalogue.ts';
import { H200 } from './profiles/h200.ts';

describe('machineByName', () => {
  it('makes one device, a node and several nodes', () => {
    expect(machineByName('h200')).toMatchObject({ name: 'h200', devices: [H200], topology: { kind: 'pcie' } });
    const node = machineByName('h200x8');
    expect(node.devices).toHaveLength(8);
    expect(node.topology.kind).toBe('nvlinkSwitch');
    const cluster = machineByName('b200x4x8');
    expect(cluster.devices).toHaveLength(32);
    expect(cluster.topology).toMatchObject({ kind: 'nodes', devicesPerNode: 8, within: { kind: 'nvlinkSwitch' } });
  });

  it('joins devices without NVLink by PCIe', () => {
    expect(machineByName('rtx4090x2').topology).toEqual({ kind: 'pcie', peerAccess: false });
  });

  it.each([
    ['h20', 'h200'],
    ['H200x8', 'h200x8'],
    ['rtx409x2', 'rtx4090x2'],
    ['b20x4x8', 'b200x4x8'],
  ])('refuses %s and names %s', (name, nearest) => {
    expect(() => machineByName(name)).toThrow(expect.objectContaining({ name: 'MachineError', text: name, nearest }));
  });

  it('refuses impossible counts', () => {
    expect(() => machineByName('h200x0')).toThrow('0 devices');
    expect(() => machineByName('h200x99999999')).toThrow('99999999 devices');
    expect(() => machineByName('h200x64x65')).toThrow('4160 devices');
  });
});

it('lists what machineByName knows', () => {
  for (const { name, sms } of listMachines()) expect(machineByName(name).devices[0]?.limits.sms).toBe(sms);
  expect(listMachines().filter((machine) => machine.measured)).toMatchObject([{ name: 'h200' }]);
});
