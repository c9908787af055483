import { describe, expect, it } from 'vitest';
import { lintText } from './expected.fixture.ts';
import { readModule } from './read-module.ts';

const HEAD = '.version 7.8\n.target sm_90a, debug\n.address_size 64\n';
const kernel = (body: string, head = HEAD) => `${head}.entry k(.param .u64 x)\n{\n${body}\n}\n`;

describe('griddepcontrol is read strictly', () => {
  it.each([
    [
      'griddepcontrol.launch;',
      'griddepcontrol has no action "launch"; there are launch_dependents and wait (rule 7.12)',
    ],
    ['griddepcontrol;', 'griddepcontrol has no action; there are launch_dependents and wait (rule 7.12)'],
    [
      'griddepcontrol.wait.sync;',
      'griddepcontrol has no action "wait.sync"; there are launch_dependents and wait (rule 7.12)',
    ],
    ['griddepcontrol.wait 0;', 'griddepcontrol.wait takes no operand (rule 7.12)'],
    ['griddepcontrol.launch_dependents %r1, 2;', 'griddepcontrol.launch_dependents takes no operand (rule 7.12)'],
  ])('7.12 refuses %s', (instruction, problem) => {
    expect(() => lintText(kernel(`  ${instruction}`))).toThrow(`test.ptx:6:3: ${problem}`);
  });

  it('7.12 takes both actions, guarded or not, from PTX 7.8 and sm_90 on', () => {
    const both = 'griddepcontrol.wait;\n@%p1 griddepcontrol.launch_dependents;';
    expect(lintText(kernel(both))[0]).toMatchObject({ waits: [{ line: 6 }], triggers: [{ line: 7 }] });
    for (const target of ['sm_100a', 'sm_120'])
      expect(lintText(kernel(both, HEAD.replace('sm_90a', target)))).toHaveLength(1);
    expect(lintText(kernel(both, HEAD.replace('7.8', '8.10')))).toHaveLength(1);
    expect(() => lintText(kernel(both, HEAD.replace('7.8', '7.7')))).toThrow(
      'test.ptx:6:1: griddepcontrol wants PTX 7.8 or later, this is 7.7 (rule 7.12)',
    );
    expect(() => lintText(kernel(both, HEAD.replace('sm_90a', 'sm_89')))).toThrow(
      'test.ptx:6:1: griddepcontrol wants sm_90 or later, the target is sm_89 (rule 7.12)',
    );
  });

  it('7.12 looks into functions that no kernel calls', () => {
    expect(() => lintText(`${HEAD}.func f()\n{\n  griddepcontrol.go;\n}\n`)).toThrow(
      'test.ptx:6:3: griddepcontrol has no action',
    );
  });
});

describe('text that is no PTX', () => {
  it.each([
    ['', 'test.ptx:1:1: no .version: this is no PTX'],
    ['\u007fELF', 'test.ptx:1:1: unexpected "\u007f"'],
    ['int main() {}', 'test.ptx:1:1: no .version first: this is no PTX'],
    ['.version 8\n', 'test.ptx:1:10: expected a version such as 8.7, found "8"'],
    ['.version 8.0\n', 'test.ptx:1:1: no .target'],
    [`${HEAD}.entry k()\n{\n ret;`, 'test.ptx:5:1: "{" is never closed'],
    [`${HEAD}.entry k(.param .u64 x`, 'test.ptx:4:9: "(" is never closed'],
    [`${HEAD}.entry 7()\n{ }`, 'test.ptx:4:8: expected a name, found "7"'],
    [`${HEAD}.entry k() { }\n.entry k() { }`, 'test.ptx:5:8: k has a body already, in line 4'],
    [kernel('  ret'), 'test.ptx:6:3: ";" is missing after "ret"'],
    [kernel('  bra nowhere;'), 'test.ptx:6:3: there is no label "nowhere"'],
    [kernel('A:\nA: ret;'), 'test.ptx:7:1: the label "A" stands here twice'],
    [kernel('  ld.global.u32 %r1, [%rd1;'), 'test.ptx:6:3: a bracket is never closed'],
    [kernel('  @ ret;'), 'test.ptx:6:8: expected an instruction, found ";"'],
    [kernel('  // griddep: independent z\n  ret;'), 'test.ptx:6:3: independent: no parameter "z"'],
  ])('%j', (text, problem) => {
    expect(() => lintText(text)).toThrow(problem);
  });
});

describe('what a module declares', () => {
  it('7.12 reads kernels, parameters, variables and the target', () => {
    const module = readModule(
      `${HEAD}.global .align 4 .u32 table[2] = {1, 2};
.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24], .param .u32 n)
.maxntid 256, 1, 1
.reqntid 128, 2
{ ret; }
.func (.param .b32 r) f(.param .b64 p);
.file 3 "dir/kernel.cu"
`,
      'test.ptx',
    );
    expect([module.target, module.capability, module.version]).toEqual(['sm_90a', 90, { major: 7, minor: 8 }]);
    expect(module.variables).toEqual(new Map([['table', 'global']]));
    expect(module.sources).toEqual(new Map([[3, 'dir/kernel.cu']]));
    expect(module.functions.get('k')?.parameters).toEqual([
      { name: 'a', type: 'u64', pointer: true, array: false },
      { name: 'b', type: 'b8', pointer: false, array: true },
      { name: 'n', type: 'u32', pointer: false, array: false },
    ]);
    expect(module.functions.get('k')?.requiredThreads).toEqual([128, 2]);
    expect(module.functions.get('f')).toMatchObject({ kind: 'func', results: [{ name: 'r' }] });
  });
});
