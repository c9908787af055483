import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const OVERLAP = fileURLToPath(new URL('../../../docs/examples/overlap.yaml', import.meta.url));
const { write, griddep } = workFolder();

it.each(['h200', 'a100'])('a machine that griddep machine %s wrote simulates as the catalogue does', (name) => {
  write('machine.yaml', griddep(['machine', name]).stdout);
  const hash = (machine: string) => {
    const { code, stdout } = griddep(['run', OVERLAP, '--machine', machine]);
    expect(code).toBe(0);
    return /^hash .{64}$/m.exec(stdout)?.[0];
  };
  expect(hash('machine.yaml')).toBeDefined();
  expect(hash('machine.yaml')).toBe(hash(name));
});

it('an impossible machine, and a time that runs over, each give one message and exit code 2', () => {
  write('machine.yaml', 'base: h200\ndevice: { timing: { memoryBandwidth: 0 } }\n');
  const refused = griddep(['run', OVERLAP, '--machine', 'machine.yaml']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'griddep: machine.yaml:2:38: device.timing.memoryBandwidth: must be at least 1 B/s, got 0 B/s\n',
  ]);
  const compute = '  - hostCompute: 3600s\n';
  write('long.yaml', `schema: griddep/program@1\ncalls:\n${compute.repeat(3)}`);
  const late = griddep(['run', 'long.yaml']);
  expect([late.code, late.stderr]).toEqual([
    2,
    'griddep: simulated time passes 2.5 hours, at "hostCompute#2" (long.yaml:5:5)\n',
  ]);
});
