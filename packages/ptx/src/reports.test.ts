import { describe, expect, it } from 'vitest';
import { byLine, lintText } from './expected.fixture.ts';
import { counts } from './findings.ts';
import type { LintOptions } from './lint-options.ts';

const HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n';

/** A kernel of two parameters; its body begins in line 8. */
function kernel(name: string, body: string, head = HEAD): string {
  return `${head}.visible .entry ${name}(.param .u64 x, .param .u64 y)
{
    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
${body}
    ret;
}
`;
}

function verdict(text: string, options: LintOptions = {}): string[] {
  return byLine(lintText(text, options).flatMap(({ findings }) => findings.filter(counts)));
}

const READS = '    ld.global.u32 %r1, [%rd1];\n    st.global.u32 [%rd2], %r1;';
const WAIT = '    griddepcontrol.wait;';
const TRIGGER = '    griddepcontrol.launch_dependents;';
const LAUNCHED: LintOptions = { expectPdl: true };

describe('public reports', () => {
  it('1.5, 1.18 [pdl-cccl-sm80-ptx-jit] code for sm_80 that is launched with the attribute has no wait', () => {
    const text = kernel('k2', READS, HEAD.replace('sm_90', 'sm_80'));
    expect(verdict(text, LAUNCHED)).toEqual(['4 missing-wait']);
    expect(lintText(text, LAUNCHED)[0]?.findings[0]?.message).toMatch(/code for sm_80 cannot hold it/);
    expect(verdict(kernel('k2', `${WAIT}\n${READS}`), LAUNCHED)).toEqual([]);
  });

  it('1.19 [pdl-flashinfer-gdc-macro-noop] neither instruction is there, though both kernels are launched with it', () => {
    const second = kernel('k2', READS).replace(HEAD, '');
    expect(verdict(kernel('k1', READS) + second, LAUNCHED)).toEqual(['4 missing-wait', '12 missing-wait']);
    expect(verdict(kernel('k1', READS) + second)).toEqual([]);
  });

  it('1.13, 1.14 [pdl-gpuowl-launch-by-ptx] a kernel that never waits is safe only without the attribute', () => {
    const first = kernel('k1', `${TRIGGER}\n${READS}`);
    const text = first + kernel('k2', READS).replace(HEAD, '');
    expect(verdict(text)).toEqual([]);
    expect(lintText(text).map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
      ['trigger-without-wait', 'store-after-trigger'],
      ['no-griddepcontrol'],
    ]);
    expect(verdict(text, LAUNCHED)).toEqual(['4 missing-wait', '13 missing-wait']);
  });

  it('1.20 [pdl-llamacpp-fattn-hoist] a non-coherent load that the source has behind the wait stands before it', () => {
    const body = `    .loc 1 20 3
    ld.global.nc.u32 %r1, [%rd1];
    .loc 1 19 3
${WAIT}
    .loc 1 21 3
    st.global.u32 [%rd2], %r1;`;
    const text = `${kernel('fattn', body)}.file 1 "fattn.cu"\n`;
    expect(verdict(text)).toEqual(['9 hoisted-load']);
    const [finding] = lintText(text)[0]?.findings.filter(counts) ?? [];
    expect(finding?.message).toMatch(
      /ld\.global\.nc\.u32 reads x \(parameter 0\) non-coherently before the wait of fattn\.cu:19/,
    );
    expect(finding?.source).toEqual({ file: 'fattn.cu', line: 20, column: 3 });
    // Even behind the wait, what the previous kernel writes does not go through that path.
    expect(verdict(kernel('fattn', `${WAIT}\n    ld.global.nc.u32 %r1, [%rd1];`))).toEqual(['9 non-coherent-load']);
    expect(verdict(kernel('fattn', `${WAIT}\n    ld.global.nc.u32 %r1, [%rd1];`), { independent: ['x'] })).toEqual([]);
  });

  it('1.18 [pdl-llamacpp-ptxversion] code for sm_89 has no wait, and could not have one', () => {
    const old = HEAD.replace('sm_90', 'sm_89');
    expect(verdict(kernel('mmq', READS, old), LAUNCHED)).toEqual(['4 missing-wait']);
    expect(() => verdict(kernel('mmq', `${WAIT}\n${READS}`, old))).toThrow(
      'test.ptx:8:5: griddepcontrol wants sm_90 or later, the target is sm_89 (rule 7.12)',
    );
  });

  it('1.20, 2.2 [pdl-triton-pipelined-load-hoist] the first stage of a pipelined loop is loaded before the wait in it', () => {
    const loop = (before: string) => `    mov.u32 %r2, 8;
${before}
LOOP:
    .loc 1 30 5
${WAIT}
    .loc 1 31 5
    cp.async.cg.shared.global [%r3], [%rd1+16], 16;
    add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, 0; @%p1 bra LOOP;`;
    const file = '.file 1 "matmul.py"\n';
    const ahead = '    .loc 1 31 5\n    cp.async.cg.shared.global [%r3], [%rd1], 16;';
    expect(verdict(kernel('matmul', loop(ahead)) + file)).toEqual(['10 hoisted-load']);
    expect(verdict(kernel('matmul', loop(`${WAIT}\n${ahead}`)) + file)).toEqual([]);
  });
});
