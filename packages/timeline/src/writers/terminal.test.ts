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
               ░ before its wait returned   █ running   ╌ flush
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
               = host call   : before its wait returned   # running   - flush   % copy or other
      "
    `);
  });

  it('explains the glyphs that it drew, and no other', () => {
    const glyphs = /[█░╌▓▄]/g;
    const panel = { title: 'x', timeline: busyTimeline() };
    const ranges = [undefined, { from: 0, to: 6e6 }, { from: 36e6, to: 45e6 }, { from: 46e6, to: 47e6 }];
    for (const range of ranges) {
      for (const streams of [undefined, ['copies'], ['main'], ['s0', 'main']]) {
        const options = { width: 90, ...(range && { range }), ...(streams && { streams }) };
        const lines = renderTerminal([panel], options).trimEnd().split('\n');
        const axis = lines.findLastIndex((line) => line.startsWith(' '.repeat(4)) && line.includes(' us '));
        const used = (part: string[]) => [...new Set(part.join('').match(glyphs))].sort();
        expect(used(lines.slice(axis + 1))).toEqual(used(lines.slice(0, axis)));
      }
    }
  });

  it('shows the streams asked for', () => {
    const text = renderTerminal([{ title: 'x', timeline: busyTimeline() }], { streams: ['copies'] });
    expect(text).toMatch(/^ {2}copies /m);
    expect(text).not.toMatch(/^ {2}s0|^host/m);
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
