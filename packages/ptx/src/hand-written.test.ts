import { describe, expect, it } from 'vitest';
import { byLine, expectedFindings, fixture, lintText } from './expected.fixture.ts';

describe('PTX written by hand', () => {
  it.each(['paths', 'hoist'])(
    '1.5, 1.10, 1.20, 2.2, 2.6 finds in %s.ptx what its comments say, line by line',
    (name) => {
      const text = fixture(`hand/${name}.ptx`);
      const found = lintText(text).flatMap(({ findings }) => findings);
      expect(byLine(found)).toEqual(expectedFindings(text));
    },
  );

  it('2.2 says which parameter an address derives from, and what is not known', () => {
    const text = fixture('order.ptx');
    const data = (kernel: string) =>
      lintText(text)
        .find((report) => report.kernel === kernel)
        ?.accesses.map((access) => access.data.map((d) => d.replace(`${kernel}_param_`, '#')));
    expect(data('one_of_two')?.[0]?.sort()).toEqual(['#0 (parameter 0)', '#1 (parameter 1)']);
    expect(data('spilled')?.[0]?.sort()).toEqual(['#0 (parameter 0)', '#1 (parameter 1)', '#2 (parameter 2)']);
    expect(data('through_pointer')).toEqual([
      ['#0 (parameter 0)'],
      ['what a pointer loaded from #0 (parameter 0) points to'],
      ['#1 (parameter 1)'],
    ]);
    expect(data('by_struct')).toEqual([['#0 (parameter 0)'], ['#1 (parameter 1)'], ['#0 (parameter 0)']]);
    expect(data('reads_in_a_function')).toEqual([['#0 (parameter 0)'], ['#1 (parameter 1)']]);
  });

  it('1.10 says which branch separates the threads of an access', () => {
    const roles = lintText(fixture('roles.ptx')).find(({ kernel }) => kernel === 'one_role_without');
    const names = roles?.accesses.map(({ role, mode, afterWait }) => [role?.replace(/\d+/, 'N'), mode, afterWait]);
    expect(names?.toSorted()).toEqual([
      ['branch in line N not taken', 'read', false],
      ['branch in line N not taken', 'write', false],
      ['branch in line N taken', 'read', true],
      ['branch in line N taken', 'write', true],
    ]);
  });
});
