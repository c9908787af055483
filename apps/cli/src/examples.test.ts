import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MAIN } from './griddep.fixture.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));
const files = readdirSync(FOLDER).filter((name) => /\.(yaml|json|ts)$/.test(name));
const isMachine = (name: string) => readFileSync(`${FOLDER}${name}`, 'utf8').includes('griddep/machine@');

interface Result {
  readonly stuck: readonly string[];
  readonly errors: readonly unknown[];
  readonly makespanNs: number;
  readonly ops: readonly {
    readonly id: string;
    readonly kind: string;
    readonly startNs: number;
    readonly endNs: number;
    readonly sms: number;
  }[];
}

function run(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'run', ...args, '--json'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Result;
}

describe('the examples of the documentation', () => {
  it.each(files.filter((name) => !isMachine(name)))('%s runs to its end', (name) => {
    const machine = name === 'two-devices.yaml' ? ['--machine', 'h200x2'] : [];
    const { stuck, errors, ops } = run(name, ...machine);
    expect(stuck).toEqual([]);
    expect(errors).toEqual([]);
    expect(ops.filter(({ kind }) => kind === 'kernel').length).toBeGreaterThan(1);
  });

  it.each(files.filter(isMachine))('%s is a machine that runs a program', (name) => {
    expect(run('overlap.yaml', '--machine', name).makespanNs).toBeGreaterThan(0);
  });

  it('pair.yaml overlaps with PDL only', () => {
    const gap = (pdl: string) => {
      const [producer, consumer] = run('pair.yaml', '--set', `pdl=${pdl}`).ops.filter(({ kind }) => kind === 'kernel');
      return (consumer?.startNs ?? 0) - (producer?.endNs ?? 0);
    };
    expect(gap('true')).toBeLessThan(0);
    expect(gap('false')).toBeGreaterThan(0);
  });

  it('packing.yaml is slower with PDL, on fewer SMs, unless a block fills an SM', () => {
    const dependent = (smem: string, pdl: string) => {
      const { makespanNs, ops } = run('packing.yaml', '--set', `smem=${smem}`, '--set', `pdl=${pdl}`);
      return { makespanNs, sms: ops.find(({ id }) => id === 'dependent#0')?.sms };
    };
    const [plain, packed, spread] = [
      dependent('40KiB', 'false'),
      dependent('40KiB', 'true'),
      dependent('128KiB', 'true'),
    ];
    expect(packed.makespanNs).toBeGreaterThan(1.4 * plain.makespanNs);
    expect(packed.sms).toBeLessThan(plain.sms ?? 0);
    expect(spread.makespanNs).toBeLessThan(plain.makespanNs);
    expect(spread.sms).toBe(plain.sms);
  });

  it('are all shown in the pages', () => {
    const pages = ['README.md', 'docs/programs.md', 'docs/machines.md', 'docs/mechanisms.md'].map((page) =>
      readFileSync(fileURLToPath(new URL(`../../../${page}`, import.meta.url)), 'utf8'),
    );
    for (const name of files) expect(pages.join('\n')).toContain(`<!-- file docs/examples/${name} -->`);
  });
});
