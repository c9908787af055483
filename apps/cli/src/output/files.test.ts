import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { workFolder } from '../griddep.fixture.ts';
import { checkOutputs, writeOutputs } from './files.ts';

const { path } = workFolder();
/** More than any system gives to a process. */
const DEAD = 2 ** 31 - 1;
const output = (name: string, content = 'new') => ({ option: '-o', path: path(name), content: () => content });

describe('outputs', () => {
  it('replace a file, through links, and keep its mode', async () => {
    writeFileSync(path('a.json'), 'old');
    chmodSync(path('a.json'), 0o640);
    symlinkSync(path('a.json'), path('link.json'));
    expect(await writeOutputs([output('link.json')])).toBeUndefined();
    expect(readFileSync(path('a.json'), 'utf8')).toBe('new');
    expect(statSync(path('a.json')).mode & 0o777).toBe(0o640);
  });

  it('remove what killed processes left of the same target, and nothing else', async () => {
    const left = [`t.json.${DEAD}.tmp`, `t.json.${process.pid}.tmp`];
    const kept = [
      `t.json.${process.ppid}.tmp`,
      `t.json.${DEAD}`,
      `t.json.0${DEAD}.tmp`,
      `u.json.${DEAD}.tmp`,
      `t.json.old.${DEAD}.tmp`,
      't.json.tmp',
    ];
    for (const name of [...left, ...kept]) writeFileSync(path(name), 'half');
    expect(await writeOutputs([output('t.json')])).toBeUndefined();
    const names = readdirSync(path('.'));
    expect(names.filter((name) => left.includes(name))).toEqual([]);
    expect(names.filter((name) => kept.includes(name)).sort()).toEqual([...kept].sort());
  });

  it('are tried before the work, which leaves nothing behind', async () => {
    mkdirSync(path('tried'));
    await checkOutputs([output('tried/a.json')]);
    expect(readdirSync(path('tried'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('that cannot be made are found before the work', async () => {
    await expect(checkOutputs([{ option: '-o', path: '/proc/x.json' }])).rejects.toThrow(
      /^-o \/proc\/x\.json: cannot be written: /,
    );
  });

  it('may fail, and all that did are named', async () => {
    const failure = await writeOutputs([output('none/a'), output('b.json'), output('none/c')]);
    expect(failure?.message).toMatch(/none\/a: cannot be written: .*; -o .*none\/c: cannot be written: /);
    expect(existsSync(path('b.json'))).toBe(true);
  });
});
