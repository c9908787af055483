import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { makeTimeline } from '../make.ts';
import { busyTimeline } from './busy.fixture.ts';
import { renderTerminal } from './terminal.ts';

const picture = (...args: Parameters<typeof renderTerminal>) => `\n${renderTerminal(...args)}`;

describe('renderTerminal', () => {
  it('stacks timelines over a common axis', () => {
    const panels = [
      { title: 'plain', timeline: chain(4, false) },
      { title: 'with PDL', timeline: chain(4, true) },
    ];
    expect(picture(panels, { width: 80, host: false })).toMatchInlineSnapshot(`
      "
      plain  ·  makespan 18.700 us
      GPU 0
        s0     █rmsNorm███████╌  █qkvGemm███████╌   █attention████╌╌  █outGemm███████╌
               ───────────────┬──────────────────┬─────────────────┬─────────────────┬
            us               10                 15                20                25

      with PDL  ·  makespan 17.140 us
      GPU 0
        s0     █rmsNorm███████╌
        s0 (2)     ░░░░░░░░░░░░█qkvGemm███████╌╌
        s0 (3)         ░░░░░░░░░░░░░░░░░░░░░░░░░█attention█████╌
        s0 (4)             ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░█outGemm███████╌
               ───────────────┬──────────────────┬─────────────────┬─────────────────┬
            us               10                 15                20                25
               █ running   ╌ flush   ░ before its wait returned
      "
    `);
  });

  it('does with ASCII alone', () => {
    const text = picture([{ title: 'two GPUs', timeline: busyTimeline() }], { width: 80, ascii: true, names: false });
    expect(text).toMatchInlineSnapshot(`
      "
      two GPUs  -  makespan 36.000 us
      host
        main   ==== ======== ==== ========            ================================
      GPU 0: H200
        s0              ######-::::::::::::::::::::######-      %
        s0 (2)            :::::######-
        s0 (3)             :::::::::::######-
        s0 (4)               ::::::::::::::::######
        s0 (5)                  ::::::::::::::::::::::::::######-
        copies             %%%%%%%%%%%%%%%%%-
      GPU 1: H200
        s1                                                             #########
               +--------------+---------------+--------------+---------------+--------
            us 0             10              20             30              40
               = host call   # running   - flush   : before its wait returned   % copy or other
      "
    `);
  });

  it('keeps to its width, and takes an empty timeline', () => {
    for (const width of [40, 77, 200]) {
      const lines = renderTerminal([{ title: 'x', timeline: busyTimeline() }], { width }).split('\n');
      const longest = Math.max(...lines.slice(0, -2).map((line) => [...line].length));
      expect(longest).toBeLessThanOrEqual(width);
    }
    expect(renderTerminal([{ title: 'none', timeline: makeTimeline([]) }])).toContain('makespan 0.000 us');
  });
});
