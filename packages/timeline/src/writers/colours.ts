import { runsOnSms } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

/**
 * Colours that stay apart for the common kinds of colour blindness: Paul Tol's schemes "bright", then hues of "light" and
 * "muted" that differ from them ("Colour Schemes", SRON/EPS/TN/09-002, 2021).
 */
const KERNEL_COLOURS = [
  '#4477aa',
  '#ee6677',
  '#228833',
  '#ccbb44',
  '#66ccee',
  '#aa3377',
  '#ee8866',
  '#44bb99',
  '#332288',
  '#999933',
] as const;

/** Everything that is no kernel is grey, so that kernels stand out. */
export const OTHER_COLOUR = '#9aa3b0';

/** The colour of each kernel name over all timelines, dealt in order of first appearance. */
export function kernelColours(timelines: readonly Timeline[]): Map<string, string> {
  const colours = new Map<string, string>();
  for (const { operations } of timelines) {
    for (const { kind, name } of operations) {
      if (!runsOnSms(kind)) continue;
      if (!colours.has(name)) colours.set(name, KERNEL_COLOURS[colours.size % KERNEL_COLOURS.length] ?? OTHER_COLOUR);
    }
  }
  return colours;
}

/** Black or white, whichever reads better on `colour` (relative luminance of WCAG 2). */
export function textColour(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3 ? '#1b1f24' : '#ffffff';
}
