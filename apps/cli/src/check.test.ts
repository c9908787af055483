import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Ajv04 from 'ajv-draft-04';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep, write } = workFolder();

const RACE = `schema: griddep/program@1
name: pair
buffers: { x: { bytes: 64KiB } }
kernels:
  make: { grid: 16, block: 256, phases: [trigger, { store: { bytes: 4KiB, range: { buffer: x, blockStride: 4KiB } } }] }
  use: { grid: 16, block: 256, phases: [WAIT{ load: { bytes: 4KiB, range: { buffer: x, blockStride: 4KiB } } }] }
streams: { s: { kind: nonBlocking } }
calls:
  - launchKernel: { kernel: make, stream: s }
  - launchKernel: { kernel: use, stream: s, attributes: { programmaticStreamSerialization: true } }
  - streamSynchronize: s
`;
/** Two streams and nothing between them but what the second does before. */
const APART = RACE.replace('WAIT', '')
  .replace('streams: {', 'streams: { t: { kind: nonBlocking },')
  .replace('kernels:', 'kernels:\n  long: { grid: 1, block: 32, phases: [{ spin: 30us }] }')
  .replace(
    / {2}- launchKernel: \{ kernel: use.*\n/,
    '  - launchKernel: { kernel: long, stream: t }\n  - launchKernel: { kernel: use, stream: t }\n',
  );
const unsafe = write('race.yaml', RACE.replace('WAIT', ''));
const safe = write('safe.yaml', RACE.replace('WAIT', 'wait, '));

describe('griddep check', () => {
  it('tells a race with its places, what is missing and the change, and exits 1', () => {
    const { code, stdout } = griddep(['check', unsafe]);
    expect(code).toBe(1);
    expect(stdout).toContain('race (no-wait): "use" reads "x" (bytes 0 to 64KiB, phase 0) at race.yaml:10:5');
    expect(stdout).toContain('"make" writes "x" (bytes 0 to 64KiB, phase 1) at race.yaml:9:5');
    expect(stdout).toContain('missing: the end of "make" before the access of "use"');
    expect(stdout).toContain('change: let kernel "use" wait (griddepcontrol.wait) before phase 0');
    expect(stdout).toContain('pair: unsafe by the contract; 2 operations, 1 race, 1 lint');
  });

  it('says what a simulated run makes of a race', () => {
    const gap = (...args: string[]) => {
      const { findings } = JSON.parse(griddep(['check', ...args, '--format', 'json']).stdout);
      return findings.find(({ verdict }: { verdict: string }) => verdict === 'race').simulatedGapNs;
    };
    const overlapping = write(
      'long.yaml',
      RACE.replace('WAIT', '').replace('[trigger, ', '[trigger, { spin: 20us }, '),
    );
    expect(gap(overlapping)).toBeLessThan(-10_000);
    expect(griddep(['check', overlapping]).stdout).toMatch(
      /Simulated, the two overlap, "use" from \d+\.\d us before the end of "make" on\./,
    );
    const apart = write('apart.yaml', APART);
    expect(gap(apart)).toBeGreaterThan(20_000);
    expect(griddep(['check', apart]).stdout).toMatch(
      /Simulated, "use" comes \d\d\.\d us after "make" .* timing hides the race/,
    );
    expect(gap(apart, '--no-simulation')).toBeUndefined();
  });

  it('judges also what no run could end', () => {
    const endless = write(
      'endless.yaml',
      RACE.replace('WAIT', '').replace(
        '[trigger, ',
        '[trigger, { spin: 3000s }, { spin: 3000s }, { spin: 3000s }, { spin: 3000s }, ',
      ),
    );
    const { code, stdout, stderr } = griddep(['check', endless]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('race (no-wait)')]);
    expect(stderr).toContain('was given up');
  });

  it('exits 0 for a safe program, and prints its findings as JSON', () => {
    const { code, stdout } = griddep(['check', safe, '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ program: 'pair', assume: 'contract', verdict: 'safe', findings: [] });
  });

  it('judges by the reading asked for', () => {
    expect(griddep(['check', safe, '--assume', 'hardware']).code).toBe(0);
    const { code, stdout } = griddep(['check', safe, '--assume', 'strict']);
    expect(code).toBe(1);
    expect(stdout).toContain('race (after-trigger)');
    expect(stdout).toContain('An H200 completes in order, which hides it.');
  });

  it('counts lint only where it is asked to', () => {
    const lint = write('lint.yaml', RACE.replace('WAIT', 'wait, ').replace('[trigger, ', '['));
    expect(griddep(['check', lint]).code).toBe(0);
    expect(griddep(['check', lint, '--fail-on', 'any']).code).toBe(1);
  });

  it('exits 2 for bad input', () => {
    expect(griddep(['check', 'missing.yaml']).code).toBe(2);
    expect(griddep(['check', write('bad.yaml', 'schema: griddep/program@1\nkernel: {}\n')]).code).toBe(2);
    expect(griddep(['check', safe, '--assume', 'hope']).code).toBe(2);
  });

  it('prints SARIF 2.1.0 that is valid against its schema', () => {
    const root = dirname(createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json'));
    const schema = JSON.parse(readFileSync(join(root, 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'));
    const validate = new Ajv04.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
    // A scenario has no file.
    const scenario = ['--scenario', 'unfit-complex-dependencies', '--set', 'wait=missing'];
    for (const input of [[unsafe], [safe], scenario]) {
      const log = JSON.parse(griddep(['check', ...input, '--format', 'sarif']).stdout);
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...log, version: 2 })).toBe(false);
    }
    const [result] = JSON.parse(griddep(['check', unsafe, '--format', 'sarif']).stdout).runs[0].results;
    expect(result).toMatchObject({
      ruleId: 'no-wait',
      level: 'error',
      occurrenceCount: 1,
      properties: { verdict: 'race' },
    });
    expect(result.relatedLocations).toHaveLength(1);
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'race.yaml' },
      region: { startLine: 10, startColumn: 5 },
    });
  }, 30_000);
});
