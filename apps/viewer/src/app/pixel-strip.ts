const known = new Map<string, number>();
const LITTLE_ENDIAN_ALPHA = 24;

/** `#rrggbb` as the canvas has it in memory (little endian), without its alpha. */
export function parseColour(colour: string): number {
  let value = known.get(colour);
  if (value === undefined) {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    value = red | (green << 8) | (blue << 16);
    known.set(colour, value);
  }
  return value;
}

let canvas: OffscreenCanvas | undefined;

/**
 * Lines of pixels, to be stretched to the height of lanes: tens of thousands of bars a pixel wide cost as much as one
 * picture.
 */
export class PixelStrip {
  readonly width: number;
  readonly #lines: number;
  readonly #data: ImageData | undefined;
  readonly #pixels: Uint32Array;
  #isEmpty = true;

  constructor(width: number, lines: number) {
    this.width = width;
    this.#lines = lines;
    this.#data = width > 0 && lines > 0 ? new ImageData(width, lines) : undefined;
    this.#pixels = new Uint32Array(this.#data?.data.buffer ?? new ArrayBuffer(0));
  }

  /** Colours the pixels that begin between `left` and `right`; at least one, and each at least once, whoever came first. */
  fill(line: number, left: number, right: number, colour: number, alpha: number): void {
    const from = Math.max(0, Math.floor(left));
    const to = Math.min(this.width, Math.max(from + 1, Math.round(right)));
    const value = (colour | (Math.round(alpha * 255) << LITTLE_ENDIAN_ALPHA)) >>> 0;
    const start = line * this.width;
    for (let x = from; x < to; x++) this.#pixels[start + x] = value;
    this.#isEmpty &&= to <= from;
  }

  /** The strip as something to draw; undefined where nothing is in it. */
  image(): OffscreenCanvas | undefined {
    if (this.#isEmpty || this.#data === undefined) return undefined;
    canvas ??= new OffscreenCanvas(1, 1);
    if (canvas.width !== this.width || canvas.height < this.#lines) {
      canvas.width = this.width;
      canvas.height = this.#lines;
    }
    canvas.getContext('2d', { willReadFrequently: true })?.putImageData(this.#data, 0, 0);
    return canvas;
  }
}
