import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODULE, PROGRAM, workFolder } from './griddep.fixture.ts';

const { path, write, griddep } = workFolder();
mkdirSync(path('folder'));
write('good.yaml', PROGRAM);
write('module.ts', MODULE);
write('typo.yaml', PROGRAM.replace('kernel: rms', 'kernel: rsm'));
write('big.yaml', PROGRAM.replace('100KiB', '300KiB'));
write('empty.yaml', '');
write(
  'binary.yaml',
  Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256),
);
write('garbage.json', new Uint8Array(100e6).fill(0x7e));
write('syntax.json', '{"schema": "griddep/program@1",\n "kernels": {,}}');
write('truncated.json', '{"schema":"griddep/timeline@1","program":"x",\n');
write('future.json', '{"schema":"griddep/timeline@9"}');
write('machine.json', '{"schema":"griddep/machine@1","base":"h200"}');
write('machine-typo.yaml', 'base: h200\nhosts: {}\n');
write('case.json', '{"cases":[{"name":"a","devices":1,"mode":"stream","gated":false,"kernels":{"k":{"grid":"x"}}}]}');
write('case-syntax.json', '{"cases":\n [,]}');
write('syntax.ts', 'export const x = 1;\nexport const program = (((;\n');
write('nothing.ts', 'export const x = 1;\n');
write('number.mjs', 'export const program = 3;\n');
write('large-kernel.ts', MODULE.replace('block: 128', "block: 128, dynamicSharedMemory: '300KiB'"));
write('never.mjs', 'export const program = () => new Promise(() => {});\n');
write('never-loads.mjs', 'await new Promise(() => {});\n');
write(
  'words.mjs',
  "import { programBuilder } from '@griddep/program';\nexport const program = () => { const p = programBuilder('p'); p.stream('s', { kind: 'nonblocking' }); return p; };\n",
);
write('exit.mjs', 'process.exit(0);\n');
write('bad-block.ts', MODULE.replace('block: 128', 'block: 5000'));
write('many.mjs', "export const program = () => 'x'.repeat(2 ** 30);\n");
write('yes.yaml', PROGRAM.replace('grid: 32', 'grid: yes'));
write(
  'sides.yaml',
  PROGRAM.replace(
    'calls:',
    'buffers: { b: { bytes: 1KiB } }\ncalls:\n  - memcpyAsync: { copy: deviceToHost, bytes: 1, stream: s0, destination: b }',
  ),
);
write('stuck.yaml', PROGRAM.replace('spin: 1us', 'await: never'));

describe('bad input gives one message and exit code 2', () => {
  it.each([
    // Files.
    ['run', /no input/],
    ['run god.yaml', /god\.yaml: no such file or directory \(did you mean "good\.yaml"\?\)/],
    ['run folder', /folder: is a folder, not a file/],
    ['run good.yaml/x', /not a directory/],
    ['run empty.yaml', /empty\.yaml:1:1: the file is empty/],
    ['run binary.yaml', /binary\.yaml:\d+:\d+: /],
    ['run garbage.json', /garbage\.json:1:1: /],
    ['run -', /<stdin>:1:1: the file is empty/],
    // Programs.
    ['run syntax.json', /syntax\.json:2:14: not valid JSON/],
    ['run typo.yaml', /typo\.yaml:7:29: unknown kernel "rsm" \(did you mean "rms"\?\)/],
    ['run big.yaml', /big\.yaml:4:\d+: kernel "rms": 307200 B of shared memory/],
    ['run good.yaml --set gird=3', /unknown parameter "gird" \(did you mean "grid"\?\)/],
    ['run good.yaml --set grid=2.5', /good\.yaml:2:17: parameter grid is a whole number/],
    ['run yes.yaml', /yes\.yaml:2:17: parameter grid: "yes" is a text, not true or false \(did you mean "true"\?\)/],
    ['run sides.yaml', /sides\.yaml:8:\d+: the destination of a deviceToHost copy is host memory, but buffer "b"/],
    ['run good.yaml --set grid', /--set grid: expected name=value/],
    ['run machine.json', /machine\.json: is a machine .*--machine/],
    // Timelines.
    ['run truncated.json', /truncated\.json:\d+:\d+: not valid JSON/],
    ['run future.json', /future\.json: this file is griddep\/timeline@9/],
    ['validate case.json', /case\.json:1:\d+: cases\[0\]\.kernels\.k\.grid: expected number, received string/],
    ['validate case-syntax.json', /case-syntax\.json:2:\d+: not valid JSON/],
    ['validate truncated.json', /truncated\.json: is a griddep\/timeline@1 without measurements/],
    // Modules.
    ['run missing.ts', /missing\.ts: no such file/],
    ['run syntax.ts', /syntax\.ts:2:\d+: /],
    ['run nothing.ts', /nothing\.ts: exports neither `program` nor a default; it exports x/],
    ['run never.mjs', /the input never completes/],
    ['run never-loads.mjs', /the input never completes/],
    ['run exit.mjs', /exit\.mjs:1(:\d+)?: called process\.exit\(0\)/],
    ['run many.mjs', /many\.mjs:1(:\d+)?: makes more than JavaScript can hold \(Invalid string length\)/],
    ['run number.mjs', /number\.mjs: `program` is no program/],
    ['run module.ts --set layers=12', /module\.ts:6:\d+: too many layers/],
    ['run module.ts --set layer=1', /no such parameter \(did you mean "layers"\?\)/],
    ['run module.ts --set layers=x', /expected a whole number, as in layers=2/],
    ['run module.ts --set layers=2.5', /--set layers=2\.5: expected a whole number/],
    ['run bad-block.ts', /bad-block\.ts:7:\d+: block\.x must be/],
    ['run large-kernel.ts', /large-kernel\.ts: kernels\.k\.dynamicSharedMemory: /],
    // Scenarios and machines.
    ['run --scenario decode-chian', /did you mean "decode-chain"\?/],
    ['run --scenario decode-chain --set layer=1', /did you mean "layers"\?/],
    ['run good.yaml --scenario decode-chain', /not both/],
    ['run good.yaml --machine h20', /did you mean 'h200'\?/],
    ['run good.yaml --machine machine-typo.yaml', /machine-typo\.yaml:2:1: unknown name 'hosts'.*'host'/],
    ['run good.yaml --machine nowhere/m.yaml', /no such file/],
    ['machine binary.yaml', /not UTF-8|binary/],
    ['scenarios decode-chian', /did you mean "decode-chain"\?/],
    ['schema progam', /did you mean "program"\?/],
    // The command line.
    ['rnu', /unknown command 'rnu' \(Did you mean run\?\)/],
    ['run good.yaml --jsn', /unknown option '--jsn' \(Did you mean --json\?\)/],
    ['run good.yaml typo.yaml', /too many arguments/],
    ['run good.yaml --max-events 0', /at least 1/],
    ['run good.yaml --max-events 1', /gave up after 1 events/],
    ['validate folder', /holds no \.json files/],
    ['validate good.yaml', /validate needs measured cases/],
    ['validate good.yaml --fail-above 5', /write 5%/],
    ['validate good.yaml --filter (', /Invalid regular expression/],
    ['diff good.yaml', /needs two inputs/],
    ['diff - -', /one of the two/],
    ['run good.yaml --streams s1', /--streams s1: no stream or host thread of this name.*did you mean "s0"\?/],
    ['run good.yaml --from 1e3', /Expected a number of us/],
    ['run good.yaml --from 900', /--from 900: nothing happens after \d/],
    ['run good.yaml --from 2 --to 1', /--from 2 is not before --to 1/],
    // Outputs.
    ['run good.yaml --save ./good.yaml', /--save \.\/good\.yaml: is an input, which would be lost/],
    ['run good.yaml --machine machine.json --svg machine.json', /--svg machine\.json: is an input/],
    ['run words.mjs', /words\.mjs:\d+:\d+: kind must be one of blocking, nonBlocking, .*did you mean "nonBlocking"/],
    ['run good.yaml --width 1000000', /Expected at most 10000/],
    ['run good.yaml --save nowhere/t.json', /--save nowhere\/t\.json: the folder nowhere does not exist/],
    ['run good.yaml --svg folder', /--svg folder: is a folder/],
    ['run good.yaml --svg out --chrome out', /--chrome out: is the output of --svg too/],
    ['demo --out good.yaml', /--out good\.yaml: cannot be made/],
  ])('griddep %s', (line, message) => {
    const { code, stdout, stderr } = griddep(line.split(' '));
    const own = stderr.split('\n').filter((text) => text !== '' && text !== 'printed by the module');
    expect(own.join('\n')).toMatch(message);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatch(/^griddep: /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  it('names what waits for what in a program that never ends', () => {
    const { code, stdout, stderr } = griddep(['run', 'stuck.yaml', '--json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/never ends \(deadlock\):/);
    expect(stderr).toMatch(/"rms#0" \(stuck\.yaml:7:5\) waits for flag "never" to reach 1/);
    expect(JSON.parse(stdout).stuck.length).toBeGreaterThan(0);
  });

  it('prints no headline of a program that never ends', () => {
    const { code, stdout, stderr } = griddep(['run', 'stuck.yaml']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^griddep: program never ends \(deadlock\):/);
    const compared = griddep(['diff', 'good.yaml', 'stuck.yaml']);
    expect([compared.code, compared.stdout]).toEqual([2, '']);
  });

  it('shows the stack with --debug only', () => {
    expect(griddep(['run', 'typo.yaml', '--debug']).stderr).toMatch(/^ {4}at /m);
  });
});
