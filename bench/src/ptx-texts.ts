const SIZE = 10e6;
const HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n';
const REGISTERS = '.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;';

/** 10 MB of PTX each: in many kernels, in one without branches, and in one of many branches that threads take differently. */
export const PTX_TEXTS = {
  'many kernels': manyKernels,
  'one straight kernel': straight,
  'one branching kernel': branching,
};
export type PtxText = keyof typeof PTX_TEXTS;

function repeated(begin: string, part: (index: number) => string, end: string): string {
  const parts = [begin];
  for (let size = begin.length, i = 0; size < SIZE; i++) {
    const next = part(i);
    parts.push(next);
    size += next.length;
  }
  return [...parts, end].join('');
}

function manyKernels(): string {
  const kernel = (i: number) => `.visible .entry k${i}(.param .u64 k${i}_x, .param .u64 k${i}_y)
{
  ${REGISTERS}
  ld.param.u64 %rd1, [k${i}_x];
  ld.param.u64 %rd2, [k${i}_y];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 127;
  @%p1 bra SECOND;
  griddepcontrol.wait;
  ld.global.u32 %r2, [%rd1];
  st.global.u32 [%rd2], %r2;
  bra.uni LAST;
SECOND:
  ld.global.u32 %r2, [%rd1+4];
  st.global.u32 [%rd2+4], %r2;
LAST:
  griddepcontrol.launch_dependents;
  ret;
}
`;
  return repeated(HEAD, kernel, '');
}

const BIG = `${HEAD}.visible .entry big(.param .u64 x, .param .u64 y)\n{\n${REGISTERS}\nld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\n`;
const WAITS = 'griddepcontrol.wait;\nret;\n}\n';

function straight(): string {
  const load = (i: number) => `add.s64 %rd2, %rd1, ${4 * i};\nld.global.u32 %r2, [%rd2];\nadd.s32 %r3, %r3, %r2;\n`;
  return repeated(BIG, load, WAITS);
}

function branching(): string {
  const branch = (i: number) => `add.s64 %rd2, %rd1, ${4 * i};
setp.lt.u32 %p1, %r1, ${i % 1024};
@%p1 bra L${i};
ld.global.u32 %r2, [%rd2];
add.s32 %r3, %r3, %r2;
L${i}:
`;
  return repeated(BIG, branch, WAITS);
}
