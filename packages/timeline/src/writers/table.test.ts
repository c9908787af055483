import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { busyTimeline } from './busy.fixture.ts';
import { renderTable } from './table.ts';

describe('renderTable', () => {
  it('lists operations in order of start, and how many more there are', () => {
    expect(`\n${renderTable(chain(6, true), { rows: 3 })}`).toMatchInlineSnapshot(`
      "
      id           device  stream  start     end  duration  started after
      -----------  ------  ------  -----  ------  --------  --------------------
      rmsNorm#0    0       s0      6.000  10.000     4.000  host call
      qkvGemm#1    0       s0      7.040  14.380     7.340  trigger of rmsNorm#0
      attention#2  0       s0      8.080  18.760    10.680  trigger of qkvGemm#1
      ... 3 more
      "
    `);
  });

  it('lists host calls where asked, and what was waited for', () => {
    const table = renderTable(busyTimeline(), { host: true });
    expect(table).toMatch(/^sync +host +main +25\.000 +46\.000 +21\.000 +host call$/m);
    expect(table).toMatch(/^reduce +1 +s1 .*event of rec, 16\.000 us$/m);
    expect(renderTable(busyTimeline())).not.toContain('sync');
  });
});
