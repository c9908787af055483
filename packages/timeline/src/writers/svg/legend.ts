import { OTHER_COLOUR } from '../colours.ts';
import { INK, label, MUTED, textWidth } from './text.ts';
import { element } from './xml.ts';

const ROW_HEIGHT = 20;
const MOST_NAMES = 14;

interface Entry {
  readonly text: string;
  /** Draws a swatch of 18 by 10 px with this corner. */
  readonly swatch: (x: number, y: number) => string;
}

/** What of the marks occurs in the picture. */
export interface Marks {
  readonly other: boolean;
  readonly waiting: boolean;
  readonly trigger: boolean;
  readonly flush: boolean;
  readonly arrows: boolean;
}

/** The legend in rows from `top` down, and its height. */
export function legend(
  colours: ReadonlyMap<string, string>,
  marks: Marks,
  ids: { readonly hatch: string; readonly marker: string },
  top: number,
  left: number,
  right: number,
): { markup: string; height: number } {
  const names = [...colours]
    .slice(0, MOST_NAMES)
    .map(([text, fill]) => ({ text: text || '(no name)', swatch: box(fill) }));
  const hidden = colours.size - names.length;
  const more: Entry[] = hidden > 0 ? [{ text: `and ${hidden} more`, swatch: () => '' }] : [];
  const rows = [[...names, ...more], markEntries(marks, ids)];
  let x = left;
  let y = top;
  let markup = '';
  for (const row of rows) {
    for (const { text, swatch } of row) {
      const width = 24 + textWidth(text) + 18;
      if (x > left && x + width > right) {
        x = left;
        y += ROW_HEIGHT;
      }
      markup += swatch(x, y) + label(x + 24, y + 9, text, { colour: MUTED });
      x += width;
    }
    if (row.length > 0) y += ROW_HEIGHT;
    x = left;
  }
  return { markup, height: y - top };
}

function markEntries(marks: Marks, ids: { readonly hatch: string; readonly marker: string }): Entry[] {
  const grey = '#656d76';
  const entries: (Entry | false)[] = [
    marks.other && { text: 'other work', swatch: box(OTHER_COLOUR) },
    marks.waiting && {
      text: 'before the last wait returned',
      swatch: (x, y) =>
        element('rect', { x, y, width: 18, height: 10, rx: 2, fill: grey, 'fill-opacity': 0.22, stroke: grey }) +
        element('rect', { x, y, width: 18, height: 10, rx: 2, fill: `url(#${ids.hatch})` }),
    },
    marks.trigger && {
      text: 'last trigger',
      swatch: (x, y) => element('path', { d: `M${x + 5} ${y + 1}h8l-4 7z`, fill: INK }),
    },
    marks.flush && {
      text: 'flush until completion',
      swatch: (x, y) =>
        element('rect', { x, y, width: 10, height: 10, rx: 2, fill: grey }) +
        element('rect', { x: x + 10, y: y + 3, width: 8, height: 4, fill: grey, opacity: 0.5 }),
    },
    marks.arrows && {
      text: 'what it started after (dashed: the launch)',
      swatch: (x, y) =>
        element('path', {
          d: `M${x} ${y + 5}h16`,
          stroke: '#424a53',
          'stroke-width': 1.1,
          'marker-end': `url(#${ids.marker})`,
        }),
    },
  ];
  return entries.filter((entry) => entry !== false);
}

function box(fill: string): (x: number, y: number) => string {
  return (x, y) => element('rect', { x, y, width: 18, height: 10, rx: 2, fill });
}
