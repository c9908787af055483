import { lintModule, readModule } from '@griddep/ptx';
import type { BenchCase, BenchSuite } from './suite.ts';

const SIZE = 10e6;
const MEGABYTE = 1e6;
/** What 10 MB may take at most, however slow the machine: these bound the growth, not the speed. */
const MOST_SECONDS = 120;
const MOST_RESIDENT_KILOBYTES = 2 * 2 ** 20;

const HEAD = '.version 8.0\n.target sm_90\n.address_size 64\n';
const REGISTERS = '.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;';

/** `lint` on 10 MB of PTX: in many kernels, in one without branches, and in one of many divided branches. */
export const ptxSuite: BenchSuite = {
  name: 'ptx',
  unit: 'MB/s',
  *groups() {
    yield {
      name: '10 MB',
      cases: [lint('many kernels', manyKernels()), lint('one straight kernel', straight()), lint('one branching kernel', branching())],
      time: 1,
    };
  },
};

function lint(name: string, text: string): BenchCase {
  return {
    name,
    items: text.length / MEGABYTE,
    run() {
      const begin = performance.now();
      let findings = 0;
      for (const report of lintModule(readModule(text, name))) findings += report.findings.length + report.more;
      if (findings === 0) throw new Error(`${name}: nothing found`);
      const seconds = (performance.now() - begin) / 1000;
      const { maxRSS } = process.resourceUsage();
      if (seconds > MOST_SECONDS) throw new Error(`${name}: ${seconds.toFixed(0)} s`);
      if (maxRSS > MOST_RESIDENT_KILOBYTES) throw new Error(`${name}: ${(maxRSS / 2 ** 20).toFixed(1)} GiB`);
    },
  };
}

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
