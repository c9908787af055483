import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { makeOperation, makeTimeline } from '../make.ts';
import { busyTimeline } from './busy.fixture.ts';
import { renderTable } from './table.ts';

describe('renderTable', () => {
  it('lists operations in order of start, and how many more there are', () => {
    expect(`\n${renderTable(chain(6, true), { rows: 3 })}`).toMatchInlineSnapshot(`
      "
      id           device  stream  start     end  duration  SMs x blocks  started after
      -----------  ------  ------  -----  ------  --------  ------------  ------------------------------------------------------
      rmsNorm#0    0       s0      6.000  10.000     4.000       132 x 1  host call (+3.40 us after the call returned)
      qkvGemm#1    0       s0      7.040  14.380     7.340       132 x 1  trigger of rmsNorm#0 (+0.64 us after its last trigger)
      attention#2  0       s0      8.080  18.760    10.680       132 x 1  trigger of qkvGemm#1 (+0.64 us after its last trigger)
      ... 3 more
      started after: the condition that held last before the start; +N us: the start came that much later than what is named
      "
    `);
  });

  it('lists host calls where asked, and what was waited for', () => {
    const table = renderTable(busyTimeline(), { host: true });
    expect(table).toMatch(/^sync +sync +host +main +25\.000 +46\.000 +21\.000 +host call$/m);
    expect(table).toMatch(/^reduce +allReduce +1 +s1 .*event of rec \(\+3\.80 us after its end\)$/m);
    expect(table).toMatch(/^rec +record done +0 /m);
    expect(renderTable(busyTimeline())).not.toMatch(/^sync/m);
  });

  it('says SMs and most blocks per SM of kernels, and how to read the last column', () => {
    const [head = '', , first] = renderTable(chain(2, false)).split('\n');
    expect(head).toContain('SMs x blocks');
    expect(first).toContain(' 132 x 1  host call');
    expect(renderTable(chain(2, false))).toMatch(/started after: .*\+N us.*\n$/);
    expect(renderTable(chain(2, false))).toContain('stream order of rmsNorm#0 (+0.90 us after its end)');
    const event = makeTimeline([makeOperation({ id: 'e#0', kind: 'eventWait', name: 'e', start: 1, end: 1 })]);
    expect(renderTable(event)).not.toContain('SMs');
    expect(renderTable(event)).toMatch(/^e#0 +wait e /m);
  });
});
