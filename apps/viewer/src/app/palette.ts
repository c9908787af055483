/** The page's colours, as the canvas needs them. */
export interface Palette {
  readonly back: string;
  readonly band: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
  readonly mark: string;
  readonly isDark: boolean;
}

export function paletteOf(root: Element): Palette {
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    back: read('--back'),
    band: read('--band'),
    ink: read('--ink'),
    muted: read('--muted'),
    line: read('--line'),
    accent: read('--accent'),
    mark: read('--mark'),
    isDark: root.getAttribute('data-theme') === 'dark',
  };
}

/** Dark or light text, whichever reads better on `colour` (`#rrggbb`). */
export function textOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? '#1b1f24' : '#ffffff';
}
