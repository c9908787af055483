import { describe, expect, it } from 'vitest';
import { reportOf } from '../report.ts';
import { trustMarkdown } from './markdown.ts';

describe('trustMarkdown', () => {
  it('says which cases were not compared and why, in cells that keep their rows', () => {
    const refused = [{ name: 'a|b', refused: 'never ends:\n  x' }];
    const text = trustMarkdown(reportOf(refused), ['NVIDIA H200'], refused);
    expect(text).toContain('1 case was not compared:');
    expect(text).toContain('| `a\\|b` | never ends: x |');
    expect(trustMarkdown(reportOf([]), [])).not.toContain('not compared');
  });

  it('leaves cases of which nothing was measured out of the figures', () => {
    const { families, parts } = reportOf([{ name: 'a', refused: 'nothing measured', unmeasured: true }]);
    expect([families, parts]).toEqual([[], []]);
  });
});
