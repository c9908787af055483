import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv-draft-04';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const PTX = fileURLToPath(new URL('../../../packages/ptx/fixtures/', import.meta.url));
const { write, griddep } = workFolder();
for (const name of ['rms-pdl', 'rms-plain', 'gemv-pdl', 'gemv-plain', 'roles']) {
  write(`${name}.ptx`, readFileSync(`${PTX}${name}.ptx`, 'utf8'));
}
write('wrong.ptx', '.version 8.0\n.target sm_90\n.entry k()\n{\n  griddepcontrol.go;\n}\n');
write('no.ptx', 'int main() {}\n');

describe('griddep lint', () => {
  it('2.2 is clean of the PDL variants when their weights are declared independent', () => {
    const { code, stdout, stderr } = griddep([
      'lint',
      'rms-pdl.ptx',
      'gemv-pdl.ptx',
      '--independent',
      'rms_param_1,gemv:1',
    ]);
    expect(stdout).toMatch(
      /^rms-pdl\.ptx: rms: wait in line 54, behind 16 % of the instructions; trigger in line 78, /m,
    );
    expect(stdout).toMatch(/^2 kernels in 2 files: clean$/m);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('2.2 exits 1 for the weights when they are not, with the place in PTX and source', () => {
    const { code, stdout } = griddep(['lint', 'rms-pdl.ptx']);
    expect(stdout).toMatch(
      /^ {2}rms-pdl\.ptx:50:2: error: ld\.global\.v2\.b32 reads rms_param_1 \(parameter 1\) before griddepcontrol\.wait \(torch_traces\.py:66\) \[read-before-wait\]$/m,
    );
    expect(stdout).toMatch(/^1 kernel in 1 file: 1 finding$/m);
    expect(code).toBe(1);
  });

  it('1.14, 1.18 notes plain kernels, and counts them where PDL is expected', () => {
    const plain = griddep(['lint', 'rms-plain.ptx', 'gemv-plain.ptx']);
    expect(plain.stdout.match(/has no griddepcontrol \[no-griddepcontrol\]/g)).toHaveLength(2);
    expect(plain.code).toBe(0);
    const expected = griddep(['lint', 'rms-plain.ptx', 'gemv-plain.ptx', '--expect-pdl']);
    expect(expected.stdout.match(/\[missing-wait\]/g)).toHaveLength(2);
    expect(expected.code).toBe(1);
  });

  it('2.5 counts a store behind the trigger by the strict reading only', () => {
    const args = ['lint', 'rms-pdl.ptx', '--independent', '1'];
    expect(griddep(args).stdout).toMatch(/note: .*\[store-after-trigger\]/);
    const { code, stdout } = griddep([...args, '--assume', 'strict']);
    expect(stdout).toMatch(/warning: .*\[store-after-trigger\]/);
    expect(code).toBe(1);
  });

  it('2.2 prints JSON with every access, and what its address derives from', () => {
    const { code, stdout } = griddep(['lint', 'rms-pdl.ptx', '--format', 'json']);
    const { schema, files, findings } = JSON.parse(stdout);
    expect([code, schema, findings]).toEqual([1, 'griddep/lint@1', 1]);
    const [{ kernel, accesses, skeleton }] = files[0].kernels;
    expect(kernel).toBe('rms');
    expect(
      accesses.map((a: { line: number; parameters: number[]; afterWait: boolean }) => [
        a.line,
        a.parameters,
        a.afterWait,
      ]),
    ).toEqual([
      [50, [1], false],
      [67, [0], true],
      [195, [2], true],
    ]);
    expect(skeleton.beforeWait).toBeCloseTo(0.16, 2);
  });

  it('1.10 prints SARIF that its schema allows', () => {
    const { code, stdout } = griddep(['lint', 'roles.ptx', '--format', 'sarif']);
    const schema = createRequire(import.meta.url)
      .resolve('@microsoft/jest-sarif')
      .replace(/lib[/\\].*$/, 'lib/schemas/sarif-2.1.0-rtm.5.json');
    const ajv = new Ajv.default({ strict: false, unicodeRegExp: false });
    formats.default(ajv);
    const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
    const log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const role = log.runs[0].results.find(({ ruleId }: { ruleId: string }) => ruleId === 'role-without-wait');
    expect(role.locations[0].physicalLocation.artifactLocation.uri).toBe('roles.ptx');
    expect(role.relatedLocations[0].physicalLocation.artifactLocation.uri).toBe('roles.cu');
    expect(code).toBe(1);
  });

  it('7.12 reads standard input, and says which parameter a comment declares', () => {
    const text = readFileSync(`${PTX}rms-pdl.ptx`, 'utf8').replace(
      '\tld.param',
      '\t// griddep: independent 1\n\tld.param',
    );
    expect(griddep(['lint', '-'], text).code).toBe(0);
  });

  it.each([
    ['lint', /^griddep: lint needs PTX files$/m],
    ['lint none.ptx', /none\.ptx: no such file or directory/],
    ['lint no.ptx', /^griddep: no\.ptx:1:1: no \.version first: this is no PTX$/m],
    ['lint rms-pdl.ptx wrong.ptx', /^griddep: wrong\.ptx:5:3: griddepcontrol has no action "go"; .*\(rule 7\.12\)$/m],
    ['lint rms-pdl.ptx --independent rms_parm_1', /no kernel has this parameter \(did you mean "rms_param_1"\?\)/],
    ['lint rms-pdl.ptx --format xml', /Allowed choices are text, json, sarif/],
  ])('7.12 griddep %s', (line, message) => {
    const { code, stderr } = griddep(line.split(' '));
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });
});

describe('a PTX kernel as the body of a kernel', () => {
  const program = (body: string) => `schema: griddep/program@1
kernels:
  rms: { grid: 132, block: 256, ${body} }
streams: [s]
calls:
  - launchKernel: { kernel: rms, stream: s }
  - launchKernel: { kernel: rms, stream: s, attributes: { programmaticStreamSerialization: true } }
  - deviceSynchronize
`;
  const run = (body: string) => {
    write('ptx.yaml', program(body));
    const { code, stdout, stderr } = griddep(['run', 'ptx.yaml', '--json']);
    return { code, stderr, ops: code === 0 ? JSON.parse(stdout).ops : [] };
  };
  const overlap = (body: string) => {
    const [a, b] = run(body).ops.filter(({ kind }: { kind: string }) => kind === 'kernel');
    return a.endNs - b.startNs;
  };

  it('1.3, 1.8 waits and triggers where its instructions do', () => {
    const code = 'ptx: rms-pdl.ptx#rms, duration: 60us';
    expect(overlap(code)).toBeGreaterThan(30_000);
    expect(overlap('ptx: { file: rms-pdl.ptx, entry: rms, duration: 60us }')).toBe(overlap(code));
    expect(overlap('ptx: rms-plain.ptx#rms, duration: 60us')).toBeLessThan(0);
  });

  it.each([
    ['ptx: rms-pdl.ptx', /ptx\.yaml:3:\d+: ptx: expected file#kernel/],
    ['ptx: rms-pdl.ptx#rmx', /rms-pdl\.ptx has no kernel "rmx" \(did you mean "rms"\?\)/],
    ['ptx: rms-pld.ptx#rms', /rms-pld\.ptx: no such file or directory \(did you mean "rms-pdl\.ptx"\?\)/],
    ['ptx: wrong.ptx#k', /wrong\.ptx:5:3: griddepcontrol has no action "go"/],
    ['ptx: rms-pdl.ptx#rms, phases: [wait]', /has several bodies \(phases, ptx\)/],
  ])('7.12 refuses %s', (body, message) => {
    const { code, stderr } = run(body);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
