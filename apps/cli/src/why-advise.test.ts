import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep, write } = workFolder();
const PAIR_TEXT = `schema: griddep/program@1
name: pair
kernels:
  make: { grid: 132, block: 256, phases: [{ spin: 5us }, trigger, { spin: 20us }] }
  use: { grid: 132, block: 256, phases: [{ spin: 8us }, wait, { spin: 5us }] }
streams: { s: { kind: nonBlocking } }
calls:
  - launchKernel: { kernel: make, stream: s }
  - launchKernel: { kernel: use, stream: s }
  - streamSynchronize: s
`;
const PAIR = write('pair.yaml', PAIR_TEXT);
const EARLY = 'kernel: use, stream: s, attributes: { programmaticStreamSerialization: true }';

describe('griddep why', { timeout: 60_000 }, () => {
  it('tells waits, the earliest start without each cause, and the way there', () => {
    const { code, stdout } = griddep(['why', PAIR, 'use#0']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^use#0 began at \d+\.\d\d us\.$/m);
    expect(stdout).toMatch(/stream order of make#0/);
    expect(stdout).toMatch(/^the stream's order +make#0 +\d+\.\d\d +\d+\.\d\d$/m);
    expect(stdout).toMatch(/launch gap +use#0 after stream order of make#0/);
  });

  it('tells of two operations which causes would have to go, as JSON too', () => {
    const { code, stdout } = griddep(['why', PAIR, 'make#0', 'use#0', '--json']);
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ first: 'make#0', second: 'use#0', suffices: ['stream'] });
    expect(answer.gap).toBeGreaterThan(1000);
    expect(answer.overlap).toBeUndefined();
    expect(answer.why.removals[0]).toMatchObject({ constraint: 'stream', by: 'make#0' });
  });

  it('tells on which SMs two overlapped', () => {
    const early = write('early.yaml', PAIR_TEXT.replace('kernel: use, stream: s', EARLY));
    const { stdout } = griddep(['why', early, 'make#0', 'use#0']);
    expect(stdout).toMatch(
      /^make#0 and use#0 overlapped for \d+\.\d\d us, .* with blocks of both on 132 SMs \(0-131\)\.$/m,
    );
  });

  it.each([
    [['why', PAIR], 'griddep: no operation: give its id, as `griddep run` lists them\n'],
    [
      ['why', PAIR, 'gemm#0'],
      'griddep: pair.yaml: no operation is called gemm#0; `griddep run` lists the operations\n',
    ],
    [['why', PAIR, 'a', 'b', 'c'], 'griddep: give one operation or two, not 3\n'],
  ])('%j is refused', (args, message) => {
    const { code, stderr } = griddep(args);
    expect(stderr).toBe(message);
    expect(code).toBe(2);
  });
});

describe('griddep advise', { timeout: 60_000 }, () => {
  it('tries an early launch of the pair, and says what gains most', () => {
    const { code, stdout } = griddep(['advise', PAIR]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}PDL on make → use: gain, \d+\.\d\d us/m);
    expect(stdout).toMatch(/^Best: /m);
    const advice = JSON.parse(griddep(['advise', PAIR, '--json']).stdout);
    expect(advice.pairs[0]).toMatchObject({ primary: 'make', secondary: 'use', isEarly: false, unfit: [] });
    expect(advice.pairs[0].early.gain).toBeGreaterThan(8000);
    expect(advice.time.kernel).toBeGreaterThan(38_000);
  });

  it('says that there is no gain where there is none', () => {
    const one = write('one.yaml', PAIR_TEXT.replace(/.*kernel: use.*\n/, ''));
    const { stdout } = griddep(['advise', one]);
    expect(stdout).toMatch(/^No gain: nothing that was tried makes the whole faster\.$/m);
  });

  it('takes what of a kernel may run early', () => {
    const plain = write('plain.yaml', PAIR_TEXT.replace('{ spin: 8us }, wait, { spin: 5us }', '{ spin: 13us }'));
    const gain = (...args: string[]) =>
      JSON.parse(griddep(['advise', plain, '--json', ...args]).stdout).pairs[0].early.gain;
    expect(gain('--preamble', 'use=60%')).toBeGreaterThan(gain() + 5000);
  });

  it.each([
    [['--preamble', 'use=2'], 'griddep: --preamble use=2: expected KERNEL=SHARE, such as gemm=40%\n'],
    [['--preamble', 'gemm=40%'], 'griddep: --preamble gemm=40%: the program has no kernel "gemm"\n'],
  ])('%j is refused', (args, message) => {
    const { code, stderr } = griddep(['advise', PAIR, ...args]);
    expect(stderr).toBe(message);
    expect(code).toBe(2);
  });
});
