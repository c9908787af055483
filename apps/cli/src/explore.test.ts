import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep, write } = workFolder();

const RACE = `schema: griddep/program@1
name: pair
buffers: { x: { bytes: 64KiB }, y: { bytes: 64KiB } }
kernels:
  make: { grid: 16, block: 256, phases: [trigger, { spin: 5us }, { store: { bytes: 4KiB, range: { buffer: x, blockStride: 4KiB } } }] }
  use: { grid: 16, block: 256, phases: [WAIT{ load: { bytes: 4KiB, range: { buffer: x, blockStride: 4KiB } } }, { spin: 5us }] }
streams: { s: { kind: nonBlocking }, t: { kind: nonBlocking } }
calls:
  - memsetAsync: { bytes: 64KiB, stream: t, destination: y }
  - launchKernel: { kernel: make, stream: s }
  - launchKernel: { kernel: use, stream: s, attributes: { programmaticStreamSerialization: true } }
  - streamSynchronize: s
`;
const racing = write('race.yaml', RACE.replace('WAIT', ''));
const safe = write('safe.yaml', RACE.replace('WAIT', 'wait, '));

describe('griddep explore', { timeout: 60_000 }, () => {
  it('2.2 tells who finds which value in which order, the seed and the fewest calls, and exits 1', () => {
    const { code, stdout, stderr } = griddep(['explore', racing]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatchInlineSnapshot(`
      "wrong value: "use" reads "x" (bytes 0 to 64KiB, phase 0) before "make" writes "x" (bytes 0 to 64KiB, phase 2): "use" finds nothing of what "make" wrote
        in this order:
          "use" reads "x" (bytes 0 to 64KiB, phase 0)
          "make" writes "x" (bytes 0 to 64KiB, phase 2)
        --replay delay:9
        fewest calls: make (race.yaml:10:5), use (race.yaml:11:5)

      pair: 3 operations, 4 schedules, which stand for all: 1 wrong value
      "
    `);
  });

  it('2.2 a seed replays its finding', () => {
    const { findings } = JSON.parse(griddep(['explore', racing, '--json']).stdout);
    const { seed, text, smallest } = findings[0];
    const { code, stdout } = griddep(['explore', racing, '--replay', seed, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'griddep/explore@1', findings: [{ seed, text }] });
    const smaller = griddep(['explore', write('smaller.yaml', smallest.program), '--replay', smallest.seed, '--json']);
    expect(JSON.parse(smaller.stdout)).toMatchObject({ findings: [{ kind: 'wrong value' }] });
  });

  it('1.8 finds nothing in a safe program, and says that no schedule is left', () => {
    const { code, stdout } = griddep(['explore', safe]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pair: 3 operations, \d+ schedules, which stand for all: nothing found\n$/);
  });

  it('1.2, 5.10 finds runs that miss a deadline, each of whose changes is needed, and replays them', () => {
    const { runs, usualPs } = JSON.parse(griddep(['explore', safe, '--deadline', '1s', '--json']).stdout);
    expect(runs).toBeGreaterThan(5);
    const over = (ps: number) => [`${(usualPs + ps) / 1e6}us`, '--json'];
    const explored = griddep(['explore', safe, '--pause', '0us', '--deadline', ...over(0)]);
    expect(explored.code).toBe(1);
    const [late] = JSON.parse(explored.stdout).findings;
    expect([late.kind, late.seed]).toEqual(['missed deadline', 'late@0.2']);
    const again = griddep(['explore', safe, '--replay', late.seed, '--deadline', ...over(0)]);
    expect(JSON.parse(again.stdout).findings[0].text).toBe(late.text);
    const both = griddep(['explore', safe, '--pause', '10us', '--deadline', ...over(15e6)]);
    expect(JSON.parse(both.stdout).findings[0].seed.split('/').length).toBe(2);
    expect(griddep(['explore', safe, '--deadline', `${(usualPs - 1e6) / 1e6}us`]).stdout).toContain(
      'allowed, as it is',
    );
  });

  it('5.13 a run that never ends misses every deadline', () => {
    const spins = RACE.replace('WAIT', '{ await: { flag: f } }, ');
    const { code, stdout } = griddep(['explore', write('spins.yaml', spins), '--deadline', '1s']);
    expect(code).toBe(1);
    expect(stdout).toContain('never ends');
    expect(stdout).toContain(
      'deadlock: "use" at spins.yaml:11:5 waits for flag "f" to be 1 for ever, in every schedule',
    );
  });

  it('exits 2 for bad input', () => {
    for (const args of [
      ['missing.yaml'],
      [safe, '--replay', 'hope'],
      [safe, '--replay', 'late@0.99', '--deadline', '1us'],
      [safe, '--replay', 'late@0.2'],
      [safe, '--deadline', '5'],
      [safe, '--bound', '0'],
    ]) {
      expect(griddep(['explore', ...args]).code).toBe(2);
    }
  });
});
