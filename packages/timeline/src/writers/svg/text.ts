import { element, escapeXml } from './xml.ts';

export const INK = '#1b1f24';
export const MUTED = '#656d76';
export const FONT = "Inter, 'Helvetica Neue', Arial, sans-serif";

export interface TextStyle {
  readonly size?: number;
  readonly colour?: string;
  readonly weight?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** Text whose baseline is at `y`. */
export function label(x: number, y: number, text: string, style: TextStyle = {}): string {
  const { size = 11, colour = INK, weight, anchor } = style;
  return element(
    'text',
    { x, y, 'font-size': size, fill: colour, 'font-weight': weight, 'text-anchor': anchor },
    escapeXml(text),
  );
}

/** About how wide a text is, px: the fonts are proportional and unknown here, so this is a little generous. */
export function textWidth(text: string, size = 11): number {
  return text.length * size * 0.58;
}

/** As much of a text as fits, with an ellipsis; empty if not even two characters do. */
export function fitText(text: string, width: number, size = 11): string {
  if (textWidth(text, size) <= width) return text;
  // The ellipsis is wider than the average character.
  const characters = Math.floor(width / (size * 0.58) - 1.6);
  return characters < 2 ? '' : `${text.slice(0, characters).trimEnd()}…`;
}
