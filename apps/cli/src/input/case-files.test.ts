import { mkdirSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { workFolder } from '../griddep.fixture.ts';
import { caseFiles } from './case-files.ts';

const { path, write } = workFolder();
const file = (name: string) => JSON.stringify({ cases: [{ ...CASE, name }] });
const CASE = {
  devices: 1,
  mode: 'stream',
  gated: true,
  kernels: {},
  streams: [],
  events: [],
  ops: [],
  measured: { ops: [] },
};

mkdirSync(path('cases/deep/sub.json'), { recursive: true });
write('cases/b.json', file('b'));
write('cases/deep/a.json', file('a'));
write('cases/profile.json', '{"schema":"griddep/profile@1","device":"h200","constants":{}}');
symlinkSync(path('nowhere'), path('cases/dangling.json'));
symlinkSync(path('cases'), path('cases/loop'));

const said: string[] = [];
vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
afterEach(() => {
  said.length = 0;
});

describe('a folder of cases', () => {
  it('is read but for folders, links that lead nowhere, and profiles', async () => {
    const files = await caseFiles([path('cases')]);
    expect(files.paths.map((each) => basename(each))).toEqual(['b.json', 'a.json', 'profile.json']);
    const groups = await files.read();
    expect(groups.map(({ cases }) => cases.map(({ name }) => name))).toEqual([['b'], ['a']]);
    expect(said).toEqual([
      `griddep: ${path('cases/dangling.json')}: passed over: a link that leads nowhere\n`,
      `griddep: ${path('cases/profile.json')}: passed over: is a griddep/profile@1, not measured cases\n`,
    ]);
  });

  it('counts a file once, however often it is named', async () => {
    symlinkSync(path('cases/b.json'), path('link.json'));
    const named = [path('cases/b.json'), path('cases'), path('link.json')];
    const { paths } = await caseFiles(named);
    expect(paths.map((each) => basename(each))).toEqual(['b.json', 'a.json', 'profile.json']);
    expect(said).toContain(`griddep: ${path('link.json')}: counted once, as ${path('cases/b.json')}\n`);
  });
});

it('a profile that is named is no file of cases', async () => {
  const { read } = await caseFiles([path('cases/profile.json')]);
  await expect(read()).rejects.toThrow(/is a griddep\/profile@1 without measurements/);
});

it('without paths the carried files are those that no output may replace', async () => {
  const { paths } = await caseFiles([]);
  expect(paths.map((each) => basename(each))).toContain('calib1.json.gz');
});
