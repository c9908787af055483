import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { carriedCases, EXPORTED_FILES } from '@griddep/hardware/cases';
import { expect, it } from 'vitest';
import { MAIN } from './griddep.fixture.ts';

it('names families of cases that exist for every mechanism', { timeout: 60_000 }, () => {
  const page = readFileSync(new URL('../../../docs/mechanisms.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/Cases: ([^.]*)\./g)].map(([, list = '']) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, family]) => family),
  );
  expect(named.length).toBeGreaterThan(6);
  const { stdout } = spawnSync(process.execPath, [MAIN, 'trust', '--json'], { encoding: 'utf8' });
  const exported = carriedCases(EXPORTED_FILES).flatMap(({ cases }) => cases.map(({ name }) => name));
  const known = [...JSON.parse(stdout).families.map(({ family }: { family: string }) => family), ...exported];
  for (const name of exported)
    for (let i = name.indexOf('-'); i > 0; i = name.indexOf('-', i + 1)) known.push(name.slice(0, i));
  for (const families of named) {
    expect(families).not.toEqual([]);
    expect(known).toEqual(expect.arrayContaining(families));
  }
});
