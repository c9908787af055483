import { describe, expect, it } from 'vitest';
import { MODULE, PROGRAM, workFolder } from '../griddep.fixture.ts';
import { programOf, resolveInput } from './resolve.ts';
import { schemaName } from './schema-name.ts';
import { parseSettings } from './settings.ts';
import { onlySource } from './sources.ts';

const { path, write } = workFolder();
write('program.yaml', PROGRAM);
write('module.ts', MODULE);

describe('resolveInput', () => {
  it('reads program files with parameters', async () => {
    const input = await resolveInput({ path: path('program.yaml') }, { set: { grid: '7' } });
    expect(programOf(input, 'run').kernels.get('rms')?.grid).toEqual([7, 1, 1]);
  });

  it('builds scenarios', async () => {
    const input = await resolveInput({ scenario: 'decode-chain' }, { set: { layers: '1' } });
    expect(programOf(input, 'run').params).toMatchObject({ layers: 1 });
  });

  it('says that a timeline is no program', async () => {
    const { makeTimeline, writeTimeline } = await import('@griddep/timeline');
    write('timeline.json', writeTimeline(makeTimeline([])));
    const input = await resolveInput({ path: path('timeline.json') });
    expect(input.kind).toBe('timeline');
    expect(() => programOf(input, 'why')).toThrow(/saved timeline; `griddep why` needs a program/);
    await expect(resolveInput({ path: path('timeline.json') }, { set: { a: '1' } })).rejects.toThrow(/--set/);
  });

  it('places what a check finds', async () => {
    const { ProgramError } = await import('@griddep/program');
    const check = () => {
      throw new ProgramError('too much', { path: ['kernels', 'rms', 'block'] });
    };
    const ofFile = resolveInput({ path: path('program.yaml') }, { check });
    await expect(ofFile).rejects.toThrow(/program\.yaml:4:\d+: too much/);
    await expect(resolveInput({ scenario: 'decode-chain' }, { check })).rejects.toThrow(
      'scenario decode-chain: kernels.rms.block: too much',
    );
  });
});

describe('the parts of an input', () => {
  it('finds the schema wherever it stands', () => {
    const name = (text: string) => schemaName(Buffer.from(text));
    expect(name('{"a": [1], "schema" : "griddep/timeline@1"}')).toBe('griddep/timeline@1');
    expect(name('# text\nschema: griddep/program@1\n')).toBe('griddep/program@1');
    expect(name('{"description": "griddep/timeline@1"}')).toBeUndefined();
    expect(name('')).toBeUndefined();
  });

  it('parses settings', () => {
    expect(parseSettings(['a=1', 'b=x=y', 'a=2', 'c='])).toEqual({ a: '2', b: 'x=y', c: '' });
    expect(() => parseSettings(['=1'])).toThrow(/name=value/);
  });

  it('wants one input', () => {
    expect(onlySource('a', undefined)).toEqual({ path: 'a' });
    expect(onlySource(undefined, 'b')).toEqual({ scenario: 'b' });
    expect(() => onlySource('a', 'b')).toThrow(/not both/);
    expect(() => onlySource(undefined, undefined)).toThrow(/no input/);
  });
});
