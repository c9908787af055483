import { describe, expect, it } from 'vitest';
import { ProgramError, programJsonSchema, readProgram, readProgramBytes, writeProgramJson } from './index.ts';

const e = (source: string) => `$\{${source}}`;
const TEXT = `schema: griddep/program@1
name: decode
params: {layers: 2, t: 5us}
streams: {s0: {kind: nonBlocking}, s1: }
events: [e, {name: f, timing: false}]
buffers: {x: {bytes: 1MiB}}
kernels:
  rms:
    grid: 32
    block: 256
    parameters: [{name: p, buffer: x}]
    phases:
      - spin: ${e('t * 2')}
      - trigger
      - wait
      - load: {bytes: 4KiB, range: {buffer: $p, blockStride: 4KiB}}
graphs:
  g:
    nodes: [{id: a, launchKernel: {kernel: rms, stream: s0}}, {id: b, memsetAsync: {bytes: 1, stream: s0}}]
    edges: [[a, b]]
calls:
  - repeat:
      times: ${e('layers')}
      index: i
      calls:
        - launchKernel: {kernel: rms, stream: "s${e('i')}", label: "k${e('i')}"}
        - range: {name: "layer", calls: [eventRecord: {event: e, stream: legacy}]}
  - streamSynchronize: s0
  - deviceSynchronize
`;
const read = (text: string, set?: Record<string, string>) => readProgram(text, { file: 'p.yaml', set });

function failure(act: () => unknown): ProgramError {
  try {
    act();
  } catch (error) {
    if (error instanceof ProgramError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('reading', () => {
  it('expands repeats and ranges and keeps the place of every call', () => {
    const calls = read(TEXT).threads[0]?.calls;
    const all = Array.from({ length: calls?.length ?? 0 }, (_, i) => [
      calls?.at(i).kind,
      calls?.label(i) ?? '',
      calls?.path(i),
      `${calls?.origin(i)?.line}:${calls?.origin(i)?.column}`,
    ]);
    expect(all).toEqual([
      ['launchKernel', 'k0', '', '26:11'],
      ['rangePush', '', '', '27:11'],
      ['eventRecord', '', 'layer', '27:42'],
      ['rangePop', '', '', '27:11'],
      ['launchKernel', 'k1', '', '26:11'],
      ['rangePush', '', '', '27:11'],
      ['eventRecord', '', 'layer', '27:42'],
      ['rangePop', '', '', '27:11'],
      ['streamSynchronize', '', '', '28:5'],
      ['deviceSynchronize', '', '', '29:5'],
    ]);
  });

  it('replaces params', () => {
    const program = read(TEXT, { layers: '1', t: '7us' });
    expect(program.params).toEqual({ layers: 1, t: '7us' });
    expect(program.threads[0]?.calls.length).toBe(6);
    expect(program.kernels.get('rms')?.body).toMatchObject({
      roles: [{ phases: [{ duration: 14_000_000 }, {}, {}, {}] }],
    });
    expect(failure(() => read(TEXT, { layer: '1' })).nearest).toBe('layers');
    expect(failure(() => read(TEXT, { layers: 'x' })).message).toContain('parameter layers is a number, got "x"');
    expect(failure(() => read(TEXT, { layers: '2.5' })).message).toContain('parameter layers is a whole number');
    const fractional = TEXT.replace('layers: 2', 'layers: 2, f: 0.5');
    expect(read(fractional, { f: '2.25' }).params.f).toBe(2.25);
  });

  it.each([
    ['grid: 32', 'grid: abc', '9:11: expected a whole number of at least 1'],
    ['grid: 32', 'gird: 32', '9:5: unknown key "gird" (did you mean "grid"?)'],
    ['grid: 32', 'grid: 0', '9:11: must be at least 1, got 0'],
    ['block: 256', 'block: 2048', '10:12: block.x must be a whole number from 1 to 1024'],
    ['block: 256', 'block: [32, 64]', '10:12: a block has at most 1024 threads'],
    ['kernel: rms, stream: "', 'kernel: rmz, stream: "', '26:34: unknown kernel "rmz" (did you mean "rms"?)'],
    ['{kernel: rms, stream: s0}', '{kernel: rms, stream: s9}', 'unknown stream "s9" (did you mean "s0"?)'],
    [
      'streamSynchronize: s0',
      'streamSynchronise: s0',
      '28:5: unknown call "streamSynchronise" (did you mean "streamSynchronize"?)',
    ],
    ['- trigger', '- triger', '14:9: unknown phase "triger" (did you mean "trigger"?)'],
    ['nonBlocking', 'nonblocking', '4:22: expected one of blocking, nonBlocking'],
    ['1MiB', '-1MiB', '6:22: size "-1MiB" is negative'],
    ['1MiB', '0', '6:22: size 0 must be greater than zero'],
    ['1MiB', '64KiB', 'the range ends at byte 131072 of buffer "x"'],
    ['layers: 2', 'layers: yes', '3:18: parameter layers: "yes" is a text, not true or false (did you mean "true"?)'],
    [
      '- streamSynchronize: s0',
      '- memcpyAsync: {copy: hostToDevice, bytes: 1, stream: s0, source: x}',
      '28:69: the source of a hostToDevice copy is host memory, but buffer "x" lies on the device',
    ],
    ['[[a, b]]', '[[a, b], [b, a]]', 'graph "g" has a cycle: a -> b -> a'],
    ['[[a, b]]', '[[a, c]]', 'unknown node "c"'],
    ['[[a, b]]', '[[a, b], [a, b]]', 'edge "a" -> "b": the edge is there twice (rule 4.6)'],
    ['name: decode', 'name: "a\\eb"', '2:7: a name must not hold control characters, this one has U+001B'],
    ['x: {bytes', '"x\\n": {bytes', '6:11: a name must not hold control characters, this one has U+000A'],
    [`label: "k${e('i')}"`, `label: ${'k'.repeat(1001)}`, 'a name has at most 1000 characters, this one has 1001'],
    ['1MiB', '1025TiB', '6:22: size "1025TiB" is too large, at most 1024 TiB is possible'],
    [e('t * 2'), e('tt * 2'), '13:15: unknown parameter "tt" (did you mean "t"?)'],
    ['program@1', 'program@2', '1:9: expected "griddep/program@1"'],
    ['program@1\nname', 'program@2\nnaem', '1:9: expected "griddep/program@1"'],
    ['schema:', 'shcema:', '1:1: unknown key "shcema" (did you mean "schema"?)'],
    [
      '{name: p, buffer: x}',
      'p',
      '19:13: the launch of kernel "rms" leaves its parameter "p" without a buffer; give it in args',
    ],
    [e('layers'), '10000000000', 'more than 1000000 calls'],
    ['x: {bytes', '__proto__: {bytes', '6:11: the name "__proto__" is not allowed'],
    ['name: decode', 'name: a\nname: b', '3:1: duplicate key "name"'],
    [`label: "k${e('i')}"`, 'label: k', 'label "k" is used twice'],
  ])('%s as %s', (from, to, message) => {
    const error = failure(() => read(TEXT.replace(from, () => to)));
    expect(error.message).toContain(message);
    expect(error.message.startsWith(`p.yaml:${error.line}:${error.column}: `)).toBe(true);
    expect(error.message.split('\n')).toHaveLength(1);
  });

  it.each([
    ['', 'the file is empty'],
    [' \n\t', 'nothing but white space'],
    ['\0\u0001', 'binary'],
    ['hello', 'a program is a map'],
    ['- a', 'got a list'],
    ['{"a": 1,}', 'not valid JSON: property name expected'],
    ['{"a": 1,\n"a": 2}', ':2:1: duplicate key "a"'],
    ['{"a":'.repeat(101), 'nested more than 100 levels deep'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested more than 100 levels deep'],
  ])('refuses %j', (text, message) => {
    expect(failure(() => readProgram(text, { file: 'p' })).message).toContain(message);
  });

  it('refuses alias bombs and deep nesting in YAML', () => {
    const bomb = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`);
    expect(failure(() => read(`a0: &a0 [x]\n${bomb.join('\n')}`)).message).toContain('Excessive alias count');
    expect(failure(() => read('['.repeat(5000))).message).toContain('nested too deeply');
  });

  it('points at anchors within themselves, and at a second document', () => {
    expect(failure(() => read('schema: griddep/program@1\nparams: &a [*a]')).message).toBe(
      'p.yaml:2:13: *a stands within &a, which would have no end',
    );
    expect(failure(() => read('calls: &a\n  - repeat: {times: 1, calls: *a}')).message).toMatch(
      /^p\.yaml:2:31: \*a stands/,
    );
    expect(failure(() => read('schema: griddep/program@1\n---\nname: b')).message).toBe(
      'p.yaml:2:1: several YAML documents; a file holds one',
    );
  });

  it('takes copies and memsets of nothing', () => {
    const buffers = 'buffers: { d: { bytes: 8 }, h: { bytes: 8, space: host } }';
    const copy = 'memcpyAsync: { copy: hostToDevice, bytes: 0, stream: legacy, source: h, destination: d }';
    const text = `schema: griddep/program@1\n${buffers}\ncalls:\n  - ${copy}\n  - memset: { bytes: 0 }`;
    const program = read(text);
    expect(program.threads[0]?.calls.at(0)).toMatchObject({ bytes: 0, source: { buffer: 'h', bytes: 0 } });
    expect(read(writeProgramJson(program)).threads[0]?.calls.at(0)).toEqual(program.threads[0]?.calls.at(0));
  });

  it.each([
    [
      '{from: a, to: c, type: programmatic}',
      ':7:32: edge "a" -> "c": a programmatic edge joins two kernel nodes (rule 4.2)',
    ],
    ['{from: a, to: b, type: programmatic, fromPort: default}', 'has port programmatic or launchCompletion (rule 4.2)'],
    ['{from: a, to: b, type: full, fromPort: programmatic}', ':7:32: edge "a" -> "b": port programmatic needs type'],
    ['{from: c, to: a, fromPort: launchCompletion}', 'only a kernel node has port launchCompletion (rule 4.3)'],
  ])('refuses edge %s', (edge, message) => {
    const nodes = ['a', 'b'].map((id) => `{ id: ${id}, launchKernel: { kernel: k, stream: legacy } }`);
    const lines = [
      'schema: griddep/program@1',
      'kernels: { k: { grid: 1, block: 32, phases: [] } }',
      'graphs:',
      '  g:',
      `    nodes: [${nodes}, { id: c, memsetAsync: { bytes: 1, stream: legacy } }]`,
      '    edges:',
      `      - ${edge}`,
    ];
    expect(failure(() => read(lines.join('\n'))).message).toContain(message);
  });

  it('counts nested repeats', () => {
    const nested = (inner: string) => `{repeat: {times: 3000, calls: [${inner}]}}`;
    const text = `schema: griddep/program@1\ncalls: [${nested(nested(nested('')))}]`;
    expect(failure(() => readProgram(text, { file: 'p.yaml', maxCalls: 1e5 })).message).toContain(
      'more than 100000 calls',
    );
  });

  it('refuses bytes that are not UTF-8, and files over the limit', () => {
    const bytes = Uint8Array.from([0x61, 0x0a, 0x62, 0xff, 0xfe]);
    expect(failure(() => readProgramBytes(bytes, { file: 'p.yaml' })).message).toBe(
      'p.yaml:2:2: the file is not UTF-8 text',
    );
    const large = new Uint8Array(20 * 2 ** 20).fill(0x61);
    expect(failure(() => readProgramBytes(large, { file: 'p.yaml' })).message).toContain(
      '20 MiB, the limit for YAML is 8 MiB',
    );
  });

  it('places JSON calls and errors', () => {
    const text = writeProgramJson(read(TEXT));
    const program = readProgram(text, { file: 'p.json' });
    const calls = program.threads[0]?.calls;
    const first = text.split('\n').findIndex((l) => l.startsWith('{"launchKernel"')) + 1;
    expect(calls?.origin(0)).toEqual({ file: 'p.json', line: first, column: 1 });
    expect(calls?.origin(9)?.line).toBe(first + 9);
    const error = failure(() => readProgram(text.replace('"event":"e"', '"evnt":"e"'), { file: 'p.json' }));
    expect(error.message).toBe(`p.json:${first + 2}:17: unknown key "evnt" (did you mean "event"?)`);
  });
});

it('exports a JSON Schema', () => {
  const schema = programJsonSchema();
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(JSON.stringify(schema)).toContain('griddepcontrol.wait');
});
